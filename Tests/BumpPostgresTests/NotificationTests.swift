import Lab
import Testing

@testable import BumpPostgres

extension PostgresTests {
  @Suite struct NotificationTests {
    private static let notify = PostgresStatement("notify", .text, .text, sql: "SELECT pg_notify($1, $2)")
    private static let burst = PostgresStatement(
      "burst", .text, .int8, sql: "SELECT pg_notify($1, i::text) FROM generate_series(1, $2) AS i")
    private static let end = PostgresStatement(
      "end", .text,
      sql: "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = $1")

    @Test func `what one connection sends comes to another, whatever the channel is called`() async throws {
      let configuration = try await PostgresCluster.shared().configuration
      try await withPool { pool in
        let channels = ["claims", "Ein \"K;nal\""]
        var notifications = PostgresNotifications(configuration, channels: channels).makeAsyncIterator()
        #expect(try await notifications.next() == .subscribed)
        for channel in channels {
          try await pool.run(Self.notify, .text(channel), .text("Zoë"))
          #expect(try await notifications.next() == .notification(channel: channel, payload: "Zoë"))
        }
      }
    }

    @Test func `many that come at once come in their order`() async throws {
      let configuration = try await PostgresCluster.shared().configuration
      try await withPool { pool in
        var notifications = PostgresNotifications(configuration, channels: ["many"]).makeAsyncIterator()
        #expect(try await notifications.next() == .subscribed)
        try await pool.run(Self.burst, .text("many"), .int8(5000))
        for number in 1...5000 {
          #expect(try await notifications.next() == .notification(channel: "many", payload: "\(number)"))
        }
      }
    }

    @Test func `after its connection ended it subscribes again, and says that something may be missing`() async throws {
      var configuration = try await PostgresCluster.shared().configuration
      configuration.applicationName = "listener"
      try await withPool { [configuration] pool in
        let reports = Shared<[PostgresError]>([])
        let sequence = PostgresNotifications(
          configuration, channels: ["again"], report: { error in reports.change { $0.append(error) } })
        var notifications = sequence.makeAsyncIterator()
        #expect(try await notifications.next() == .subscribed)
        // The server sends both at once, so after the first the second is on its way. It would drop what it has not sent.
        try await pool.run(Self.burst, .text("again"), .int8(2))
        #expect(try await notifications.next() == .notification(channel: "again", payload: "1"))
        try await pool.run(Self.end, .text("listener"))
        #expect(try await notifications.next() == .notification(channel: "again", payload: "2"))
        try await pool.run(Self.notify, .text("again"), .text("in between"))
        #expect(try await notifications.next() == .subscribed)
        try await pool.run(Self.notify, .text("again"), .text("after"))
        #expect(try await notifications.next() == .notification(channel: "again", payload: "after"))
        let codes = reports.change { $0.map(\.code) }
        #expect(codes == [.connectionLost])
      }
    }

    @Test func `it tries until the server is back`() async throws {
      try await PostgresCluster.with { cluster in
        let failed = Shared(0)
        let sequence = PostgresNotifications(
          cluster.configuration, channels: ["back"], chance: { 0 },
          report: { error in if error.code == .cannotConnect { failed.change { $0 += 1 } } })
        var notifications = sequence.makeAsyncIterator()
        #expect(try await notifications.next() == .subscribed)
        try await cluster.stop()
        let starting = Task {
          try await waitUntil("three attempts that fail") { failed.value >= 3 }
          try await cluster.startAgain()
        }
        #expect(try await notifications.next() == .subscribed)
        try await starting.value
      }
    }

    @Test func `where the first connection cannot be made, that is an error`() async throws {
      var configuration = try await PostgresCluster.shared().configuration
      configuration.host = "/nowhere"
      var notifications = PostgresNotifications(configuration, channels: ["none"]).makeAsyncIterator()
      let error = await #expect(throws: PostgresError.self) { try await notifications.next() }
      #expect(error?.code == .cannotConnect)
    }

    @Test func `it ends with its task`() async throws {
      let configuration = try await PostgresCluster.shared().configuration
      let isThere = AsyncStream.makeStream(of: Void.self)
      let listening = Task {
        var elements: [PostgresNotifications.Element] = []
        for try await element in PostgresNotifications(configuration, channels: ["ends"]) {
          elements.append(element)
          isThere.continuation.yield()
        }
        return elements
      }
      for await _ in isThere.stream { break }
      listening.cancel()
      #expect(try await listening.value == [.subscribed])
    }
  }
}
