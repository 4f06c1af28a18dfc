#if Vault
  import BumpVault
  import BumpVaultSQLite
  import BumpWallet
  import Glibc
  import Lab
  import Testing

  /// What the server does beside the requests.
  @Suite(.processes(2)) struct UpkeepTests {
    @Test func `a server that has ended leaves no entry of its journal unsealed`() async throws {
      try await ServedVault.with { served, store in
        let claim = try ServedClaim(served)
        try await claim.lock(by: wallet(1))
        #expect(try await claim.take(to: wallet(2).address).status == 200)
        served.process.signal(SIGTERM)
        #expect(try await served.process.finish().status == 0)
        let left = try await SQLiteVaultStore.open(at: store)
        #expect(try await left.seal(limit: 1) == nil)
      }
    }

    @Test func `who waits for a claim that does not change hears that the server is there`() async throws {
      try await ServedVault.with { served, _ in
        let claim = try ServedClaim(served)
        try await claim.lock(by: wallet(1))
        try await Wire.open(served.port) { wire in
          try await wire.send("GET \(claim.path)/events HTTP/1.1\r\nHost: vault\r\n\r\n")
          let heard = try await wire.text("\r\n:\n\n")
          #expect(heard.text.contains("event: pending") && heard.text.contains("\r\n:\n\n"), "\(heard)")
        }
      }
    }
  }
#endif
