public import BumpWallet

/// A payment of a received claim to the receiver that asked for it.
public struct Payment: Hashable, Sendable {
  /// The receipt, which the vault has signed.
  public let receipt: Receipt
  /// Whether it was made now, for this request. Otherwise it was made before, for another one: do not credit it again.
  public let isNew: Bool
  /// Whether nothing can undo the payment. Otherwise a reorganization of the chain may: ask again.
  public let isFinal: Bool

  /// Makes a payment of its values. Checks nothing.
  package init(receipt: Receipt, isNew: Bool, isFinal: Bool = true) {
    (self.receipt, self.isNew, self.isFinal) = (receipt, isNew, isFinal)
  }
}
