/// The cookies of a browser. Both have the prefix `__Host-`, so that a browser takes them over TLS alone (or from its own
/// machine), from this host alone, and sends them to no other (RFC 6265bis §4.1.3.2). Another host of the same site can
/// therefore plant none: neither a flow nor a session can be fixed.
public enum SignInCookie: String, Sendable {
  /// The flow that began in this browser.
  case flow = "__Host-bump-flow"
  /// The session.
  case session = "__Host-bump-session"

  /// Returns the value of the header `Set-Cookie`.
  ///
  /// - Parameter lifetime: in seconds.
  public func setting(_ token: SignInToken, for lifetime: Int64) -> String {
    "\(rawValue)=\(token.cookieValue); Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=\(max(0, lifetime))"
  }

  /// The value of the header `Set-Cookie` that removes the cookie.
  public var removal: String { "\(rawValue)=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0" }

  /// Returns the cookie's token from the values of the headers `Cookie`. Returns `nil` if there is none, or more than one:
  /// nobody says which of them the server has set.
  public func token(in headers: [String]) -> SignInToken? {
    let pairs: [Substring] = headers.flatMap { header in header.split(separator: ";").map { $0.drop { $0 == " " } } }
    let values = pairs.filter { $0.hasPrefix("\(rawValue)=") }.map { $0.dropFirst(rawValue.count + 1) }
    return values.count == 1 ? SignInToken(values[0]) : nil
  }
}
