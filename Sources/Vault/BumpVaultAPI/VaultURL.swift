import BumpClaims
import BumpText
public import BumpWallet

/// The URL of a vault, such as `https://vault.example` or `http://127.0.0.1:8080`, which is its origin (RFC 6454). It has
/// one form: lower case, no path, and no port if it is the scheme's default.
///
/// `http://localhost` becomes `http://127.0.0.1`, so that a vault on this machine has one URL, and the name leads to no
/// other address. With `https` the name stays, since the certificate is for it.
public struct VaultURL: Hashable, Sendable, CustomStringConvertible {
  /// Whether the scheme is `https`.
  public let isEncrypted: Bool
  /// A name, or an IP address without brackets.
  public let host: String
  /// The port, from 1 to 65535; 443 or 80 if the URL has none.
  public let port: Int

  /// Reads a URL with a scheme, a host and perhaps a port; a slash may follow.
  ///
  /// - Returns: `nil` for anything else, such as a URL with a path or a user name.
  public init?(_ text: String) {
    let text = text.lowercased()
    guard
      let match = text.wholeMatch(
        of: /(https?):\/\/([a-z0-9](?:[a-z0-9.-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::([0-9]{1,5}))?\/?/)
    else { return nil }
    isEncrypted = match.1 == "https"
    let host = match.2.hasPrefix("[") ? String(match.2.dropFirst().dropLast()) : String(match.2)
    self.host = host == "localhost" && !isEncrypted ? "127.0.0.1" : host
    let port = match.3.map { Int($0) ?? 0 } ?? (isEncrypted ? 443 : 80)
    guard (1...65535).contains(port) else { return nil }
    self.port = port
  }

  /// Reads the vault that the base of a claim's link names, as `linkBase` writes it.
  ///
  /// - Returns: `nil` for any other base, and for the default one, at which there is no vault.
  public init?(namedByLinkBase base: String) {
    guard base != ClaimLink.defaultBase, let origin = base.wholeMatch(of: /(.*)\/claim/)?.1 else { return nil }
    self.init(String(origin))
    guard linkBase == base else { return nil }
  }

  /// The base of the links of claims whose money this vault holds: `https://vault.example/claim`, where the vault has the
  /// page that a browser opens. `nil` for a vault without TLS on another machine, which no link can name.
  public var linkBase: String? { isAuthentic ? "\(self)/claim" : nil }

  /// Returns the URL of the page on which a claim's sender sees its state; `nil` where there is no `linkBase`.
  public func sentPage(of ledgerID: Bytes32) -> String? { isAuthentic ? "\(self)/sent/\(ledgerID)" : nil }

  /// Whether the host is this machine.
  public var isLoopback: Bool { LoopbackHost.contains(host) }

  /// Whether answers are certainly the vault's, and nobody on the way can have changed them.
  public var isAuthentic: Bool { isEncrypted || isLoopback }

  private var isDefaultPort: Bool { port == (isEncrypted ? 443 : 80) }
  private var isAddress: Bool { host.contains(":") }

  /// The host, with its port unless that is the scheme's default.
  private var authority: String { (isAddress ? "[\(host)]" : host) + (isDefaultPort ? "" : ":\(port)") }

  public var description: String { "\(isEncrypted ? "https" : "http")://\(authority)" }
}
