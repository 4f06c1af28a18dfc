import BumpClaims
import BumpKit
import BumpText
import BumpVaultAPI
import BumpWire

/// The command to type on the other machine. It never contains a secret.
enum Counterpart {
  /// Returns the command that receives a claim from its link.
  ///
  /// - Parameters:
  ///   - key: the path of the key file that made the link's MAC. A remembered key is not named: the other machine finds
  ///     it among its own.
  ///   - vault: the vault of the claim's money, if the link does not name it.
  static func ofLink(key: String?, vault: VaultURL? = nil) -> String {
    ShellCommand.text(
      ["bump", "receive", "--link", "-"] + option("--key", key) + option("--vault", vault?.description))
  }

  /// Returns the command that connects to a sender that is not advertised.
  ///
  /// It names no code, which the other machine asks for, and no remembered key, which the other machine finds by
  /// itself: the name of this sender there is not known here.
  ///
  /// - Parameters:
  ///   - key: the path of the key file; `nil` for no key file.
  ///   - name: the name under which to remember this end; `nil` not to remember it.
  ///   - saving: whether the receiver must save a card or a link.
  static func ofListener(at endpoint: String, key: String?, remembering name: DisplayName?, saving: Bool = false)
    -> String
  {
    ShellCommand.text(
      ["bump", "receive", "--peer", endpoint] + option("--key", key) + option("--remember", name?.text)
        + option("--save", saving ? "." : nil))
  }

  static func option(_ name: String, _ value: String?) -> [String] {
    value.map { ShellCommand.option(name, $0) } ?? []
  }
}
