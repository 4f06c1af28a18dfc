import Glibc
import Lab
import Testing

@Suite(.live) struct DeliveryTests {
  @Test func `a claim is delivered, and both stores hold it`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      async let sending = alice.run("send", "--amount", "1.00")
      let received = try await bob.run("receive")
      let sent = try await sending
      #expect(sent.status == 0, "\(sent)")
      #expect(received.status == 0, "\(received)")

      let line = try #require(received.standardOutput.wholeMatch(of: /1\.00 USDC from "alice" \(([\w-]{22})\)\n/))
      let claimID = String(line.1)
      let (given, taken) = (try await alice.history(), try await bob.history())
      #expect(given.map { $0.string("claimId") } == [claimID])
      #expect(given.map { $0.string("direction") } == ["sent"])
      #expect(given.map { $0.string("state") } == ["delivered"])
      #expect(taken.map { $0.string("claimId") } == [claimID])
      #expect(taken.map { $0.string("direction") } == ["received"])
      #expect((given + taken).map { $0.string("amount") } == ["1.00", "1.00"])
      #expect((given + taken).map { $0.string("token") } == ["USDC", "USDC"])
      #expect((given + taken).map { $0.string("secret") } == [nil, nil])
      #expect(try await alice.secret(of: claimID) == bob.secret(of: claimID))
    }
  }

  @Test func `without a network both say at once that only this machine can be met, and meet there`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let words = "There is no network, so bump reaches only this machine. `bump doctor` says why."
      let receiving = try await bob.start("receive")
      try await receiving.line(on: .error) { $0 == words }
      let sent = try await alice.run("send", "1.00")
      #expect(sent.status == 0 && sent.standardError.contains(words), "\(sent)")
      #expect(try await receiving.finish().status == 0)

      let listening = try await alice.start("send", "1.00", "--discovery", "none")
      try await listening.line(on: .error) { $0.contains("On this machine: bump receive") }
      #expect(!listening.standardError.text.contains(words))
      listening.signal(SIGINT)
      _ = try await listening.finish()
    }
  }

  @Test func `both sides tell programs what happens, in order`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "12.5", "--json")
      // A receiver that is looking already can be quicker than the word that the name stands.
      try await sending.event("advertising")
      let received = try await bob.run("receive", "--json")
      let sent = try await sending.finish()

      #expect(
        try sent.events.map { $0.string("event") }
          == ["advertising", "connected", "digits", "accepted", "sent", "stored", "result"], "\(sent)")
      #expect(
        // What is resolved is told for each address.
        try received.events.map { $0.string("event") }.filter { $0 != "resolved" }
          == ["browsing", "found", "connected", "digits", "offer", "stored", "result"], "\(received)")
      for finished in [sent, received] {
        let times = try finished.events.compactMap { $0.number("ms") }
        #expect(try times.count == finished.events.count && times == times.sorted(), "\(finished)")
        #expect(try finished.result.string("amount") == "12.50")
        #expect(try finished.result.string("token") == "USDC")
      }
      #expect(try sent.result.string("outcome") == "delivered")
      #expect(try received.result.string("outcome") == "received")
      #expect(try sent.result.string("claimId") == received.result.string("claimId"))
      #expect(try received.result.string("secret") == nil)
      #expect(try digits(of: sent) == digits(of: received))
    }
  }

  private func digits(of finished: ProcessResult) throws -> String {
    try #require(try finished.events.first { $0.string("event") == "digits" }?.string("digits"))
  }

  @Test func `without discovery a receiver goes where it is told`() async throws {
    try await withHost(daemons: .none) { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "1", "--discovery", "none", "--json")
      let port = try #require(try await sending.event("advertising").number("port"))
      let received = try await bob.run("receive", "--peer", "127.0.0.1:\(Int(port))")
      #expect(received.status == 0, "\(received)")
      let sent = try await sending.finish()
      #expect(sent.status == 0, "\(sent)")
    }
  }

  @Test func `of two receivers exactly one gets the claim`() async throws {
    try await withHost { host in
      let alice = try BumpCommand("alice", on: host)
      let receivers = [try BumpCommand("bob", on: host), try BumpCommand("carol", on: host)]
      let receiving = [try await receivers[0].start("receive"), try await receivers[1].start("receive")]
      let sent = try await alice.run("send", "--amount", "1.00")
      #expect(sent.status == 0, "\(sent)")
      let (winner, other) = try await receivers[0].history().isEmpty ? (1, 0) : (0, 1)
      #expect(try await receiving[winner].finish().status == 0)
      receiving[other].signal(SIGINT)
      #expect(try await receiving[other].finish().status == 130)
      #expect(try await receivers[winner].history().count == 1)
      #expect(try await receivers[other].history().isEmpty)
    }
  }

  @Test func `while the sender decides about one receiver, a second one does not get in between`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let carol = try BumpCommand("carol", on: host)
      let sending = try await alice.start("send", "--amount", "1.00", "--verify", streams: .terminalButOutput)
      let first = try await bob.start("receive")
      try await sending.text("[y/n]", on: .error)
      // All is quiet on the wire but for the second receiver, who says HELLO.
      let wire = try await host.watch("lo", for: "tcp[tcpflags] & tcp-push != 0 or (ip6 and tcp and ip6[53] & 8 != 0)")
      let second = try await carol.start("receive", "--json")
      try await wire.line { $0.contains("length") }
      sending.type("y\n")
      #expect(try await sending.finish().status == 0)
      #expect(try await first.finish().status == 0)
      second.signal(SIGINT)
      #expect(try await second.finish().status == 130)
      #expect(try await bob.history().count == 1)
      #expect(try await carol.history().isEmpty)
    }
  }
}
