import BumpVault
import Measures
import Testing
import VaultContract

@Suite struct ContractTests {
  @Test(arguments: StoreRule.all)
  func `the store in memory keeps the contract`(rule: StoreRule) async throws {
    try await rule.check(on: Self.make)
  }

  static let make = StoreMaker { InMemoryVaultStore($0, clock: $1) }
}

@Suite struct HistoryTests {
  @Test func `random steps lose nothing, and no receipt is untrue afterwards`() async throws {
    try await RandomHistory.run(ContractTests.make, steps: Measure.isThorough ? 10_000 : 1_000, seed: 11)
  }
}
