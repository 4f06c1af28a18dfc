import SignInContract
import Testing

@Suite struct SignInContractTests {
  @Test(arguments: SignInRule.all)
  func `the store in memory keeps the contract of signing in`(rule: SignInRule) async throws {
    try await rule.check(on: .inMemory)
  }
}
