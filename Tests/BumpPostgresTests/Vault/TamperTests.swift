import BumpVault
import Testing
import VaultContract

extension PostgresTests.Vault {
  /// What the audit finds of a hand in the database.
  @Suite struct TamperTests {
    @Test(arguments: [
      "UPDATE balances SET balance = balance + 1 WHERE balance > 0", "DELETE FROM balances WHERE balance > 0",
      "UPDATE tokens SET minted = minted + 1",
      // Money out of nothing, on both sides.
      """
      UPDATE tokens SET minted = minted + 1;
      UPDATE balances SET balance = balance + 1 WHERE account = (SELECT account FROM balances LIMIT 1)
      """,
      // One's money to another, which leaves every sum as it was.
      "UPDATE balances SET account = substr(sha256(account), 1, 20) WHERE balance > 0",
      """
      UPDATE balances SET balance = balance
        + CASE account WHEN (SELECT account FROM balances ORDER BY balance LIMIT 1) THEN 1 ELSE -1 END
      WHERE account IN (
        (SELECT account FROM balances ORDER BY balance LIMIT 1), (SELECT account FROM balances ORDER BY balance DESC LIMIT 1))
      """,
      "UPDATE journal SET amount = amount + 1 WHERE kind = 1", "UPDATE journal SET time = time + 1 WHERE kind = 2",
      "UPDATE journal SET hash = sha256(hash) WHERE kind = 1", "UPDATE journal SET hash = sha256(hash) WHERE kind = 2",
      "UPDATE journal SET evidence = evidence || '\\x00' WHERE kind = 3",
      "UPDATE journal SET receiver = substr(hash, 1, 20) WHERE kind = 3", "DELETE FROM journal WHERE kind = 1",
      "DELETE FROM journal WHERE kind = 3", "DELETE FROM unsealed",
      "INSERT INTO unsealed SELECT min(number) FROM journal",
      "UPDATE batches SET hash = sha256(hash) WHERE number = 1", "UPDATE batches SET time = time + 1 WHERE number = 1",
      "UPDATE batches SET previous = sha256(previous) WHERE number = 2",
      "UPDATE batches SET entries = substr(entries, 33) WHERE number = 1", "DELETE FROM batches WHERE number = 2",
      "UPDATE claims SET amount = amount + 1 WHERE status = 'pending'",
      "UPDATE claims SET secret_hash = sha256(secret_hash) WHERE status = 'claimed'",
      "UPDATE claims SET receiver = substr(secret_hash, 1, 20) WHERE status = 'claimed'",
      "UPDATE claims SET expiry = expiry + 60", "UPDATE claims SET sender = substr(secret_hash, 1, 20)",
      "DELETE FROM claims WHERE status = 'pending'", "DELETE FROM claims WHERE status = 'claimed'",
      """
      UPDATE claims SET status = 'claimed', receiver = sender, settlement_hash = deposit_hash, settled_at = deposited_at
      WHERE status = 'pending'
      """,
      "UPDATE senders SET pending = pending + 1", "UPDATE vaults SET address = substr(sha256(address), 1, 20)",
    ])
    func `the audit finds what was changed by hand`(sql: String) async throws {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker(size: 1))
        try await scene.payOneOfTwo()
        for _ in 0..<2 { try await scene.store.seal(limit: 2) }
        try await scene.lock(scene.claim(3), from: Person(1))
        try await scene.expectSound()
        try await database.tamper("SET search_path = bump_vault; \(sql)")
        let report = try await scene.vault.audit()
        #expect(!report.isSound)
      }
    }
  }
}
