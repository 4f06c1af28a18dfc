import BumpChannel
import BumpClaims
import BumpKit

/// The command to type on the other machine. It never contains a secret.
enum Counterpart {
  /// Returns the command that receives a claim from its link.
  ///
  /// - Parameter key: the path of the key file that the link's mac was made with. A remembered key is not named: the
  ///   other machine finds it among its own.
  static func ofLink(key: String?) -> String {
    ShellCommand.text(["bump", "receive", "--link", "-"] + option("--key", key))
  }

  /// Returns the command that connects to a sender that is not advertised.
  ///
  /// The other machine asks for a code, and finds a remembered key by itself: the name of the sender there is not known
  /// here.
  ///
  /// - Parameters:
  ///   - key: the path of the key file; `nil` without one.
  ///   - name: the name under which to remember this end; `nil` for not at all.
  ///   - saving: whether a card or a link is to be saved there.
  static func ofListener(at endpoint: String, key: String?, remembering name: DisplayName?, saving: Bool = false)
    -> String
  {
    ShellCommand.text(
      ["bump", "receive", "--peer", endpoint] + option("--key", key) + option("--remember", name?.text)
        + option("--save", saving ? "." : nil))
  }

  static func option(_ name: String, _ value: String?) -> [String] { value.map { [name, $0] } ?? [] }
}
