/// The cookies of a browser.
public enum SignInCookie: String, Sendable {
  /// The flow that began in this browser.
  case flow = "bump-flow"
  /// The session.
  case session = "bump-session"

  /// How the browser reaches the server, which decides about a cookie's name and attributes.
  public enum Transport: Sendable {
    /// TLS. The name has the prefix `__Host-`, so that a browser takes the cookie over TLS alone, from this host alone,
    /// and sends it to no other (RFC 6265bis §4.1.3.2). Another host of the same site can therefore plant none: neither a
    /// flow nor a session can be fixed.
    case tls
    /// HTTP on the server's own machine. A browser may take neither `Secure` nor, without it, the prefix there: Safari does
    /// not. Other programs of this machine that serve pages can plant such a cookie, so no server with TLS reads it.
    case loopback
  }

  /// Returns the cookie's name.
  public func name(over transport: Transport) -> String {
    switch transport {
    case .tls: "__Host-\(rawValue)"
    case .loopback: rawValue
    }
  }

  /// Returns the value of the header `Set-Cookie`.
  ///
  /// - Parameter lifetime: in seconds.
  public func setting(_ token: SignInToken, for lifetime: Int64, over transport: Transport) -> String {
    setting(token.cookieValue, max(0, lifetime), transport)
  }

  /// Returns the value of the header `Set-Cookie` that removes the cookie.
  public func removal(over transport: Transport) -> String { setting("", 0, transport) }

  private func setting(_ value: String, _ lifetime: Int64, _ transport: Transport) -> String {
    let secure = transport == .tls ? "; Secure" : ""
    return "\(name(over: transport))=\(value); Path=/\(secure); HttpOnly; SameSite=Strict; Max-Age=\(lifetime)"
  }

  /// Returns the cookie's token from the values of the headers `Cookie`. Returns `nil` if there is none, or more than one:
  /// nobody says which of them the server has set.
  public func token(in headers: [String], over transport: Transport) -> SignInToken? {
    let name = name(over: transport)
    let pairs: [Substring] = headers.flatMap { header in header.split(separator: ";").map { $0.drop { $0 == " " } } }
    let values = pairs.filter { $0.hasPrefix("\(name)=") }.map { $0.dropFirst(name.count + 1) }
    return values.count == 1 ? SignInToken(values[0]) : nil
  }
}
