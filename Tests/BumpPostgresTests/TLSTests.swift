import Lab
import Testing

@testable import BumpPostgres

extension PostgresTests {
  /// The client over TCP and TLS.
  @Suite struct TLSTests {
    private static let encryption = PostgresStatement(
      "encryption", sql: "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
    private static let notify = PostgresStatement("notify", .text, .text, sql: "SELECT pg_notify($1, $2)")
    private static let mirror = PostgresStatement("mirror", .bytea, sql: "SELECT $1 AS value")

    @Test func `where the certificate names the host, and its authority is trusted, everything goes over TLS`()
      async throws
    {
      try await PostgresCluster.with(hasTLS: true) { cluster in
        let configuration = try cluster.encrypted
        let pool = PostgresPool(configuration, size: 2, waitLimit: .hang)
        #expect(try await pool.run(Self.encryption)[0].decode("ssl", as: Bool.self))
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 251 ^ $0) }
        #expect(try await pool.run(Self.mirror, .bytea(bytes))[0].decode("value", as: [UInt8].self) == bytes)

        var notifications = PostgresNotifications(configuration, channels: ["tls"]).makeAsyncIterator()
        #expect(try await notifications.next() == .subscribed)
        try await pool.run(Self.notify, .text("tls"), .text("said"))
        #expect(try await notifications.next() == .notification(channel: "tls", payload: "said"))

        let sleeping = Task { try await pool.run(Statements.sleep, .text("over TLS")) }
        try await pool.findsWaiting("pg_sleep(600)")
        sleeping.cancel()
        _ = try await failure(UnknownOutcome.self) { _ = try await sleeping.value }
        try await pool.findsNobodyWaiting("pg_sleep(600)")
        await pool.close()
      }
    }

    @Test func `a server that cannot show a certificate for its host, by an authority that is trusted, is not used`()
      async throws
    {
      try await PostgresCluster.with(hasTLS: true) { cluster in
        let (right, tls) = (try cluster.encrypted, try #require(cluster.tls))
        var (strange, unnamed, nowhere, plain) = (right, right, right, right)
        strange.rootCertificate = tls.stranger
        unnamed.host = tls.unnamed
        nowhere.rootCertificate = "/nowhere/root.crt"
        plain.tls = .disable
        for (configuration, reason) in [
          (strange, "certificate verify failed"), (unnamed, "does not match host name \"\(tls.unnamed)\""),
          (nowhere, "root certificate file \"/nowhere/root.crt\" does not exist"),
          // That is the server's word: it takes nothing else than TLS.
          (plain, "no encryption"),
        ] {
          let error = try await failure(PostgresError.self) { _ = try await PostgresConnection.open(configuration) }
          #expect(error.code == .cannotConnect && error.description.contains(reason), "\(error)")
        }
        // `require` encrypts, and asks for no more.
        for configuration in [strange, unnamed] {
          var configuration = configuration
          (configuration.tls, configuration.rootCertificate) = (.require, nil)
          let connection = try await PostgresConnection.open(configuration)
          #expect(try await connection.run(Self.encryption, [])[0].decode("ssl", as: Bool.self))
        }
        // A server without TLS, or somebody in between who says so.
        try await cluster.inside("echo 'ssl = off' >>'\(cluster.data)/postgresql.conf'")
        try await cluster.stop()
        try await cluster.startAgain()
        for tls in [PostgresConfiguration.TLS.verifyFull, .require] {
          var configuration = right
          configuration.tls = tls
          let error = try await failure(PostgresError.self) { [configuration] in
            _ = try await PostgresConnection.open(configuration)
          }
          #expect(error.description.contains("server does not support SSL, but SSL was required"), "\(error)")
        }
      }
    }
  }
}

extension PostgresCluster {
  /// Over TCP, with a check of the server's certificate.
  fileprivate var encrypted: PostgresConfiguration {
    get throws {
      let tls = try #require(tls)
      var encrypted = configuration
      (encrypted.host, encrypted.tls, encrypted.rootCertificate) = (tls.address, .verifyFull, tls.certificate)
      return encrypted
    }
  }
}
