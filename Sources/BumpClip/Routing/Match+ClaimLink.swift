import BumpClaims

extension Match.Fragment {
  /// Reads a URL with a fragment as a claim link; `nil` for one without.
  init(_ link: String?) {
    guard let link else {
      self = .none
      return
    }
    if let claim = try? UnverifiedClaimLink(link).verify() {
      self = .claim(claim)
    } else {
      self = .unverified
    }
  }
}
