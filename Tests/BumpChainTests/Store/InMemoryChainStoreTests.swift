import BumpChain
import ChainContract
import Testing

@Suite struct InMemoryChainStoreTests {
  @Test(arguments: ChainRule.all)
  func `a store in memory keeps the contract of a vault on a chain`(rule: ChainRule) async throws {
    let stores = SharedStore()
    try await rule.check(on: ChainStoreMaker { await stores.make($0, $1) })
  }
}
