#if Vault
  import FoundationEssentials
  import Glibc
  import Lab
  import Testing

  /// What a claim's life leaves at its vault and on the way there.
  @Suite(.live, .serialized) struct VaultTraceTests {
    @Test func `a vault's files, logs and connections say no secret of a claim that was claimed, and of one refunded`()
      async throws
    {
      try await VaultScene.with(.proxy) { scene in
        // Behind the proxy all is readable; on the switch it is encrypted.
        let captures = [
          try await capture("lo", "tcp port \(VaultHost.innerPort)", on: scene.switchHost),
          try await capture("bridge", "", on: scene.switchHost),
        ]
        let sending = try await scene.send(["--until-claimed"])
        let claimed = try await scene.receive(from: sending)
        #expect(try await scene.claim(claimed).status == 0)
        #expect(try await sending.finish().status == 0)
        let shown = try await scene.alice.run("send", "1.00", "--vault", VaultHost.url, "--link-only", "--json")
        let refunded = try #require(try shown.result.string("claimId"))
        #expect(try await scene.alice.run("refund", refunded).status == 1)
        // The files while it is used, with what is not in the database yet; and afterwards.
        var places = try files(of: scene.vault)
        try await scene.vault.end(SIGTERM)
        let clock = try setClock(by: 25 * 60)
        try await scene.vault.start(clock: clock)
        let alice = VaultScene.later(scene.alice, clock)
        let refund = try await alice.run("refund", refunded)
        #expect(refund.status == 0, "\(refund)")
        #expect(try await scene.balance(alice) == "2.00 USDC")
        try await scene.vault.end(SIGTERM)
        places += try files(of: scene.vault)
        places.append(("logs", Data(scene.vault.logs.utf8)))

        // A capture is whole when the last packet of all is in it.
        try await scene.switchHost.shell(
          """
          timeout 5 bash -c 'exec 3<>/dev/tcp/127.0.0.1/\(VaultHost.innerPort)' || true
          """)
        for capture in captures {
          capture.signal(SIGTERM)
          let finished = try await capture.finish()
          #expect(finished.status == 0)
          places.append((capture.command.joined(separator: " "), Data(capture.standardOutput.bytes)))
        }
        try expectNoSecrets(
          [try await secret(scene.alice, claimed), try await secret(scene.alice, refunded)], in: places,
          of: [claimed, refunded])
      }
    }

    private func capture(_ interface: String, _ filter: String, on host: Host) async throws -> RunningProcess {
      let capture = try await host.spawn(
        ["tcpdump", "-i", interface, "--immediate-mode", "-U", "-s", "0", "-w", "-"] + (filter.isEmpty ? [] : [filter]))
      try await capture.line(on: .error) { $0.contains("listening on") }
      return capture
    }

    private func secret(_ person: BumpCommand, _ id: String) async throws -> Data {
      let base64 = try #require(try await person.secret(of: id))
      return try #require(Data(base64Encoded: base64))
    }

    /// All files of the store: the database with its log, and what lies beside it.
    private func files(of vault: VaultHost) throws -> [(String, Data)] {
      let folder = vault.host.path(VaultHost.folder)
      return try FileManager.default.contentsOfDirectory(atPath: folder).map { name in
        (name, try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
      }
    }

    /// - Parameter ids: what must be found, so that a search which finds nothing has looked at the right bytes.
    private func expectNoSecrets(_ secrets: [Data], in places: [(String, Data)], of ids: [String]) throws {
      let hidden = secrets.flatMap { spellings(of: $0) }
      for (name, data) in places {
        for spelling in hidden { #expect(!data.holds(spelling), "\(name)") }
      }
      for id in ids {
        for place in ["vault.sqlite", " lo "] {
          #expect(
            places.contains { $0.0.contains(place) && $0.1.holds(Array(id.utf8)) }, "\(id) is in \(place)")
        }
      }
      for name in ["vault.sqlite-wal", "logs", " bridge "] {
        #expect(places.contains { $0.0.contains(name) && !$0.1.isEmpty }, "\(name)")
      }
    }
  }
#endif
