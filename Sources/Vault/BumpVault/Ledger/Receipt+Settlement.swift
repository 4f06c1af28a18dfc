import BumpWallet

extension Receipt {
  /// Makes the receipt of a claim with these terms that was settled.
  init(_ terms: ClaimTerms, _ settlement: ClaimRecord.Settlement, domain: Domain) {
    self.init(
      ledgerID: terms.ledgerID, outcome: settlement.outcome, token: terms.token, amount: terms.amount,
      receiver: settlement.outcome == .claimed ? settlement.receiver : .zero, transaction: settlement.transaction,
      time: settlement.time, domain: domain)
  }
}

extension SignedReceipt {
  /// Signs a receipt with the vault's key.
  init(_ receipt: Receipt, by identity: VaultIdentity) {
    self.init(receipt, signature: identity.key.sign(receipt.digest))
  }
}
