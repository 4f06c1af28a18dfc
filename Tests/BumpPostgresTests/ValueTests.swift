import BumpPostgres
import Testing

extension PostgresTests {
  @Suite struct ValueTests {
    private static let texts = PostgresStatement("texts", .text, sql: "SELECT $1 AS value")
    private static let numbers = PostgresStatement("numbers", .int8, sql: "SELECT $1 AS value, $1::text AS text")
    private static let bytes = PostgresStatement("bytes", .bytea, sql: "SELECT $1 AS value, length($1)::int8 AS length")
    private static let bools = PostgresStatement("bools", .bool, sql: "SELECT $1 AS value, NOT $1 AS other")
    private static let times = PostgresStatement(
      "times", .timestamptz, sql: "SELECT $1 AS value, ($1 AT TIME ZONE 'UTC')::text AS text")

    @Test(arguments: [Int64.min, -1, 0, 1, 255, 256, 1 << 32, .max])
    func `an integer is the same after the way there and back`(number: Int64) async throws {
      try await withPool { pool in
        let row = try await pool.run(Self.numbers, .int8(number))[0]
        #expect(try row.decode("value") == number)
        #expect(try row.decode("text") == String(number))
      }
    }

    @Test(arguments: ["", "a", "Zoë 🦀", "'; DROP TABLE claims; --", "\\x00"])
    func `a text is the same after the way there and back`(text: String) async throws {
      try await withPool { pool in
        let row = try await pool.run(Self.texts, .text(text))[0]
        #expect(try row.decode("value") == text)
      }
    }

    @Test func `bytes are the same after the way there and back, all of them and none`() async throws {
      try await withPool { pool in
        for bytes in [[], [0], Array(0...255), [UInt8](repeating: 0, count: 3_000_000)] as [[UInt8]] {
          let row = try await pool.run(Self.bytes, .bytea(bytes))[0]
          #expect(try row.decode("value") == bytes)
          #expect(try row.decode("length") == Int64(bytes.count))
        }
      }
    }

    @Test(arguments: [true, false]) func `a Bool is the same after the way there and back`(bool: Bool) async throws {
      try await withPool { pool in
        let row = try await pool.run(Self.bools, .bool(bool))[0]
        #expect(try row.decode("value") == bool)
        #expect(try row.decode("other") != bool)
      }
    }

    @Test func `a time is the same after the way there and back, and the server reads it as we do`() async throws {
      let times = [
        (PostgresTimestamp(unixSeconds: 0), "1970-01-01 00:00:00"),
        (PostgresTimestamp(unixSeconds: -1, microseconds: 999_999), "1969-12-31 23:59:59.999999"),
        (PostgresTimestamp(unixSeconds: 1_763_784_000), "2025-11-22 04:00:00"),
        // The first and the last that PostgreSQL has.
        (PostgresTimestamp(microsecondsSince2000: -211_813_488_000_000_000), "4714-11-24 00:00:00 BC"),
        (PostgresTimestamp(microsecondsSince2000: 9_223_371_331_199_999_999), "294276-12-31 23:59:59.999999"),
        (.infinity, "infinity"), (.minusInfinity, "-infinity"),
      ]
      try await withPool { pool in
        for (time, text) in times {
          let time = try #require(time)
          let row = try await pool.run(Self.times, .timestamptz(time))[0]
          #expect(try row.decode("value") == time)
          #expect(try row.decode("text") == text)
        }
      }
    }

    @Test func `seconds are rounded down, and what does not fit is none`() {
      #expect(PostgresTimestamp(unixSeconds: -1, microseconds: 999_999)?.unixSeconds == -1)
      #expect(PostgresTimestamp(unixSeconds: 946_684_799, microseconds: 1)?.unixSeconds == 946_684_799)
      #expect(PostgresTimestamp(unixSeconds: .max) == nil)
      #expect(PostgresTimestamp(unixSeconds: .min) == nil)
      #expect(PostgresTimestamp.minusInfinity < PostgresTimestamp.infinity)
    }

    private static let arrays = PostgresStatement(
      "arrays", .texts, .int8s, .byteas,
      sql: """
        SELECT text, number, bytes, cardinality($1)::int8 AS count
        FROM (VALUES (1)) AS one LEFT JOIN unnest($1, $2, $3) AS rows (text, number, bytes) ON true
        """)

    @Test func `the server reads arrays as we do, with the elements in their order, and empty ones`() async throws {
      try await withPool { pool in
        let texts = ["", "Zoë 🦀", "{NULL,\"a\"}", "\\"]
        let numbers = [Int64.min, -1, 0, .max]
        let bytes = [[], [0], Array(0...255), [UInt8](repeating: 0xff, count: 100_000)] as [[UInt8]]
        let rows = try await pool.run(Self.arrays, .texts(texts), .int8s(numbers), .byteas(bytes))
        #expect(try rows.map { try $0.decode("text") } == texts)
        #expect(try rows.map { try $0.decode("number") } == numbers)
        #expect(try rows.map { try $0.decode("bytes") } == bytes)
        let none = try await pool.run(Self.arrays, .texts([]), .int8s([]), .byteas([]))
        #expect(try none.map { try $0.decode("count", as: Int64.self) } == [0])
        #expect(try none[0].decodeIfPresent("text", as: String.self) == nil)
      }
    }

    @Test func `NULL goes there and back in every type, and is not empty`() async throws {
      try await withPool { pool in
        for statement in [Self.texts, Self.numbers, Self.bytes, Self.bools, Self.times] {
          let row = try await pool.run(statement, .null)[0]
          #expect(try row.decodeIfPresent("value", as: String.self) == nil)
        }
        let row = try await pool.run(Self.texts, .text(""))[0]
        #expect(try row.decodeIfPresent("value") == "")
        let null = try await pool.run(Self.texts, .null)[0]
        let error = #expect(throws: PostgresError.self) { try null.decode("value", as: String.self) }
        #expect(error?.reason == "the column value is NULL")
      }
    }

    @Test func `a column that is missing or of another type is named`() async throws {
      let numeric = PostgresStatement("numeric", sql: "SELECT 1.5::numeric AS amount, 2::int2 AS two, 3 AS three")
      try await withPool { pool in
        let row = try await pool.run(numeric)[0]
        #expect(try row.decode("two") == 2 as Int64)
        #expect(try row.decode("three") == 3 as Int64)
        let missing = #expect(throws: PostgresError.self) { try row.decode("none", as: Int64.self) }
        #expect(missing?.reason == "the answer has no column none")
        let other = #expect(throws: PostgresError.self) { try row.decode("amount", as: Int64.self) }
        #expect(other?.remedy == "Cast it in the statement")
      }
    }

    @Test func `a big value goes there and comes back whole`() async throws {
      try await withPool { pool in
        let text = String(repeating: "x", count: 20_000_000)
        let row = try await pool.run(Self.texts, .text(text))[0]
        // Not within #expect, which would print it.
        let isEqual = try row.decode("value") == text
        #expect(isEqual)
      }
    }

    @Test func `a big answer comes whole`() async throws {
      let many = PostgresStatement(
        "many", .int8, sql: "SELECT i, repeat('x', 1000) AS text FROM generate_series(1, $1) AS i")
      try await withPool { pool in
        let rows = try await pool.run(many, .int8(30_000))
        #expect(rows.count == 30_000 && rows.affected == 30_000)
        let sum = try rows.reduce(0) { try $0 + $1.decode("i", as: Int64.self) }
        #expect(sum == 30_000 * 30_001 / 2)
        #expect(try rows.last?.decode("text") == String(repeating: "x", count: 1000))
      }
    }
  }
}
