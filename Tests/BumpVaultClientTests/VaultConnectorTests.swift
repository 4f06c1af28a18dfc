import Testing

@testable import BumpVaultClient

@Suite struct VaultConnectorTests {
  @Test func `the wait for a vault is said where a person would notice it, and not after the task is cancelled`()
    async
  {
    #expect(VaultConnector.reports(.milliseconds(400)) && !VaultConnector.reports(.milliseconds(200)))
    let cancelled = Task {
      while !Task.isCancelled { await Task.yield() }
      return VaultConnector.reports(.seconds(2))
    }
    cancelled.cancel()
    #expect(await !cancelled.value)
  }
}
