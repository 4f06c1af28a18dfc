#if Vault
  import BumpText
  import Foundation

  /// The URL of a chain's node: `https://`, or `http://` on this machine. Its path often contains the key of an account at
  /// the node's operator, so only the host is shown.
  struct NodeURL: Hashable, Sendable {
    /// The URL as it was given.
    let text: String
    /// The host, and its port if the URL names one.
    let shown: String

    /// - Returns: `nil` for anything else, such as a URL with a user name, a password or a fragment.
    init?(_ text: String) {
      guard
        text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let url = URLComponents(string: text),
        let host = url.host, !host.isEmpty, url.user == nil, url.password == nil, url.fragment == nil
      else { return nil }
      let address = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
      switch url.scheme?.lowercased() {
      case "https": break
      case "http" where LoopbackHost.contains(address): break
      default: return nil
      }
      (self.text, shown) = (text, url.port.map { "\(host):\($0)" } ?? host)
    }

    /// What a URL must be, for messages.
    static let rule = "https://, or http:// on this machine, such as http://127.0.0.1:8545"
  }
#endif
