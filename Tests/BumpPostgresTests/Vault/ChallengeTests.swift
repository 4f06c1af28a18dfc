import Glibc
import Testing

@testable import BumpVaultPostgres

extension PostgresTests.Vault {
  @Test func `a challenge is used once, at whichever store, until it is forgotten`() async throws {
    try await VaultDatabase.with { database in
      let (one, other) = (try await database.open(), try await database.open())
      // The clock of this machine is the database's.
      let (past, future) = (Int64(time(nil)), Int64(time(nil)) + 3600)
      #expect(try await one.useChallenge("a", until: past))
      #expect(try await !one.useChallenge("a", until: past))
      #expect(try await !other.useChallenge("a", until: past))
      #expect(try await other.useChallenge("b", until: future))
      try await one.removeChallenges()
      #expect(try await !one.useChallenge("b", until: future))
      #expect(try await other.useChallenge("a", until: past))
    }
  }
}
