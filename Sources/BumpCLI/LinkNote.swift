import BumpKit
import BumpWire

/// Who may have the claim of a link, in one line of 80 columns. It stands below the QR code: what was said above it has
/// scrolled away.
enum LinkNote {
  /// No receiver was sent the claim.
  static let ofNobodys = "No receiver has this claim: whoever takes its link first has the money."

  /// The claim was sent to a receiver that may have it.
  ///
  /// - Parameter seconds: for which the receiver may still take it, and nothing is settled.
  static func of(_ id: ClaimID, mayBeWith peer: DisplayName, for seconds: Int64 = 0) -> String {
    // The most that leaves room for the rest of the line.
    let name = QuotedName.of(peer.text, columns: 14)
    return "For \(name) alone, who may have it already. \(moment(in: seconds)): bump settle \(shortened(id))"
  }

  /// When a claim may be settled, as the beginning of a sentence.
  ///
  /// - Parameter seconds: for which its receiver may still take it.
  static func moment(in seconds: Int64) -> String { seconds > 0 ? "In \(seconds) s" : "Then" }

  /// The beginning of an id, which means one claim among billions.
  private static func shortened(_ id: ClaimID) -> String {
    let beginning = String(id.description.prefix(6))
    // Else it would be taken for an option.
    return beginning.hasPrefix("-") ? "-- \(beginning)" : beginning
  }
}
