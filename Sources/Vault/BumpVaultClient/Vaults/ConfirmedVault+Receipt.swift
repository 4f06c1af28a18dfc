import BumpWallet

extension ConfirmedVault {
  /// Returns the receipt of a claim that is final by the vault's word: that word alone is not signed. The receipt is in
  /// the vault's answer to a refund, which anybody may ask for, and which moves nothing any more.
  ///
  /// - Returns: `nil` if the vault gives none.
  func receipt(of terms: ClaimTerms, within limit: Duration) async throws -> SignedReceipt? {
    switch try await client.run(RefundSession(terms, at: vault), within: limit) {
    case .claimed(let receipt), .refunded(let receipt): receipt
    case .tooEarly, .notLocked, .failed, .perhapsRefunded: nil
    }
  }
}
