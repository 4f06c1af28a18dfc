import BumpPostgres

extension PostgresVaultStore {
  /// Notes that a proof-of-work challenge is used, for all servers of the vault.
  ///
  /// - Parameter expires: from when on nobody asks for it any more, in seconds since 1970.
  /// - Returns: whether it was not used before.
  /// - Throws: `VaultStoreError`.
  public func useChallenge(_ digest: String, until expires: Int64) async throws -> Bool {
    try await ended { try await $0.pool.run(Self.useChallenge, .text(digest), .int8(expires)).affected == 1 }
  }

  /// Forgets the challenges that have expired by the database's clock: a server whose own clock is ahead would forget some
  /// that can still be used.
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
