import BumpVault
import BumpVaultSQLite
import BumpWallet
import Foundation
import Measures
import Samples
import Testing
import VaultContract

@Suite struct SQLiteContractTests {
  @Test(arguments: StoreRule.all)
  func `the store in a file keeps the contract`(rule: StoreRule) async throws {
    let place = try TemporaryDirectory()
    try await rule.check(on: .files(in: place))
  }

  /// As two processes do: each store has a connection of its own.
  @Test func `of a thousand who claim at two vaults on one file, one is paid`() async throws {
    let place = try TemporaryDirectory()
    let (clock, claims) = (SetClock(), 4)
    let scene = try await Scene(
      StoreMaker { _, _ in try await place.open(clock: clock) })
    let other = try await Vault(place.open(clock: clock))
    let alice = try Person(1)
    try await scene.mint(100_000_000, to: alice)
    for number in 0..<UInt64(claims) {
      let claim = try scene.claim(number)
      try await scene.lock(claim, from: alice)
      let paid = try await withThrowingTaskGroup(of: SignedReceipt?.self) { group in
        for index in 0..<UInt64(1000 / claims) {
          let claimant = try Person(100 + index)
          let proof = try scene.proof(of: claim, for: claimant)
          let vault = index.isMultiple(of: 2) ? scene.vault : other
          group.addTask {
            do {
              return try await vault.claim(claim.id, for: claimant.address, proof: proof)
            } catch let refusal as VaultRefusal where refusal.code == .alreadyClaimed {
              return nil
            }
          }
        }
        return try await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
      }
      #expect(paid.count == 1)
    }
    try await scene.expectSound(minted: 100_000_000)
  }
}

@Suite struct SQLiteHistoryTests {
  @Test func `random steps on a file lose nothing, and no receipt is untrue afterwards`() async throws {
    try await RandomHistory.run(
      .files(in: TemporaryDirectory.inMemory()), steps: Measure.isThorough ? 10_000 : 1_000, seed: 12)
  }
}
