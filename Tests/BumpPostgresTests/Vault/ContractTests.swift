import BumpVault
import BumpVaultPostgres
import BumpWallet
import Lab
import Testing
import VaultContract

extension PostgresTests.Vault {
  @Suite struct ContractTests {
    @Test(arguments: StoreRule.all)
    func `the store in PostgreSQL keeps the contract`(rule: StoreRule) async throws {
      try await VaultDatabase.with { try await rule.check(on: $0.maker(size: 8)) }
    }

    /// As two processes do: each store has connections of its own.
    @Test func `of a thousand who claim at two vaults on one database, one is paid`() async throws {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker())
        let other = try await BumpVault.Vault(database.open(clock: { [clock = scene.clock] in clock.now }))
        let (alice, claim) = (try Person(1), try scene.claim(1))
        try await scene.mint(1_000_000, to: alice)
        try await scene.lock(claim, from: alice)
        let answers = try await withThrowingTaskGroup(of: (receipt: SignedReceipt, isPaid: Bool).self) { group in
          for index in 0..<1000 as Range<UInt64> {
            let claimant = try Person(100 + index)
            let proof = try scene.proof(of: claim, for: claimant)
            let vault = index.isMultiple(of: 2) ? scene.vault : other
            group.addTask {
              do {
                return (try await vault.claim(claim.id, for: claimant.address, proof: proof), true)
              } catch let refusal as VaultRefusal where refusal.code == .alreadyClaimed {
                return (try #require(refusal.receipt), false)
              }
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 1000 && answers.count { $0.isPaid } == 1)
        #expect(Set(answers.map(\.receipt)).count == 1)
        try await scene.expectSound(minted: 1_000_000)
      }
    }

    /// A sender spends at two vaults at once: neither knows of the other's deposits but by the database.
    @Test func `a sender's deposits at two vaults at once stay within balance and limit`() async throws {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker(), limits: VaultLimits(pending: 7))
        let other = try await BumpVault.Vault(
          database.open(clock: { [clock = scene.clock] in clock.now }), limits: VaultLimits(pending: 7))
        let alice = try Person(1)
        try await scene.mint(50_000_000, to: alice)
        let done = try await withThrowingTaskGroup(of: Bool.self) { group in
          for number in 0..<40 as Range<UInt64> {
            let (claim, vault) = (try scene.claim(number), number.isMultiple(of: 2) ? scene.vault : other)
            let word = try scene.authorization(of: claim, from: alice)
            group.addTask {
              _ = try await vault.draft(claim.id, claim.terms)
              do {
                return try await vault.deposit(claim.id, word).status == .pending
              } catch let refusal as VaultRefusal where refusal.code == .tooManyPending {
                return false
              }
            }
          }
          return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(done == 7)
        try await scene.expectSound(minted: 50_000_000)
      }
    }
  }
}
