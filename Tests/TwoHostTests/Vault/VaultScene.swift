#if Vault
  import FoundationEssentials
  import Lab
  import Testing

  /// A sender, a receiver and a vault on three hosts at one switch: the vault is at the switch itself.
  ///
  /// Each starts some twenty processes. A client gives a vault 15 seconds in all, so a suite has one scene at a time.
  struct VaultScene: Sendable {
    enum Mode: String, CaseIterable, Sendable { case open, code, key }

    private(set) var alice: BumpCommand
    private(set) var bob: BumpCommand
    let vault: VaultHost
    let switchHost: Host

    /// Gives a test the three. Both people have a wallet, and have confirmed the vault; alice has 3.00.
    static func with(
      _ front: VaultHost.Front, _ body: @Sendable (VaultScene) async throws -> Void
    ) async throws {
      try await withHosts(["switch", "left", "right"]) { hosts in
        let network = try await Switch(at: hosts[0])
        try await network.join(hosts[1], number: 1, .ipv4)
        try await network.join(hosts[2], number: 2, .ipv4)
        try await hosts[0].shell("ip address add \(VaultHost.address)/24 dev bridge")
        async let left: Void = hosts[1].start(.needed)
        async let right: Void = hosts[2].start(.needed)
        async let vault = VaultHost.start(on: hosts[0], front)
        let (_, _, started) = try await (left, right, vault)
        var scene = VaultScene(
          alice: try BumpCommand("alice", on: hosts[1]), bob: try BumpCommand("bob", on: hosts[2]), vault: started,
          switchHost: hosts[0])
        scene.alice.environment["SSL_CERT_FILE"] = started.certificate
        scene.bob.environment["SSL_CERT_FILE"] = started.certificate
        try await started.mint("3.00", to: try await wallet(of: scene.alice))
        _ = try await wallet(of: scene.bob)
        try await body(scene)
        try await started.audit()
      }
    }

    /// Makes a wallet, confirms the vault, and returns the wallet's address.
    private static func wallet(of person: BumpCommand) async throws -> String {
      let made = try await person.run("wallet", "new")
      let trusted = try await person.run("wallet", "trust", VaultHost.url, "--yes")
      try #require(made.status == 0 && trusted.status == 0, "\(made)\n\(trusted)")
      return String(made.standardOutput.dropLast())
    }

    /// Starts a send of 1.00 whose money is locked first.
    func send(_ more: [String] = []) async throws -> RunningProcess {
      try await alice.start(["send", "1.00", "--vault", VaultHost.url, "--json"] + more)
    }

    /// Receives what is sent in a mode, and returns the claim's id.
    func receive(_ mode: Mode = .open, from sending: RunningProcess) async throws -> String {
      let received = try await received(mode, from: sending)
      #expect(received.status == 0, "\(received)\n\(sending)")
      return try #require(try received.result.string("claimId"))
    }

    /// Receives what is sent in a mode. The sender is found when its money is locked, for which it has 15 seconds.
    func received(_ mode: Mode = .open, from sending: RunningProcess, _ more: [String] = []) async throws
      -> ProcessResult
    {
      var options: [String] = []
      switch mode {
      case .open: break
      case .code: options = ["--code", try #require(try await sending.event("code").string("code"))]
      case .key: options = ["--key", "/run/key"]
      }
      return try await bob.start(["receive", "--json", "--discovery-timeout", "60"] + options + more).finish()
    }

    func claim(_ id: String) async throws -> ProcessResult {
      try await bob.run("claim", id, "--vault", VaultHost.url, "--json")
    }

    func balance(_ person: BumpCommand) async throws -> String {
      let shown = try await person.run("wallet", "balance", "--vault", VaultHost.url)
      try #require(shown.status == 0, "\(shown)")
      return shown.standardOutput.replacing("\n", with: "")
    }

    /// Expects how much each has, and so that nothing was paid twice.
    func expectBalances(
      _ sender: String, _ receiver: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let balances = (try await balance(alice), try await balance(bob))
      #expect(balances == (sender, receiver), sourceLocation: sourceLocation)
    }

    /// A person whose clock is ahead.
    static func later(_ person: BumpCommand, _ clock: [String: String]) -> BumpCommand {
      var person = person
      person.environment.merge(clock) { $1 }
      return person
    }
  }

  extension BumpCommand {
    /// The newest claim of its store.
    func newest() async throws -> JSONObject { try #require(try await history().first) }
  }
#endif
