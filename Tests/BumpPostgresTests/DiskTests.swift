import Lab
import Testing

@testable import BumpPostgres

extension PostgresTests {
  @Suite struct DiskTests {
    @Test func `a full disk is one error with a remedy, and what was committed before stays`() async throws {
      let cluster = try await PostgresCluster.shared()
      try await cluster.inside(
        """
        mkdir /run/small
        mount -t tmpfs -o size=1m tmpfs /run/small
        chown postgres /run/small
        """)
      let fill = PostgresStatement(
        "fill", .int8, sql: "INSERT INTO big SELECT repeat('x', 4000) FROM generate_series(1, $1)")
      let count = PostgresStatement("count big", sql: "SELECT count(*) AS n FROM big")
      try await withPool(1) { pool in
        let connection = try await pool.lease()
        try await connection.run(
          script: "CREATE TABLESPACE small LOCATION '/run/small'", named: "tablespace", effect: .commits)
        await pool.giveBack(connection)
        try await pool.transaction {
          try await $0.run(
            script: """
              CREATE TABLE big (a text) TABLESPACE small;
              -- What is compressed fills no disk.
              ALTER TABLE big ALTER COLUMN a SET STORAGE PLAIN;
              """)
        }
        try await pool.run(fill, .int8(10))
        let error = try await failure(PostgresError.self) { try await pool.run(fill, .int8(1000)) }
        #expect(error.sqlState == .diskFull)
        #expect(error.remedy == "Make room on the server's disk.")
        #expect(try await pool.run(count)[0].decode("n") == 10 as Int64)
      }
    }
  }
}
