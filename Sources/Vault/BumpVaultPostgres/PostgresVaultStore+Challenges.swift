import BumpPostgres

extension PostgresVaultStore {
  /// Records that a proof-of-work challenge is used, for all servers of the vault.
  ///
  /// - Parameter expires: when the challenge expires, in seconds since 1970.
  /// - Returns: whether this is the challenge's first use.
  /// - Throws: `VaultStoreError`.
  public func useChallenge(_ digest: String, until expires: Int64) async throws -> Bool {
    try await ended { try await $0.pool.run(Self.useChallenge, .text(digest), .int8(expires)).affected == 1 }
  }

  /// Removes the challenges that have expired by the database's clock. A server whose own clock is ahead would remove
  /// some that can still be used.
  ///
  /// - Throws: `VaultStoreError`.
  public func removeChallenges() async throws {
    _ = try await ended { try await $0.pool.run(Self.removeChallenges).affected }
  }

  private static let useChallenge = PostgresStatement(
    "vault_use_challenge", .text, .int8,
    sql: "INSERT INTO bump_vault.challenges (digest, expires) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING")

  private static let removeChallenges = PostgresStatement(
    "vault_remove_challenges",
    sql: "DELETE FROM bump_vault.challenges WHERE expires <= extract(epoch FROM clock_timestamp())")
}
