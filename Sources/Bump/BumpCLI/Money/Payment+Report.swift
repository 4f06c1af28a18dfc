import BumpClaims
import BumpKit
import BumpTerminal
import BumpVaultClient
import BumpWallet

/// What the commands say about a payment.
extension Payment {
  var status: ExitStatus { isNew ? .success : .alreadyPaid }

  /// The outcome for programs.
  var outcome: String { isNew ? "claimed" : "alreadyPaid" }

  /// What is said of what a chain has confirmed and not made final.
  static let mayBeUndone = "It is confirmed and not final: the chain may still undo it. See: bump history"

  /// The result for people.
  func message(_ token: Token) -> String {
    let (what, end) = ("\(receipt.amount) \(token) to \(receipt.receiver)", "(transaction \(receipt.transaction))")
    let said =
      isNew
      ? "Claimed \(what) \(end)."
      : "Already paid: \(what) at \(UTCTime.text(receipt.time)) \(end). Nothing was paid now."
    return isFinal ? said : "\(said) \(Self.mayBeUndone)"
  }
}
