public import BumpWallet

/// The vault's answer to a receiver that it has paid.
public struct PayoutResult: Hashable, Sendable {
  /// The receipt, the same for each request of this receiver.
  public let receipt: SignedReceipt
  /// Whether this very request made the payment. One of a claim's requests is told so at the most: none if that answer
  /// was lost.
  public let isNew: Bool

  /// Makes a result of its values.
  package init(receipt: SignedReceipt, isNew: Bool) {
    (self.receipt, self.isNew) = (receipt, isNew)
  }
}
