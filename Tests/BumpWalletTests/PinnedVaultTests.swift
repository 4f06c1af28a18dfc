import BumpClaims
import Testing

@testable import BumpWallet

@Suite struct PinnedVaultTests {
  @Test(arguments: [31337, 0x6275_6D70, 0x6275_6D71, 0x6275_6DFF])
  func `an embedded vault names a chain that is reserved for such`(chainID: UInt64) throws {
    try EmbeddedChain.check(chainID)
    _ = try PinnedVault(confirmed: description(chainID: chainID))
  }

  /// Ethereum, OP, Polygon, Base, Arbitrum, Avalanche, their test nets; and public chains above bump's range: Harmony,
  /// SKALE Europa, Palm (chain ids as registered in ethereum-lists/chains).
  @Test(
    arguments: [
      1, 10, 137, 8453, 42161, 43114, 11_155_111, 84532, 11_155_420, 1_666_600_000, 2_046_399_126, 11_297_108_109,
      0, 31336, 31338, 0x6275_6D6F, 0x6275_6E00, .max,
    ] as [UInt64])
  func `a vault that names another chain is refused, unless by one's own configuration`(chainID: UInt64) throws {
    let vault = try description(chainID: chainID)
    #expect(throws: WalletError(.chain, "")) { try EmbeddedChain.check(chainID) }
    #expect(throws: WalletError(.chain, "")) { try PinnedVault(confirmed: vault) }
    #expect(PinnedVault(configured: vault).domain.chainID == chainID)
  }

  @Test func `a vault that changes its chain, its address or a token is refused`() throws {
    let pinned = try PinnedVault(confirmed: description())
    try pinned.check(description())
    try pinned.check(description(tokens: [usdc(), usdc(token: "EURC", address: 4)]))
    let changed = [
      try description(chainID: 0x6275_6D70), try description(address: 9), try description(tokens: []),
      try description(tokens: [usdc(address: 9)]), try description(tokens: [usdc(name: "USDC")]),
      try description(tokens: [usdc(version: "1")]), try description(tokens: [usdc(token: "EURC")]),
    ]
    for vault in changed { #expect(throws: WalletError(.changedVault, "")) { try pinned.check(vault) } }
  }

  @Test func `a vault whose addresses or tokens coincide, or are zero, is refused`() throws {
    let wrong: [(UInt8, [TokenContract])] = [
      (0, [try usdc()]), (1, [try usdc(address: 0)]), (1, [try usdc(address: 1)]), (1, [try usdc(), try usdc()]),
      (1, [try usdc(), try usdc(address: 3)]), (1, [try usdc(), try usdc(token: "EURC")]),
    ]
    for (address, tokens) in wrong {
      #expect(throws: WalletError(.vault, "")) { try description(address: address, tokens: tokens) }
    }
  }

  @Test func `every domain is on the vault's chain`() throws {
    let vault = try PinnedVault(confirmed: description(chainID: 0x6275_6D70))
    let terms = try terms()
    #expect(try vault.payout(of: terms, to: address(7)).domain == vault.domain)
    let deposit = try vault.deposit(of: terms, from: address(7), validBefore: Expiry(clamping: 120))
    #expect(deposit.to == vault.vault.address && deposit.value == terms.amount && deposit.nonce == terms.ledgerID)
    #expect(vault.domain.chainID == 0x6275_6D70 && deposit.domain.chainID == 0x6275_6D70)
    #expect(vault.domain.verifyingContract == vault.vault.address && deposit.domain.verifyingContract == terms.token)
  }

  @Test func `zero, the vault and the token are paid nothing`() throws {
    let vault = try PinnedVault(confirmed: description())
    for receiver in try [Address.zero, address(1), address(2)] {
      #expect(throws: WalletError(.receiver, "")) { try vault.payout(of: terms(), to: receiver) }
    }
  }

  @Test func `nothing is signed for a token that the vault does not hold`() throws {
    let vault = try PinnedVault(confirmed: description())
    #expect(try vault.contract(of: .usdc) == address(2))
    #expect(throws: WalletError(.token, "")) { try vault.contract(of: Token("EURC")) }
    let terms = try terms(token: 3)
    #expect(throws: WalletError(.token, "")) { try vault.payout(of: terms, to: address(7)) }
    #expect(throws: WalletError(.token, "")) {
      try vault.deposit(of: terms, from: address(7), validBefore: Expiry(clamping: 120))
    }
  }

  @Test func `terms that differ in anything have another ledger id`() throws {
    let terms = [
      try self.terms(), try self.terms(hash: 1), try self.terms(token: 3), try self.terms(amount: 2),
      try self.terms(expiry: 120), try self.terms(amount: 60, expiry: 1),
    ]
    let ids = terms.map(\.ledgerID)
    #expect(Set(ids).count == ids.count)
  }

  private func address(_ number: UInt8) throws -> Address {
    try #require(Address([UInt8](repeating: 0, count: 19) + [number]))
  }

  private func usdc(
    token: String = "USDC", address number: UInt8 = 2, name: String = "USD Coin", version: String = "2"
  ) throws -> TokenContract {
    TokenContract(token: try Token(token), address: try address(number), domainName: name, domainVersion: version)
  }

  private func description(
    chainID: UInt64 = 31337, address number: UInt8 = 1, tokens: [TokenContract]? = nil
  ) throws -> VaultDescription {
    let tokens = try tokens ?? [usdc()]
    return try VaultDescription(chainID: chainID, address: address(number), tokens: tokens)
  }

  private func terms(
    hash: Int = 0, token: UInt8 = 2, amount: Int64 = 1, expiry: Int64 = 60
  ) throws -> ClaimTerms {
    ClaimTerms(
      secretHash: Seeded.digest(hash), token: try address(token), amount: try #require(Amount(baseUnits: amount)),
      expiry: Expiry(clamping: expiry))
  }
}
