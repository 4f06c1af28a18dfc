/// Resolves a short link by redirects. It holds no socket: a driver sends the requests, and this decides on the next.
///
/// Only hosts of the short link's own product are asked. A link that has the value to hand over ends the resolution,
/// and is not asked for itself.
public struct LinkResolution: Sendable {
  /// The greatest number of redirects.
  public static let limit = 5

  /// What the driver does next.
  public enum Step: Sendable, Equatable {
    /// The driver requests this URL once, and follows no redirect itself.
    case ask(String)
    /// This URL is taken by the same product, with the value that it hands over. It is not requested.
    case resolved(String, Match)
    /// The short link leads nowhere.
    case failed(Failure)
  }

  /// Why a short link cannot be resolved.
  public enum Failure: String, Error, Sendable {
    /// The answer is not a redirect.
    case noRedirect = "no-redirect"
    /// The redirect leads to another product's host, an unknown one, or a URL that is not valid. That host is not
    /// asked.
    case elsewhere
    /// The link needs more than five redirects.
    case tooLong = "too-long"
  }

  private let router: Router
  private let start: Match
  private var count = 0

  /// Starts with a short link.
  ///
  /// - Parameter link: a URL that an experience takes, but that does not have the value which the product hands over.
  /// - Returns: `nil` for any other URL: it needs no resolution.
  public init?(of link: String, in router: Router) {
    guard case .match(let match) = router.route(link), match.isShort else { return nil }
    (self.router, start) = (router, match)
  }

  /// The product of the short link.
  public var product: Product { start.product }

  /// Decides on the next step, after the answer to the last request.
  ///
  /// - Parameters:
  ///   - status: the HTTP status.
  ///   - location: the target of the redirect, as an absolute URL; `nil` if there is none.
  public mutating func answered(status: Int, location: String?) -> Step {
    guard [301, 302, 303, 307, 308].contains(status), let location else { return .failed(.noRedirect) }
    guard case .match(let match) = router.route(location), match.product == start.product else {
      return .failed(.elsewhere)
    }
    guard match.isShort else { return .resolved(location, match) }
    count += 1
    // The redirects that were followed, and this one, which would be the next.
    return count < Self.limit ? .ask(location) : .failed(.tooLong)
  }
}

extension Match {
  /// Whether the product hands over a value that this URL does not have, though another of its experiences may.
  var isShort: Bool {
    guard case .value(_, let name) = product.handover else { return false }
    return captured[name] == nil
  }
}
