/// The address of a relay: `wss://host[:port][/path]`, or `ws://`, without TLS.
///
/// Events are signed, so what is shown is the author's either way. Without TLS, others see whose profile is requested.
public struct RelayURL: Hashable, Sendable, CustomStringConvertible {
  /// Whether the scheme is `wss`.
  public let isSecure: Bool
  /// The host in lower case; for an IPv6 address, without the brackets.
  public let host: String
  /// The port: the given one, or 443 for `wss` and 80 for `ws`.
  public let port: Int
  /// The path and the query, at least `/`.
  public let path: String

  /// The greatest length of a URL in bytes.
  static let limit = 512

  /// Reads a URL; `nil` for anything else: a text with a user or a fragment, with characters that no URL has, or of
  /// more than 512 bytes.
  public init?(_ text: String) {
    let allowed = { (byte: UInt8) in (0x21...0x7E).contains(byte) && !##""#<>@\^`{|}"##.utf8.contains(byte) }
    guard text.utf8.count <= Self.limit, text.utf8.allSatisfy(allowed), let scheme = text.firstRange(of: "://") else {
      return nil
    }
    switch text[..<scheme.lowerBound].lowercased() {
    case "wss": isSecure = true
    case "ws": isSecure = false
    default: return nil
    }
    let rest = text[scheme.upperBound...]
    let start = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    let path = String(rest[start...])
    self.path = path.hasPrefix("/") ? path : "/" + path
    let authority = rest[..<start]
    let end: Substring.Index
    if authority.hasPrefix("["), let bracket = authority.firstIndex(of: "]") {
      host = authority[..<bracket].dropFirst().lowercased()
      end = authority.index(after: bracket)
      guard host.utf8.allSatisfy({ "0123456789abcdef:.".utf8.contains($0) }) else { return nil }
    } else {
      end = authority.firstIndex(of: ":") ?? authority.endIndex
      host = authority[..<end].lowercased()
      guard host.utf8.allSatisfy({ "0123456789abcdefghijklmnopqrstuvwxyz-._".utf8.contains($0) }) else { return nil }
    }
    let digits = authority[end...]
    guard !host.isEmpty, digits.isEmpty || digits.hasPrefix(":") else { return nil }
    guard digits.count > 1 else {
      port = isSecure ? 443 : 80
      return
    }
    let number = digits.dropFirst()
    guard number.utf8.count <= 5, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(number),
      (1...65535).contains(port)
    else { return nil }
    self.port = port
  }

  public var description: String {
    "\(isSecure ? "wss" : "ws")://\(authority)\(path == "/" ? "" : path)"
  }

  /// The host, and the port unless it is the scheme's default: the header field Host (RFC 9110 §7.2).
  public var authority: String {
    let host = host.contains(":") ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? host : "\(host):\(port)"
  }
}
