public import BumpClaims

/// What a URL leads to.
public enum Route: Sendable, Equatable {
  /// An experience takes it.
  case match(Match)
  /// Host and path are those of an experience, and a captured value is not valid.
  case broken(Experience, of: Product, CaptureRule.Reason)
  /// No experience takes it.
  case none(Mismatch)

  /// Why no experience takes a URL.
  public enum Mismatch: String, Sendable {
    /// It has more than 2,048 bytes.
    case length
    /// It has a character that RFC 3986 does not have, or a second `#`.
    case character
    /// Two hex digits do not follow a `%`.
    case percent
    /// It does not begin with `https://`.
    case scheme
    /// It names a user.
    case user
    /// It names a port other than 443.
    case port
    /// No experience has its host.
    case host
    /// A segment of its path is empty, `.` or `..`, holds a `/` or a control character, or is not UTF-8.
    case segment
    /// No experience on its host has such a path.
    case path
  }
}

/// A URL that an experience takes, and what is captured of it.
public struct Match: Sendable, Equatable {
  /// The fragment of an experience whose URLs are claim links.
  public enum Fragment: Sendable, Equatable {
    /// There is none, or it means nothing here.
    case none
    /// It belongs to a whole claim link. It holds the claim's secret.
    case claim(VerifiedClaim)
    /// It is not a claim link's, or the link is garbled, or was made with a key.
    case unverified
  }

  /// The product.
  public let product: Product
  /// The experience.
  public let experience: Experience
  /// The captured values by their names. None of them is secret.
  public let captured: [String: String]
  /// What the fragment is.
  public let fragment: Fragment

  /// What is shown of it, from captured values alone: a line is left out where one of its values is absent.
  public var preview: [String] {
    var values = captured
    if case .claim(let claim) = fragment {
      values["amount"] = claim.claim.amount.description
      values["token"] = claim.claim.token.description
    }
    return experience.preview.compactMap { $0.filled(values) }
  }
}
