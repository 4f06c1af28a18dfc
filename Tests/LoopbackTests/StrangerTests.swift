import Glibc
import Lab
import Testing

@Suite(.live) struct StrangerTests {
  private static let memoryLimit = 64 * 1024 * 1024

  @Test(arguments: Stranger.allCases)
  func `a stranger is shown out in time, and the receiver after it is served`(stranger: Stranger) async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "1.00", "--json")
      let port = Int(try #require(try await sending.event("advertising").number("port")))

      let visit = try await stranger.visit(host, port: port)
      let end = try await visit.line { $0.hasPrefix("closed") }.split(separator: " ")
      let (seconds, told) = (try #require(Double(end[1])), try #require(Int(end[2])))
      #expect(told >= stranger.answer)
      if [.stopsAfterConnecting, .stopsAfterHello].contains(stranger) {
        #expect(seconds > 1.9, "an honest receiver on a bad network is given its time")
      }
      #expect(try sending.peakMemory() < Self.memoryLimit)

      let received = try await bob.run("receive")
      #expect(received.status == 0, "\(received)")
      let sent = try await sending.finish()
      #expect(sent.status == 0, "\(sent)")
    }
  }

  @Test func `a receiver among strangers gets its claim`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start(
        "send", "--amount", "1.00", "--discovery-timeout", "60", "--json", "--verify", streams: .terminalButOutput)
      let port = Int(try #require(try await sending.event("advertising").number("port")))
      for stranger in Stranger.allCases { _ = try await stranger.visit(host, port: port) }
      // One of them has digits too.
      try await sending.event("digits")
      // Before the receiver comes: once the claim is delivered, the sender ends.
      #expect(try sending.peakMemory() < Self.memoryLimit)
      let receiving = try await bob.start("receive")
      try await sending.confirmDigits()
      let (sent, received) = (try await sending.finish(), try await receiving.finish())
      #expect(sent.status == 0, "\(sent)")
      #expect(received.status == 0, "\(received)")
      #expect(try await bob.history().count == 1)
    }
  }

  @Test func `a receiver that stands still once it has accepted leaves the claim unknown`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start(
        "send", "--amount", "1.00", "--send-timeout", "5", "--verify", "--json", streams: .terminalButOutput)
      let receiving = try await bob.start("receive")
      try await sending.text("[y/n]", on: .error)
      await receiving.freeze()
      sending.type("y\n")
      let sent = try await sending.finish()
      #expect(sent.status == 5, "\(sent)")
      let fallback = try #require(try sent.events.first { $0.string("event") == "fallback" }, "\(sent)")
      // Five seconds in one session: it has waited for the receiver before, for a moment.
      #expect(try sent.time(from: "sent", to: "fallback") >= .seconds(4), "\(sent)")
      #expect(try await alice.states() == ["unknown"])

      receiving.signal(SIGCONT)
      let received = try await receiving.finish()
      let link = try #require(fallback.string("link"))
      let again = try await bob.run("receive", "--link", link)
      #expect(again.status == 0, "\(again)")
      let wasThere = (again.standardOutput + again.standardError).contains("already here")
      #expect(wasThere == (received.status == 0), "\(received)\n\(again)")
      #expect(try await bob.history().count == 1)
    }
  }

  @Test func `a sender that stands still does not keep a receiver from the next one`() async throws {
    try await withHost(daemons: .avahi) { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let mallory = try BumpCommand("mallory", on: host)
      let still = try await mallory.start("send", "--amount", "1.00", "--discovery", "none", "--json")
      let port = Int(try #require(try await still.event("advertising").number("port")))
      await still.freeze()
      // Announced by others: it answers nobody any more, not who looks for it either.
      let publishing = try await host.spawn([
        "avahi-publish", "--service", "mallory-0123456789abcdef", "_irl-bump._tcp", String(port), "txtvers=1", "v=1",
        "mode=open",
      ])
      try await publishing.line(on: .error) { $0.hasPrefix("Established") }
      let receiving = try await bob.start("receive", "--json")
      try await receiving.event("found")
      let sent = try await alice.run("send", "--amount", "2.00")
      #expect(sent.status == 0, "\(sent)")
      let received = try await receiving.finish()
      #expect(try received.result.string("amount") == "2.00", "\(received)")
    }
  }
}
