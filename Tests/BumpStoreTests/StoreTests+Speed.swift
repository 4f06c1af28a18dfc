import BumpClaims
import BumpWire
import GRDB
import Testing

@testable import BumpStore

extension StoreTests {
  @Suite struct Speed {
    /// Everything that a bump or a look at the history asks of the store.
    static let queries = [
      "SELECT * FROM outgoing ORDER BY createdAt DESC, rowid DESC LIMIT 20",
      "SELECT * FROM incoming ORDER BY receivedAt DESC, rowid DESC LIMIT 20",
      "SELECT * FROM outgoing ORDER BY createdAt DESC, rowid DESC LIMIT 1",
      "SELECT * FROM outgoing WHERE claimId = 'x'", "SELECT * FROM incoming WHERE claimId = 'x'",
      "SELECT * FROM incoming WHERE payloadHash = x'00'",
      "UPDATE outgoing SET state = 'released', peer = 'x', deadline = 1 WHERE claimId = 'x' AND state = 'new'",
      "UPDATE outgoing SET state = 'unknown', deadline = NULL WHERE claimId = 'x' AND state IN ('released', 'unknown')",
      ClaimStore.undecidedQuery.replacing("?", with: "1"), ClaimStore.unfinishedQuery.replacing("?", with: "1"),
      ClaimStore.expiryQuery.replacing("?", with: "1"), ClaimStore.linksQuery.replacing("?", with: "1"),
      ClaimStore.prefixQuery(.outgoing).replacing(":prefix", with: "'x'").replacing(":limit", with: "2"),
      ClaimStore.prefixQuery(.incoming).replacing(":prefix", with: "'x'").replacing(":limit", with: "2"),
    ]

    @Test(arguments: queries)
    func `no question to the store reads more of it than it answers`(query: String) async throws {
      let store = try ClaimStore.inMemory()
      let plan = try await store.read { database in
        try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + query).map { row -> String in row["detail"] }
      }
      // A whole index may be gone through in its order where a limit ends that; nothing is sorted.
      for step in plan {
        let isOrdered = step.hasPrefix("SCAN") && step.contains("USING INDEX") && query.contains("LIMIT")
        #expect(step.hasPrefix("SEARCH") || isOrdered, "\(query): \(step)")
      }
      #expect(!plan.isEmpty)
    }
  }
}
