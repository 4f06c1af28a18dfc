#if Vault
  import BumpWallet
  import Foundation
  import Lab
  import Testing

  /// A vault whose database is reached over a network.
  @Suite(.live, .serialized, .processes(2, isLong: true)) struct DatabaseTests {
    @Test
    func `a database elsewhere is spoken to over TLS, and its certificate is checked, unless the URL says otherwise`()
      async throws
    {
      try await PostgresCluster.with(settings: [:], hasTLS: true) { cluster in
        let tls = try #require(cluster.tls)
        let environment = ["PGPASSWORD": PostgresCluster.password, "HOME": "/nonexistent"]
        @Sendable func url(_ parameters: String = "") -> String {
          "postgresql://\(PostgresCluster.user)@\(tls.address)/postgres?\(parameters)"
        }
        let trusted = url("sslrootcert=\(tls.certificate)")
        let servers = [
          try await ServedVault.start(["--postgres", trusted], environment: environment),
          try await ServedVault.start(["--postgres", trusted], environment: environment),
        ]
        let claim = try ServedClaim(servers[0])
        try await claim.lock(by: wallet(1))
        try await Wire.open(servers[1].port) { wire in
          try await wire.send("GET \(claim.path)/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
          try await wire.text("event: pending\ndata: {")
          #expect(try await claim.take(to: wallet(2).address).status == 200)
          #expect(try await wire.text("event: claimed\ndata: {").text.contains("event: claimed"))
        }
        for server in servers {
          server.process.signal(SIGTERM)
          #expect(try await server.process.finish().status == 0)
        }
        @Sendable func audit(_ url: String) async throws -> ProcessResult {
          try await RunningProcess.start([ServedVault.binary, "audit", "--postgres", url], environment: environment)
            .finish()
        }
        for url in [trusted, url("sslmode=require")] {
          let finished = try await audit(url)
          #expect(finished.status == 0 && finished.standardOutput.contains("The books are in order."), "\(finished)")
        }
        for (url, reason) in [
          (url("sslrootcert=\(tls.stranger)"), "certificate verify failed"),
          (url(), "root certificate file \"/nonexistent/.postgresql/root.crt\" does not exist"),
          (url("sslmode=disable"), "no encryption"),
        ] {
          let finished = try await audit(url)
          #expect(finished.status == 1 && finished.standardError.contains(reason), "\(finished)")
          #expect(!finished.standardError.contains(PostgresCluster.password))
        }
      }
    }
  }
#endif
