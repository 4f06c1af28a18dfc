package import BumpClaims
package import BumpWallet

/// The vault's statement that it made test money: the EIP-712 message `Mint(bytes32 id,address token,uint256
/// amount,address receiver)` in the vault's domain. Its signature by the key of the vault's address is the evidence of
/// the mint's entry in the journal.
package struct MintStatement: TypedData, Hashable, Sendable {
  let id: Bytes32
  let token: Address
  let amount: Amount
  let receiver: Address
  package let domain: Domain

  package init(_ id: Bytes32, _ amount: Amount, of token: Address, to receiver: Address, domain: Domain) {
    (self.id, self.token, self.amount, self.receiver, self.domain) = (id, token, amount, receiver, domain)
  }

  init(_ entry: JournalEntry, domain: Domain) {
    self.init(entry.ledgerID, entry.amount, of: entry.token, to: entry.to, domain: domain)
  }

  package static let typeHash = Keccak256.hash("Mint(bytes32 id,address token,uint256 amount,address receiver)".utf8)

  package var words: [Bytes32] {
    [id, .word(token), .word(UInt64(amount.baseUnits)), .word(receiver)]
  }
}
