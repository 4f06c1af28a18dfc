import BumpVault
import BumpVaultSQLite
import Samples
import Testing
import VaultContract

/// What the audit finds of a hand in the file.
@Suite struct TamperTests {
  @Test(arguments: [
    "UPDATE balances SET balance = balance + 1 WHERE balance > 0", "DELETE FROM balances WHERE balance > 0",
    "UPDATE tokens SET minted = minted + 1",
    // Money out of nothing, on both sides.
    "UPDATE tokens SET minted = minted + 1; UPDATE balances SET balance = balance + 1 WHERE account = (SELECT min(account) FROM balances)",
    // One's money to another, which leaves every sum as it was.
    "UPDATE balances SET account = randomblob(20) WHERE balance > 0",
    "UPDATE journal SET amount = amount + 1 WHERE kind = 1", "UPDATE journal SET time = time + 1 WHERE number = 2",
    "UPDATE journal SET hash = randomblob(32) WHERE number = 2",
    "UPDATE journal SET evidence = zeroblob(65) WHERE kind = 3",
    "UPDATE journal SET receiver = randomblob(20) WHERE kind = 3", "DELETE FROM journal WHERE number = 1",
    "DELETE FROM journal WHERE kind = 3", "UPDATE journal SET batch = NULL WHERE number = 1",
    "UPDATE journal SET batch = 1 WHERE batch IS NULL", "UPDATE batches SET hash = randomblob(32)",
    "UPDATE batches SET time = time + 1", "UPDATE batches SET previous = randomblob(32)",
    "UPDATE claims SET amount = amount + 1 WHERE status = 'pending'",
    "UPDATE claims SET secretHash = randomblob(32) WHERE status = 'claimed'",
    "UPDATE claims SET receiver = randomblob(20) WHERE status = 'claimed'",
    "UPDATE claims SET expiry = expiry + 60", "UPDATE claims SET sender = randomblob(20)",
    "DELETE FROM claims WHERE status = 'pending'", "DELETE FROM claims WHERE status = 'claimed'",
    """
    UPDATE claims SET status = 'claimed', receiver = sender, settlementHash = depositHash, settledAt = depositedAt
    WHERE status = 'pending'
    """,
    "UPDATE senders SET pending = pending + 1", "UPDATE vaults SET address = randomblob(20)",
  ])
  func `the audit finds what was changed by hand`(sql: String) async throws {
    let place = try TemporaryDirectory()
    let scene = try await Scene(StoreMaker { _, _ in try await place.open() })
    try await scene.payOneOfTwo()
    for _ in 0..<2 { try await scene.store.seal(limit: 2) }
    let expired = try scene.claim(3, lasting: 60)
    try await scene.lock(expired, from: Person(1))
    scene.clock.advance(by: 60)
    try await scene.expectSound()
    #expect(try place.tamper(sql) > 0)
    let report = try await scene.vault.audit()
    #expect(!report.isSound)
  }
}
