package import BumpChain
package import BumpWallet

/// A transaction that was not sent, and what it may cost. Its owner agrees to it, or it is not sent.
package struct DirectOffer: Hashable, Sendable {
  /// The signed transaction.
  package let transaction: SignedTransaction
  /// The address that pays for it.
  package let payer: Address
  /// The most that its gas can cost, in wei. A rollup charges for its data besides.
  package let cost: UInt128
  /// What the payer has, in wei, says the node.
  package let balance: UInt128
}

/// How a claim ended in the contract, by a node's word. Nobody has signed it, so it is not final.
package struct DirectPayment: Hashable, Sendable {
  /// `claimed` or `refunded`.
  package let status: ClaimStatus
  /// The transaction of one's own that did it; `nil` if somebody else's refunded the claim.
  package let transaction: Bytes32?
  /// The number of that transaction's block, and what the transaction cost, in wei.
  package let block: UInt64?
  package let cost: UInt128?
  /// Whether the transaction was sent now, and not by an earlier command.
  package let isNew: Bool
}
