import BumpText
import BumpWire

/// Arguments as an error may repeat them: a link, which may have a secret, a code and a private key are only named.
package enum ArgumentText {
  /// Returns whether a text is meant as a link, whole or not.
  package static func isLikeLink(_ text: String) -> Bool { text.contains("#") || text.contains("://") }

  /// Returns whether a word is meant as a person's name: letters alone, and fewer than a secret or a key has.
  package static func isLikeName(_ word: String) -> Bool {
    (1...16).contains(word.count) && word.allSatisfy(\.isLetter)
  }

  /// Returns an argument as an error may repeat it.
  package static func repeatable(_ word: String) -> String {
    if isLikeLink(word) { return "(a link)" }
    if (try? OneTimeCode(word)) != nil { return "(a code)" }
    // A private key of Nostr (NIP-19), whole or not, alone or as a URI (NIP-21).
    if ["nsec1", "nostr:nsec1"].contains(where: word.lowercased().hasPrefix) { return "(a private key)" }
    return VisibleText.of(word)
  }
}
