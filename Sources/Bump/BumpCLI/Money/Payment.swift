import BumpClaims
import BumpKit
import BumpTerminal
import BumpWallet

/// A payment to the receiver that asked for it.
struct Payment: Sendable {
  let receipt: Receipt
  /// Whether it was made now, for this request. Otherwise it was made before, for another one.
  let isNew: Bool

  var status: ExitStatus { isNew ? .success : .alreadyPaid }

  /// The outcome for programs.
  var outcome: String { isNew ? "claimed" : "alreadyPaid" }

  /// The result for people.
  func message(_ token: Token) -> String {
    let (what, end) = ("\(receipt.amount) \(token) to \(receipt.receiver)", "(transaction \(receipt.transaction))")
    return isNew
      ? "Claimed \(what) \(end)."
      : "Already paid: \(what) at \(UTCTime.text(receipt.time)) \(end). Nothing was paid now."
  }
}
