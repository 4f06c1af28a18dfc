import Glibc
import Lab
import Testing

/// `bump receive --keep`.
@Suite(.live) struct KeepTests {
  @Test func `claims of several senders are received, one after the other and at once, until Ctrl-C`() async throws {
    try await withHost { host in
      let bob = try BumpCommand("bob", on: host)
      let receiving = try await bob.start("receive", "--keep", "--json", "--show-secret")
      try await receiving.event("browsing")
      for name in ["alice", "bert"] {
        #expect(try await BumpCommand(name, on: host).run("send", "--amount", "1.00").status == 0)
      }
      let (carol, dora) = (try BumpCommand("carol", on: host), try BumpCommand("dora", on: host))
      async let third = carol.run("send", "--amount", "2.00")
      async let fourth = dora.run("send", "--amount", "2.00")
      #expect(try await [third.status, fourth.status] == [0, 0])
      receiving.signal(SIGINT)
      let received = try await receiving.finish()
      #expect(received.status == 0, "\(received)")
      let claims = try received.events.filter { $0.string("event") == "received" }
      #expect(Set(claims.map { $0.string("from") }) == ["alice", "bert", "carol", "dora"], "\(received)")
      #expect(claims.allSatisfy { $0.number("status") == 0 && $0.string("secret") != nil })
      #expect(try received.result.number("received") == 4 && received.result.string("outcome") == "ended")
      #expect(try await bob.history().count == 4)
    }
  }

  @Test func `a no, a sender's too, ends nothing`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let receiving = try await bob.start("receive", "--keep", "--json", streams: .terminalButOutput)
      let first = try await alice.start("send", "--amount", "1.00")
      try await receiving.text("? [y/n]", on: .error)
      receiving.type("n\n")
      #expect(try await receiving.event("failed").string("outcome") == "declined")
      try await receiving.text("Declined. Waiting for another sender.", on: .error)
      first.signal(SIGINT)
      _ = try await first.finish()
      let said = receiving.standardError.bytes.count
      let second = try await alice.start(
        "send", "--amount", "3.00", "--verify", streams: .terminalButOutput)
      try await receiving.confirmDigits(after: said)
      #expect(receiving.standardError.text.contains(#""alice" offers 3.00 USDC"#))
      try await second.text("[y/n]", on: .error)
      second.type("n\n")
      try await receiving.text("The sender declined. Waiting for another.", on: .error)
      second.signal(SIGINT)
      #expect(try await second.finish().status == 130)
      let asked = receiving.standardError.bytes.count
      let third = try await BumpCommand("bert", on: host).start("send", "--amount", "2.00")
      try await receiving.confirmDigits(after: asked)
      #expect(receiving.standardError.text.contains(#""bert" offers 2.00 USDC"#))
      #expect(try await third.finish().status == 0)
      try await receiving.event("received")
      receiving.type(InterruptTests.controlC)
      let received = try await receiving.finish()
      #expect(received.status == 0, "\(received)")
      #expect(try received.result.number("received") == 1)
      #expect(try await bob.history().count == 1)
    }
  }

  @Test func `a sender is told its place in the queue of a till, and the till who waits`() async throws {
    try await withHost { host in
      let (alice, bob, carol) = (
        try BumpCommand("alice", on: host), try BumpCommand("bob", on: host), try BumpCommand("carol", on: host)
      )
      let receiving = try await host.spawn(
        [BumpCommand.binary, "receive", "--keep", "--json", "--decide", "--discovery", Backend.current.rawValue],
        environment: bob.environment)
      let first = try await alice.start("send", "--amount", "1.00")
      try await receiving.event("question")
      let second = try await carol.start("send", "--amount", "2.00", "--json")
      #expect(try await second.event("inQueue").number("place") == 1)
      try await second.text("is busy. You are next in its queue.", on: .error)
      let waiting = try await receiving.event("queued")
      #expect(waiting.string("name")?.hasPrefix("carol-") == true && waiting.number("waiting") == 1, "\(waiting)")
      receiving.type("y 1\n")
      try await receiving.line { $0.contains("\"question\":2") }
      receiving.type("y 2\n")
      let (sent, waited) = (try await first.finish(), try await second.finish())
      #expect(sent.status == 0 && waited.status == 0, "\(sent)\n\(waited)")
      #expect(try waited.events.contains { $0.string("event") == "outOfQueue" })
      receiving.signal(SIGINT)
      let received = try await receiving.finish()
      #expect(received.status == 0, "\(received)")
      #expect(
        received.lines.contains { $0.contains("\"unqueued\"") && $0.contains("\"hasTurn\":true") }, "\(received)")
    }
  }

  @Test func `people read a line for each claim, and how many there were`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let receiving = try await bob.start("receive", "--keep")
      for amount in ["1.00", "2.00"] {
        #expect(try await alice.run("send", "--amount", amount).status == 0)
        try await receiving.line { $0.hasPrefix("\(amount) USDC from \"alice\" (") }
      }
      receiving.signal(SIGTERM)
      let received = try await receiving.finish()
      #expect(received.status == 0 && received.lines.count == 2, "\(received)")
      #expect(received.standardError.contains("2 claims were received."), "\(received)")
    }
  }

  @Test func `a store that fails ends it, and the result has the claims of before`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let receiving = try await bob.start("receive", "--keep", "--json")
      #expect(try await alice.run("send", "1.00").status == 0)
      try await receiving.event("received")
      try await host.shell("rm /run/home/bob/bump.sqlite")
      let sending = try await alice.start("send", "2.00")
      let received = try await receiving.finish()
      sending.signal(SIGINT)
      #expect(try await sending.finish().status != 0)
      #expect(received.status == 1, "\(received)")
      #expect(try received.result.string("outcome") == "failed" && received.result.number("received") == 1)
      #expect(try received.events.count { $0.string("event") == "result" } == 1, "\(received)")
    }
  }

  @Test func `a store that cannot be opened ends it with a result that counts no claim`() async throws {
    try await withHost(daemons: .none) { host in
      let received = try await BumpCommand("bob", on: host).run("receive", "--keep", "--json", "--store", "/nowhere/x")
      #expect(try received.status == 1 && received.result.number("received") == 0, "\(received)")
    }
  }

  @Test func `a daemon that goes away ends it with one clear error`() async throws {
    try await withHost { host in
      let receiving = try await BumpCommand("bob", on: host).start(
        "receive", "--keep", "--discovery", "daemon", "--json")
      try await receiving.event("browsing")
      try await host.killAvahi(SIGTERM)
      let received = try await receiving.finish()
      #expect(received.status == 3 && received.standardError.contains("avahi-daemon"), "\(received)")
      #expect(try received.result.string("outcome") == "nobody" && received.result.number("received") == 0)
    }
  }

  @Test func `a program that does not hear of money is sent no more of it`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let script = "\(BumpCommand.binary) receive --keep >/dev/full"
      let receiving = try await host.spawn(["sh", "-c", script], environment: bob.environment)
      try await receiving.text("until Ctrl-C", on: .error)
      #expect(try await alice.run("send", "--amount", "1.00").status == 0)
      let received = try await receiving.finish()
      #expect(received.status == 1 && received.standardError.contains("bump history"), "\(received)")
      #expect(try await bob.history().count == 1)
    }
  }
}
