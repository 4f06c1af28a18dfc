import BumpText
import FoundationEssentials

/// The URL of a chain's node: `https://`, or `http://` on this machine. Its path often contains the key of an account at
/// the node's operator, so only the host is shown.
package struct NodeURL: Hashable, Sendable {
  /// The URL as it was given.
  package let text: String
  /// The host, and its port if the URL names one.
  package let shown: String

  /// - Returns: `nil` for anything else, such as a URL with a user name, a password or a fragment.
  package init?(_ text: String) {
    guard
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let url = URLComponents(string: text),
      let host = url.host, !host.isEmpty, url.user == nil, url.password == nil, url.fragment == nil
    else { return nil }
    let address = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    switch url.scheme?.lowercased() {
    case "https": break
    case "http" where LoopbackHost.contains(address): break
    default: return nil
    }
    (self.text, shown) = (text, url.port.map { "\(host):\($0)" } ?? host)
  }

  /// What a URL must be, for messages.
  package static let rule = "https://, or http:// on this machine, such as http://127.0.0.1:8545"
}
