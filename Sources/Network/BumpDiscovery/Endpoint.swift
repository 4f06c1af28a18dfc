public import NIOCore

/// An address or host name with a port, to connect to.
public enum Endpoint: Hashable, Sendable, CustomStringConvertible {
  /// An IP address and a port. A link-local address of IPv6 has its interface as the scope.
  case address(SocketAddress)
  /// A host name that is not resolved yet, and a port.
  case host(String, port: UInt16)

  /// Reads `HOST:PORT`: `192.0.2.1:4000`, `[2001:db8::1]:4000`, `[fe80::1%eth0]:4000`, `alice.example:4000`.
  /// The port is 1 to 65535. `nil` for anything else.
  public init?(_ text: String) {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard digits.allSatisfy(\.isNumber), let port = UInt16(digits), port > 0 else { return nil }
    let host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      guard let address = try? SocketAddress(ipAddress: String(host.dropFirst().dropLast()), port: Int(port)) else {
        return nil
      }
      self = .address(address)
    } else {
      guard !host.isEmpty, !host.contains(where: { ":[]%/".contains($0) }) else { return nil }
      if let address = try? SocketAddress(ipAddress: String(host), port: Int(port)) {
        self = .address(address)
      } else {
        self = .host(String(host), port: port)
      }
    }
  }

  /// The host alone, as an endpoint whose port is 0. A link-local address keeps its interface.
  package var host: Endpoint {
    switch self {
    case .address(var address):
      address.port = 0
      return .address(address)
    case .host(let name, _):
      return .host(name, port: 0)
    }
  }

  public var description: String {
    switch self {
    case .address(let address): address.text
    case .host(let host, let port): "\(host):\(port)"
    }
  }
}
