package import BumpWallet

/// The reason why a call was not carried, or why that is not known. Errors are equal if their codes are.
package struct DirectFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure. With each but the last two nothing was sent.
  package enum Code: Hashable, Sendable {
    /// The node gives no answer that can be used.
    case node
    /// The node's chain has something else than is pinned: another id, other code, another domain. Or nothing is pinned.
    case mismatch
    /// The contract holds nothing for the claim's terms.
    case notLocked
    /// The claim has expired, or its sender has the amount again.
    case expired
    /// The claim has not expired by the chain's clock.
    case notExpired
    /// The claim was claimed, and by no transaction that is known here.
    case claimed
    /// The contract, or its token, refuses the call.
    case refused
    /// The gas costs more than the cap, or is more than such a call takes.
    case tooDear
    /// Another transaction of the wallet waits for a block.
    case waiting
    /// The wallet has too few coins.
    case poor
    /// The command was interrupted.
    case interrupted
    /// No byte of the transaction was sent.
    case notSent
    /// The transaction was reverted, and has cost its gas.
    case reverted
    /// The transaction may have been carried out, or may be yet.
    case perhapsSent
  }

  /// The kind of failure, the only part that `==` compares.
  package let code: Code
  /// What failed, for a person. A node's or a contract's own words are escaped.
  package let reason: String
  /// What to try, as a sentence; `nil` if the reason says it, or nothing helps.
  package let remedy: String?
  /// The transaction, with `reverted` and `perhapsSent`.
  package let transaction: Bytes32?

  init(_ code: Code, _ reason: String, remedy: String? = nil, transaction: Bytes32? = nil) {
    (self.code, self.reason, self.remedy, self.transaction) = (code, reason, remedy, transaction)
  }

  /// The reason, followed by the remedy as its own sentence.
  package var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  package static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
