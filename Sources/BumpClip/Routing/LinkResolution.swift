/// The way of a short link to the link that it stands for, by redirects. It holds no socket: a driver asks, and it decides.
///
/// Only hosts of the link's own product are asked. A link of another experience of that product ends the way, and is not
/// asked for itself.
public struct LinkResolution: Sendable {
  /// Redirects, at most.
  public static let limit = 5

  public enum Step: Sendable, Equatable {
    /// The driver asks for this URL, once, and follows no redirect itself.
    case ask(String)
    case resolved(String, Match)
    case failed(Failure)
  }

  /// Why a link leads nowhere.
  public enum Failure: String, Error, Sendable {
    /// The answer is no redirect.
    case noRedirect = "no-redirect"
    /// It leads to a host that is none of the product's, or to no valid link. That host is not asked.
    case elsewhere
    /// It goes on for more than five redirects.
    case tooLong = "too-long"
  }

  private let router: Router
  private let start: Match
  private var count = 0

  /// - Parameter link: a URL that an experience takes, but of which the product's app is left nothing.
  /// - Returns: `nil` for any other: it stands for itself.
  public init?(of link: String, in router: Router) {
    guard case .match(let match) = router.route(link), match.isShort else { return nil }
    (self.router, start) = (router, match)
  }

  public var product: Product { start.product }

  /// Decides what follows the answer to the last question.
  ///
  /// - Parameters:
  ///   - status: of HTTP.
  ///   - location: where it leads, as an absolute URL; `nil` for none.
  public mutating func answered(status: Int, location: String?) -> Step {
    guard [301, 302, 303, 307, 308].contains(status), let location else { return .failed(.noRedirect) }
    guard case .match(let match) = router.route(location), match.product == start.product else {
      return .failed(.elsewhere)
    }
    guard match.isShort else { return .resolved(location, match) }
    count += 1
    // What was followed and the last one that was not.
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
