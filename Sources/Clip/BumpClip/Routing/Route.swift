public import BumpClaims
import BumpText

/// The result of routing a URL.
public enum Route: Sendable, Equatable {
  /// An experience takes the URL.
  case match(Match)
  /// Host and path are those of an experience, but a captured value is not valid.
  // Indirect, since every route would otherwise be as large as a product.
  indirect case broken(Experience, of: Product, CaptureRule.Reason)
  /// No experience takes the URL.
  case none(Mismatch)

  /// Why no experience takes a URL.
  public enum Mismatch: String, Error, Sendable {
    /// The URL has more than 2,048 bytes.
    case length
    /// The URL has a character that RFC 3986 does not allow, or a second `#`.
    case character
    /// A `%` is not followed by two hex digits.
    case percent
    /// The URL does not begin with `https://`.
    case scheme
    /// The URL names a user.
    case user
    /// The URL names a port other than 443.
    case port
    /// No experience has the URL's host.
    case host
    /// A segment of the path is empty, `.` or `..`, has a `/` or a control character, or is not UTF-8.
    case segment
    /// No experience on this host has such a path.
    case path
  }
}

/// A URL whose fragment may have a secret.
struct SecretLink: Redacted, Sendable, Equatable {
  let text: String
}

/// A URL that an experience takes, and the values captured from it.
public struct Match: Sendable, Equatable {
  /// The fragment of a URL, which matters for an experience whose URLs are claim links.
  public enum Fragment: Sendable, Equatable {
    /// The experience ignores fragments.
    case none
    /// The URL of a claim without its fragment, and so without the claim's secret. A messenger or a scanner may have
    /// cut the link.
    case missing
    /// The fragment of a complete claim link. The claim has its secret, and its id is among the captured values.
    case claim(VerifiedClaim)
    /// The fragment of a URL that is no claim link, or of a claim link that is garbled, was made with a key, or has
    /// another claim's id than the one captured.
    case unverified
  }

  let entry: RouteEntry
  let url: SecretLink

  /// The product.
  public var product: Product { entry.product }
  /// The experience.
  public var experience: Experience { entry.experience }

  /// The captured values by their names. None of them is secret. They are read each time: routing only checks them.
  public var captured: [String: String] {
    var text = url.text
    return text.withUTF8 { bytes in
      do throws(Route.Mismatch) {
        let parts = try URLParts(bytes)
        return try URLPath.with(parts.path) { entry.captured($0, query: parts.query) }
      } catch {
        preconditionFailure("the router has taken this URL")
      }
    }
  }

  /// The fragment. It is read each time: routing alone does not take the time for it.
  public var fragment: Fragment {
    guard experience.hasClaimLink else { return .none }
    guard let mark = url.text.utf8.firstIndex(of: UInt8(ascii: "#")), !url.text.utf8[mark...].dropFirst().isEmpty
    else { return .missing }
    let fragment = Fragment(of: url.text)
    // A claim link ends with the id before its `#`, and that may stand in the query.
    if case .claim(let claim) = fragment, !captured.values.contains(claim.claim.id.description) { return .unverified }
    return fragment
  }

  /// Two matches are equal if their URLs are equal as texts, and the same experience takes them.
  public static func == (one: Match, other: Match) -> Bool {
    one.url == other.url && one.product == other.product && one.experience == other.experience
  }

  /// The lines to show, made only of captured values and a claim's amount and token. A line is left out if one of its
  /// values is absent.
  public var preview: [String] {
    var values = captured
    if case .claim(let claim) = fragment {
      values["amount"] = claim.claim.amount.description
      values["token"] = claim.claim.token.description
    }
    return experience.preview.compactMap { $0.filled(values) }
  }
}
