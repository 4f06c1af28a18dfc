import BumpClaims

extension Match.Fragment {
  /// Reads a URL with a fragment as a claim link.
  init(of link: String) {
    if let claim = try? UnverifiedClaimLink(link).verify() {
      self = .claim(claim)
    } else {
      self = .unverified
    }
  }
}
