import Glibc
import Lab
import Testing

@Suite(.live) struct SendersTests {
  @Test func `of two senders a receiver takes one claim`() async throws {
    try await withTwoHosts { left, right, _ in
      let (alice, carol) = (try BumpCommand("alice", on: left), try BumpCommand("carol", on: left))
      let bob = try BumpCommand("bob", on: right)
      let senders = [
        try await alice.start("send", "--amount", "1.00", "--json"),
        try await carol.start("send", "--amount", "2.00", "--json"),
      ]
      for sender in senders { try await sender.event("advertising") }
      let received = try await bob.run("receive", "--json")
      #expect(received.status == 0, "\(received)")
      let winner = try received.result.string("amount") == "1.00" ? 0 : 1
      let delivering = try await senders[winner].finish()
      senders[1 - winner].signal(SIGINT)
      let sent = [delivering, try await senders[1 - winner].finish()]
      #expect(sent.map(\.status) == [0, 130], "\(sent)")
      let delivered = try #require(sent.first { $0.status == 0 })
      #expect(try delivered.result.string("claimId") == received.result.string("claimId"))
      #expect(try await bob.history().count == 1)
    }
  }

  @Test func `of two senders a receiver finds the one it names`() async throws {
    try await withTwoHosts { left, right, _ in
      let (alice, carol) = (try BumpCommand("alice", on: left), try BumpCommand("carol", on: left))
      let bob = try BumpCommand("bob", on: right)
      let other = try await alice.start("send", "--amount", "1.00", "--json")
      let named = try await carol.start("send", "--amount", "2.00", "--json")
      for sender in [other, named] { try await sender.event("advertising") }
      let received = try await bob.run("receive", "--from", "carol")
      #expect(received.standardOutput.hasPrefix("2.00 USDC from \"carol\" ("), "\(received)")
      #expect(try await named.finish().status == 0)
      other.signal(SIGINT)
      #expect(try await other.finish().status == 130)
    }
  }

  /// What is left where a sender was.
  enum Remains: CaseIterable {
    /// The host refuses the connection.
    case refusal
    /// The host is gone: nothing answers.
    case silence
    /// Something accepts the connection and says nothing.
    case listener
  }

  @Test(arguments: Remains.allCases)
  func `a stale advertisement does not keep a receiver from a live sender`(remains: Remains) async throws {
    try await withHosts(["left", "right", "ghost"]) { hosts in
      let (left, right, ghost) = (hosts[0], hosts[1], hosts[2])
      _ = try await Link.join(left, right)
      _ = try await Link.join(ghost, right, number: 1)
      try await ghost.start(.avahi)
      for host in [left, right] { try await host.start(.needed) }
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))

      _ = try await ghost.spawn(["avahi-publish", "--service", "ghost-0123456789abcdef", "_irl-bump._tcp", "4444"])
      // A daemon has what it heard when the receiver begins. Who is a stack of their own must have heard it themselves.
      var early: RunningProcess?
      switch Backend.current {
      case .daemon:
        let browser = try await right.spawn(["avahi-browse", "--resolve", "--parsable", "_irl-bump._tcp"])
        try await browser.line { $0.hasPrefix("=") && $0.contains("ghost") }
      case .embedded:
        early = try await bob.start("receive", "--json")
        try await early?.event("found")
      }
      // Killed, the daemon says no goodbye: the others believe in its service until it expires.
      try await ghost.killAvahi(SIGKILL)
      try await leave(remains, on: ghost)

      let receiving = if let early { early } else { try await bob.start("receive", "--json") }
      let found = try await receiving.event("found")
      #expect(found.string("name")?.hasPrefix("ghost") == true, "\(found)")
      let sent = try await alice.run("send", "--amount", "1.00")
      #expect(sent.status == 0, "\(sent)")
      let received = try await receiving.finish()
      #expect(received.status == 0, "\(received)")
    }
  }

  private func leave(_ remains: Remains, on ghost: Host) async throws {
    switch remains {
    case .refusal: break
    case .silence:
      try await ghost.shell(
        """
        nft add table inet lab
        nft add chain inet lab input '{ type filter hook input priority 0; policy drop; }'
        """)
    case .listener:
      let script = """
        import socket
        listener = socket.create_server(("::", 4444), family=socket.AF_INET6, dualstack_ipv6=True)
        print("ready", flush=True)
        input()
        """
      try await ghost.spawn(["python3", "-c", script]).line { $0 == "ready" }
    }
  }
}
