/// Who asks, as far as the connection and the proxies that the configuration names can tell.
struct Client: Hashable, Sendable {
  let address: ClientAddress
  /// Whether nobody between the client and the vault can read: TLS up to the vault or its proxy, or this machine alone.
  let isSecure: Bool
  /// Whether the request never left this machine.
  let isLocal: Bool
}

/// The proxies in front of the vault, and what they are believed.
public struct Proxies: Hashable, Sendable {
  /// The header in which a proxy says for whom it asks. There is one: a proxy that writes the one lets a client write the
  /// other.
  public enum Header: String, Hashable, Sendable, CaseIterable {
    /// RFC 7239.
    case forwarded = "Forwarded"
    /// With `X-Forwarded-Proto`.
    case xForwardedFor = "X-Forwarded-For"
  }

  private let ranges: [AddressRange]
  private let header: Header

  public init(_ ranges: [AddressRange] = [], header: Header = .xForwardedFor) {
    (self.ranges, self.header) = (ranges, header)
  }

  /// Headers that only a proxy writes. With one of them a request from this machine was passed on by a proxy that the
  /// configuration does not name, so it may have come from anywhere.
  private static let signs = [
    "Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Via",
  ]

  /// The client of a request. Headers of a peer that is no proxy say nothing.
  func client(of request: VaultRequest) -> Client {
    guard ranges.contains(where: { $0.contains(request.peer) }) else {
      let isLocal = request.peer.isLoopback && Self.signs.allSatisfy { request.values($0).isEmpty }
      return Client(address: request.peer, isSecure: request.isTLS || isLocal, isLocal: isLocal)
    }
    let hops = header == .forwarded ? forwarded(request) : listed(request)
    // From the last one, which the proxy wrote, to the first that is no proxy of ours: what stands before it, anybody may
    // have written.
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

  /// `X-Forwarded-For`, each hop with the protocol that the last proxy says.
  private func listed(_ request: VaultRequest) -> [Hop] {
    let isTLS = Self.list(request.values("X-Forwarded-Proto")).last?.lowercased() == "https"
    return Self.list(request.values("X-Forwarded-For")).map { Hop(address: Self.node($0), isTLS: isTLS) }
  }

  /// `Forwarded: for=192.0.2.1;proto=https, for="[2001:db8::1]:4711"` (RFC 7239 §4).
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

  /// An address with or without a port; an IPv6 address may stand in brackets (RFC 7239 §6).
  private static func node(_ text: String) -> ClientAddress? {
    if let match = text.wholeMatch(of: /\[([0-9a-fA-F:.]+)\](:[0-9]{1,5})?/) { return ClientAddress(match.1) }
    if let match = text.wholeMatch(of: /([0-9.]+):[0-9]{1,5}/) { return ClientAddress(match.1) }
    return ClientAddress(text)
  }
}
