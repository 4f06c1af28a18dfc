import BumpClaims
import BumpKit
import BumpTerminal
import BumpText

/// The note below a QR code, where it stays in view: who may have the claim, in one line of 80 columns.
enum LinkNote {
  /// Returns the note for a claim that was sent to no receiver.
  ///
  /// - Parameter options: those that keep the mode of the last send.
  static func ofNobodys(_ id: ClaimID, again options: [String] = []) -> String {
    "Not delivered. This link is the money. Retry: \(ShellCommand.text(["bump", "send", "--again"] + options)) "
      + shortened(id)
  }

  /// Returns the note for a claim that was sent to no receiver, since others are sending too. What is said above the QR
  /// code has scrolled away.
  static func ofNobodys(besides seen: OtherSenders.Seen) -> String? {
    OtherSenders.subject(seen, columns: 6).map { subject in
      (seen.senders.count > 1 ? "" : "This link is the money. ") + "\(subject) sending too. One of you: bump receive"
    }
  }

  /// The note for a simulated claim.
  static let ofASimulation = "Simulated: this link is worth nothing."

  /// Returns the note for a claim that was sent to no receiver, if the link's MAC is made with a key.
  ///
  /// - Parameter name: the remembered name of the key; `nil` for a key file.
  static func of(_ id: ClaimID, forHolderOf name: DisplayName?) -> String {
    let whose = name.map { QuotedName.of($0.text, columns: 14) } ?? "key holders"
    // If BUMP_KEY_FILE is set, that link would need the key too.
    let clear = Environment.value("BUMP_KEY_FILE") == nil ? "" : "BUMP_KEY_FILE= "
    return "Show this only to \(whose). A link for anybody: \(clear)bump link \(shortened(id))"
  }

  /// Returns the note for a claim that was sent to a receiver that may have it.
  ///
  /// - Parameter seconds: how long the receiver may still take the claim, before it can be settled; `nil` if the store
  ///   cannot be read.
  static func of(_ id: ClaimID, mayBeWith peer: DisplayName, for seconds: Int64? = 0) -> String {
    // The name is truncated to leave room for the rest of the line.
    let name = QuotedName.of(peer.text, columns: 9)
    return "Show this only to \(name), and ask first. \(moment(in: seconds)): bump settle \(shortened(id))"
  }

  /// Returns when a claim may be settled, as the beginning of a sentence.
  ///
  /// - Parameter seconds: how long the claim's receiver may still take it; `nil` if that is not known.
  static func moment(in seconds: Int64?) -> String {
    guard let seconds else { return "Later" }
    return seconds > 0 ? "In \(seconds) s" : "Then"
  }

  /// Returns the beginning of an id, unique among billions of claims.
  private static func shortened(_ id: ClaimID) -> String { String(id.description.prefix(6)) }
}
