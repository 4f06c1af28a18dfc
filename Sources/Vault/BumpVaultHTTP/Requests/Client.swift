import BumpVaultAPI

/// The client of a request, as far as the connection and the configured proxies show.
struct Client: Hashable, Sendable {
  let address: ClientAddress
  /// Whether nobody between the client and the vault can read: TLS up to the vault or its proxy, or no network at all.
  let isSecure: Bool
  /// Whether the request never left this machine, as far as its headers and the vault's origin show.
  let isLocal: Bool
}

/// The proxies in front of the vault, and the header that the vault reads from them.
public struct Proxies: Hashable, Sendable {
  /// The header in which a proxy names its client. Only one is read: a proxy that writes one header lets a client write
  /// the other.
  public enum Header: String, Hashable, Sendable, CaseIterable {
    /// The header of RFC 7239.
    case forwarded = "Forwarded"
    /// The header `X-Forwarded-For`, together with `X-Forwarded-Proto`.
    case xForwardedFor = "X-Forwarded-For"
  }

  let ranges: [AddressRange]
  private let header: Header

  /// Makes the list of proxies. If there are none, the other end of a connection is the client, whatever the headers
  /// say.
  public init(_ ranges: [AddressRange] = [], header: Header = .xForwardedFor) {
    (self.ranges, self.header) = (ranges, header)
  }

  /// Headers that only proxies write. If a request from this machine has one of them, it came through a proxy that the
  /// configuration does not name, so it may have come from anywhere.
  private static let signs = [
    "Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Via",
  ]

  /// Returns the client of a request. Ignores the headers of a peer that is not a proxy.
  ///
  /// - Parameter origin: the vault's origin; `nil` if it is not known. A vault that is to be found elsewhere than on
  ///   loopback has something in front of it there that may connect from this machine, and write no header.
  func client(of request: VaultRequest, at origin: VaultURL?) -> Client {
    guard ranges.contains(where: { $0.contains(request.peer) }) else {
      let isLocal =
        origin?.isLoopback == true && request.peer.isLoopback && Self.signs.allSatisfy { request.values($0).isEmpty }
      return Client(address: request.peer, isSecure: request.isTLS || isLocal, isLocal: isLocal)
    }
    let hops = header == .forwarded ? forwarded(request) : listed(request)
    // Reads from the last hop, which the proxy wrote, to the first that is not one of our proxies. Anybody may have
    // written the hops before it.
    for hop in hops.reversed() {
      guard let address = hop.address else { break }
      if !ranges.contains(where: { $0.contains(address) }) {
        return Client(address: address, isSecure: hop.isTLS, isLocal: false)
      }
    }
    return Client(address: request.peer, isSecure: false, isLocal: false)
  }

  private struct Hop {
    let address: ClientAddress?
    let isTLS: Bool
  }

  /// Reads `X-Forwarded-For`. Each hop has the protocol that the last proxy states.
  private func listed(_ request: VaultRequest) -> [Hop] {
    let isTLS = Self.list(request.values("X-Forwarded-Proto")).last?.lowercased() == "https"
    return Self.list(request.values("X-Forwarded-For")).map { Hop(address: Self.node($0), isTLS: isTLS) }
  }

  /// Reads `Forwarded: for=192.0.2.1;proto=https, for="[2001:db8::1]:4711"` (RFC 7239 §4).
  private func forwarded(_ request: VaultRequest) -> [Hop] {
    Self.list(request.values("Forwarded")).map { element in
      var parameters: [String: String] = [:]
      for pair in element.split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1).map { Self.trimmed($0) }
        guard parts.count == 2, parameters[parts[0].lowercased()] == nil else { return Hop(address: nil, isTLS: false) }
        parameters[parts[0].lowercased()] = Self.unquoted(parts[1])
      }
      return Hop(
        address: parameters["for"].flatMap(Self.node), isTLS: parameters["proto"]?.lowercased() == "https")
    }
  }

  private static func list(_ values: [String]) -> [String] {
    values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map { trimmed($0) } }
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }

  private static func unquoted(_ text: String) -> String {
    text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"") ? String(text.dropFirst().dropLast()) : text
  }

  /// Reads an address with or without a port. An IPv6 address may be in brackets (RFC 7239 §6).
  private static func node(_ text: String) -> ClientAddress? {
    if let match = text.wholeMatch(of: /\[([0-9a-fA-F:.]+)\](:[0-9]{1,5})?/) { return ClientAddress(match.1) }
    if let match = text.wholeMatch(of: /([0-9.]+):[0-9]{1,5}/) { return ClientAddress(match.1) }
    return ClientAddress(text)
  }
}
