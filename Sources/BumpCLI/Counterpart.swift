import BumpChannel
import BumpKit
import BumpWire

/// The command for the other machine, as it can be typed there. It never holds a secret.
enum Counterpart {
  /// What takes a link.
  ///
  /// - Parameter key: The path of the key file that the link's mac was made with. A key that was remembered needs no word:
  ///   the other machine finds it among those that it remembers.
  static func ofLink(key: String?) -> String { words(["bump", "receive", "--link", "-"] + option("--key", key)) }

  /// What connects to a sender that is not advertised.
  ///
  /// A code is asked for there, and a key that was remembered is found there: what the sender is called there is not known
  /// here.
  ///
  /// - Parameters:
  ///   - key: The path of the key file, where there is one.
  ///   - name: What this end is called, where it is to be remembered.
  static func ofListener(at endpoint: String, key: String?, remembering name: DisplayName?) -> String {
    words(["bump", "receive", "--peer", endpoint] + option("--key", key) + option("--remember", name?.text))
  }

  static func option(_ name: String, _ value: String?) -> [String] { value.map { [name, $0] } ?? [] }

  /// Words as a POSIX shell takes them.
  static func words(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

  private static func quoted(_ word: String) -> String {
    let isPlain = word.wholeMatch(of: /[A-Za-z0-9%+,.\/:=@_-]+/) != nil
    return isPlain ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }
}
