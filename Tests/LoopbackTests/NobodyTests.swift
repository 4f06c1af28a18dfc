import Glibc
import Lab
import Testing

@Suite(.live) struct NobodyTests {
  @Test func `a sender that nobody answers shows the link after ten seconds`() async throws {
    try await withHost { host in
      var alice = try BumpCommand("alice", on: host)
      alice.isPatient = false
      let sent = try await alice.run("send", "--amount", "1.00", "--json")
      #expect(sent.status == 3, "\(sent)")
      #expect(try sent.events.map { $0.string("event") } == ["advertising", "fallback", "result"])
      #expect(try sent.result.string("outcome") == "undelivered")
      let fallback = try sent.events[1]
      #expect(fallback.string("reason") == "discoveryTimeout")
      let link = try #require(fallback.string("link"))
      #expect(link.hasPrefix("https://irl.app/claim/"))
      #expect(try time(sent, until: fallback) >= 9_999, "\(sent)")
      #expect(try await alice.states() == ["linkShown"])
    }
  }

  @Test func `a receiver that finds nobody says so after ten seconds`() async throws {
    try await withHost { host in
      var bob = try BumpCommand("bob", on: host)
      bob.isPatient = false
      let received = try await bob.run("receive", "--json")
      #expect(received.status == 3, "\(received)")
      #expect(try received.events.map { $0.string("event") } == ["browsing", "result"])
      #expect(try received.result.string("outcome") == "nobody")
      // It looks from the beginning, and says so a moment later.
      #expect(try #require(received.result.number("ms")) >= 9_999, "\(received)")
      #expect(try await bob.history().isEmpty)
    }
  }

  @Test func `a sender to whom nobody came is told who else is sending`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let waiting = try await bob.start("send", "--amount", "2.00", "--json", "--wait")
      let name = try #require(try await waiting.event("advertising").string("name"))
      let sent = try await alice.run("send", "--amount", "1.00", "--json", "--discovery-timeout", "1")
      #expect(sent.status == 3, "\(sent)")
      #expect(
        sent.standardError.contains(
          #"No receiver was found in time. "bob" is sending too: one of you runs `bump receive`."#), "\(sent)")
      #expect(try sent.result.list("senders")?.map { $0["name"] } == [.string(name)], "\(sent)")
      waiting.signal(SIGINT)
      #expect(try await waiting.finish().status == 130)
    }
  }

  @Test func `two that send in the same second are both told of the other`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      async let one = alice.run("send", "--amount", "1.00", "--discovery-timeout", "6")
      async let other = bob.run("send", "--amount", "2.00", "--discovery-timeout", "6")
      let (sent, alsoSent) = try await (one, other)
      #expect(sent.status == 3 && sent.standardError.contains(#/"bob" (is|was) sending too: one of you/#), "\(sent)")
      #expect(
        alsoSent.status == 3 && alsoSent.standardError.contains(#/"alice" (is|was) sending too: one of you/#),
        "\(alsoSent)")
    }
  }

  /// The milliseconds from the first event to one that is at its end: ten seconds, by its own clock, whose milliseconds
  /// are cut. How much more it takes to begin and to end is no part of the promise.
  private func time(_ finished: ProcessResult, until end: JSONObject) throws -> Double {
    try #require(end.number("ms")) - #require(finished.events.first?.number("ms"))
  }

  @Test func `another service type is another world`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      async let sending = alice.run("send", "--amount", "1", "--service-type", "other", "--discovery-timeout", "2")
      let received = try await bob.run("receive", "--discovery-timeout", "2")
      let sent = try await sending
      #expect(sent.status == 3, "\(sent)")
      #expect(received.status == 3, "\(received)")
    }
  }

  @Test func `in a pipe a fallback is the link alone`() async throws {
    try await withHost { host in
      let alice = try BumpCommand("alice", on: host)
      let sent = try await alice.run("send", "--amount", "1.00", "--discovery-timeout", "1")
      #expect(sent.status == 3, "\(sent)")
      #expect(sent.lines.count == 1 && sent.standardOutput.hasPrefix("https://irl.app/claim/"), "\(sent)")
      #expect(!sent.standardError.contains("█"), "\(sent)")
    }
  }

  @Test(.daemon, arguments: [Daemons.none, .onlyDBus])
  func `without Avahi a sender shows the link without waiting, and names the daemon`(daemons: Daemons) async throws {
    try await withHost(daemons: daemons) { host in
      let alice = try BumpCommand("alice", on: host)
      let sent = try await alice.run("send", "--amount", "1.00", "--json")
      #expect(sent.status == 3, "\(sent)")
      #expect(sent.standardError.contains("avahi-daemon"), "\(sent)")
      let fallback = try #require(try sent.events.first { $0.string("event") == "fallback" })
      #expect(fallback.string("reason") == "discoveryUnavailable", "\(sent)")
      #expect(fallback.string("link")?.hasPrefix("https://irl.app/claim/") == true, "\(sent)")
      #expect(try await alice.states() == ["linkShown"])
    }
  }

  @Test(.daemon, arguments: [Daemons.none, .onlyDBus])
  func `without Avahi a receiver ends without looking, and names the daemon`(daemons: Daemons) async throws {
    try await withHost(daemons: daemons) { host in
      let received = try await BumpCommand("bob", on: host).run("receive", "--json")
      #expect(received.status == 3, "\(received)")
      #expect(received.standardError.contains("avahi-daemon"), "\(received)")
    }
  }

  @Test(.daemon, arguments: [SIGTERM, SIGKILL])
  func `when Avahi ends, a sender that waits shows the link`(signal: Int32) async throws {
    try await withHost { host in
      let alice = try BumpCommand("alice", on: host)
      let sending = try await alice.start("send", "--amount", "1.00", "--json")
      try await sending.event("advertising")
      try await host.killAvahi(signal)
      let sent = try await sending.finish()
      #expect(sent.status == 3, "\(sent)")
      let fallback = try #require(try sent.events.first { $0.string("event") == "fallback" })
      #expect(fallback.string("reason") == "discoveryUnavailable")
      #expect(sent.standardError.contains("avahi-daemon"), "\(sent)")
    }
  }

  @Test(.daemon) func `a sender that is in sight and does not answer is named, with its address`() async throws {
    try await withHost { host in
      let bob = try BumpCommand("bob", on: host)
      let publishing = try await host.spawn(
        ["avahi-publish", "-s", "alice-0123456789abcdef", "_irl-bump._tcp", "9", "txtvers=1", "v=1", "mode=open"])
      try await publishing.line(on: .error) { $0.hasPrefix("Established") }
      let received = try await bob.runOut(["receive"], seconds: 6) {
        $0.standardError.contains("but refuses the connection")
      }
      #expect(received.status == 3, "\(received)")
      #expect(!received.standardError.contains("nobody was found"), "\(received)")
      let error = received.standardError.firstMatch(
        of: /bump: "alice" was found at \S+:9, but refuses the connection: it has gone, or a firewall there rejects it/)
      #expect(error != nil, "\(received)")
    }
  }
}
