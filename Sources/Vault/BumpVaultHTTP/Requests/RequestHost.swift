import BumpVaultAPI

/// The host that a request is for, as its header `Host` names it (RFC 9110 §7.2).
///
/// Anybody can have a name of theirs lead to the vault's address (DNS rebinding). Their page then has the vault's answers
/// for those of its own origin. An IP address or `localhost` in a page's URL is no such name.
struct RequestHost: Hashable, Sendable {
  /// A name in lower case, or an IP address without brackets.
  let name: String
  /// The port, if the header has one.
  let port: Int?
  /// The IP address, if the host is one.
  let address: ClientAddress?

  /// Reads a name or an IPv4 address, or an IPv6 address in brackets, and perhaps a port. Returns `nil` for any other
  /// text.
  init?(_ text: String) {
    let text = text.utf8
    let end: String.Index
    if text.first == UInt8(ascii: "[") {
      guard let bracket = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      name = Self.text(text[..<bracket].dropFirst())
      address = ClientAddress(name)
      guard address != nil, name.utf8.contains(UInt8(ascii: ":")) else { return nil }
      end = text.index(after: bracket)
    } else {
      end = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
      guard end > text.startIndex, text[..<end].allSatisfy(Self.isOfName) else { return nil }
      name = Self.text(text[..<end])
      address = ClientAddress(name)
    }
    let digits = text[end...].dropFirst()
    guard text[end...].isEmpty || text[end] == UInt8(ascii: ":"), digits.count <= 5, digits.allSatisfy(Self.isDigit)
    else { return nil }
    port = Int(Self.text(digits))
  }

  private static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self).lowercased()
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: isDigit(byte)
    }
  }

  /// Whether the host is this machine, by whichever port.
  var isLoopback: Bool { name == "localhost" || address?.isLoopback == true }

  /// Returns whether the host and the port are those of a URL.
  func isAuthority(of url: VaultURL) -> Bool {
    let isHost = name == url.host || address != nil && address == ClientAddress(url.host)
    return isHost && (port ?? (url.isEncrypted ? 443 : 80)) == url.port
  }
}

extension VaultRequest {
  /// Checks that the request is for this vault: for its URL, for this machine, or for the address at which the connection
  /// arrived. A named proxy passes on the host that its client asked for, so what comes from it is for the vault's URL.
  ///
  /// - Throws: `badHost`, `misdirectedRequest`.
  func checkHost(at origin: VaultURL?, behind proxies: Proxies) throws(Problem) {
    let hosts = values("Host")
    guard hosts.count == 1, let host = RequestHost(hosts[0]) else {
      throw Problem(
        .badHost, "the request has no valid header Host, or several", remedy: "Send it once, with the host of the URL")
    }
    if let origin, host.isAuthority(of: origin) { return }
    let isProxied = proxies.ranges.contains { $0.contains(peer) }
    guard !isProxied, host.isLoopback || host.address != nil && host.address == local else {
      throw Problem(
        .misdirectedRequest, "this vault is not to be found at the host that the request names",
        remedy: "Use the vault's own URL, which its operator names with bump-vault serve --public-url")
    }
  }
}
