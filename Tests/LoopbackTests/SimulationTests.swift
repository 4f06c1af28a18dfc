import Foundation
import Glibc
import Lab
import Testing

/// `bump send|receive --simulate`: over a real network, and apart from everything real.
@Suite(.live) struct SimulationTests {
  @Test func `a simulated claim goes over, says so in each line, and leaves nothing`() async throws {
    try await withHost { host in
      var (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      try await host.shell("mkdir /run/temporary")
      (alice.environment["TMPDIR"], bob.environment["TMPDIR"]) = ("/run/temporary", "/run/temporary")
      let sending = try await alice.start("send", "1.00", "--simulate", "duplicate-instance:1", "--json")
      let receiving = try await bob.start("receive", "--simulate", "duplicate-instance:1", "--json")
      let (sent, received) = (try await sending.finish(), try await receiving.finish())
      #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
      for finished in [sent, received] {
        #expect(!finished.lines.isEmpty)
        for line in finished.lines { #expect(line.contains(#""simulated":true"#), "\(line)") }
        #expect(finished.standardError.hasPrefix("SIMULATED: duplicate-instance:1."), "\(finished)")
      }
      #expect(try await alice.history().isEmpty)
      #expect(try await bob.history().isEmpty)
      #expect(try FileManager.default.contentsOfDirectory(atPath: host.path("/run/temporary")).isEmpty)
    }
  }

  /// Where a terminal is closed, the kernel sends SIGHUP, and so does the shell. A person may press Ctrl-C twice.
  @Test(arguments: [SIGHUP, SIGINT])
  func `a simulation that is interrupted twice leaves nothing`(signal: Int32) async throws {
    try await withHost { host in
      var alice = try BumpCommand("alice", on: host)
      try await host.shell("mkdir /run/temporary")
      alice.environment["TMPDIR"] = "/run/temporary"
      let sending = try await alice.start("send", "1.00", "--simulate", "replay", "--json", "--wait")
      try await sending.event("advertising")
      sending.signal(signal)
      sending.signal(signal)
      let sent = try await sending.finish()
      #expect(sent.status == 130, "\(sent)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: host.path("/run/temporary")).isEmpty)
    }
  }

  /// As a receiver it has a code, which the other end then has too.
  @Test(arguments: [
    (["send", "1.00"], "received 1.00 TEST"), (["receive", "27-482915"], "the claim is delivered"),
  ])
  func `one terminal shows both ends of a simulation, which leaves nothing`(command: [String], words: String)
    async throws
  {
    try await withHost { host in
      var alice = try BumpCommand("alice", on: host)
      try await host.shell("mkdir /run/temporary")
      alice.environment["TMPDIR"] = "/run/temporary"
      let bumped = try await alice.start(
        command + ["--simulate", "duplicate-instance:1", "--both-ends", "--json"]
      ).finish()
      #expect(bumped.status == 0, "\(bumped)")
      #expect(bumped.lines.allSatisfy { $0.contains(#""simulated":true"#) }, "\(bumped)")
      #expect(bumped.standardError.contains("Other end: its screen shows "), "\(bumped)")
      #expect(bumped.standardError.contains(words), "\(bumped)")
      #expect(bumped.standardError.hasSuffix("That was no real claim, and no command finds it now.\n"), "\(bumped)")
      #expect(try await alice.history().isEmpty)
      #expect(try FileManager.default.contentsOfDirectory(atPath: host.path("/run/temporary")).isEmpty)
    }
  }

  @Test func `a sender does not know whether a claim arrived whose receipt was cut off`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "1.00", "--simulate", "cut-after-claim", "--json")
      let receiving = try await bob.start("receive", "--simulate", "cut-after-claim", "--json")
      let (received, sent) = (try await receiving.finish(), try await sending.finish())
      #expect(try received.result.string("outcome") == "received", "\(received)")
      #expect(try sent.result.string("outcome") == "unknown", "\(sent)")
    }
  }

  /// Programs decide at both ends, so that each of them sends HOLD. With a code the sender has one record more.
  @Test(arguments: [[], ["--code"]])
  func `the claim's receipt is what is cut off, whoever is asked before`(options: [String]) async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let simulated = ["--simulate", "cut-after-claim"]
      let sending = try await alice.startDeciding(["send", "1.00"] + options + simulated)
      let code = options.isEmpty ? [] : [try #require(try await sending.event("code").string("code"))]
      let receiving = try await bob.startDeciding(["receive"] + code + simulated)
      try await receiving.event("question")
      receiving.type("y 1\n")
      try await sending.event("question")
      sending.type("y 1\n")
      let (received, sent) = (try await receiving.finish(), try await sending.finish())
      #expect(try received.result.string("outcome") == "received", "\(received)")
      #expect(try sent.result.string("outcome") == "unknown", "\(sent)")
    }
  }

  @Test func `a simulated receiver takes no real claim, even from a sender that is advertised among the simulated`()
    async throws
  {
    try await withHost(daemons: .avahi) { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "1.00", "--json", "--wait")
      let port = try #require(try await sending.event("advertising").number("port"))
      let forging = try await host.spawn([
        "avahi-publish", "--service", "alice-0123456789abcdef", "_irl-bump-sim._tcp", String(Int(port)), "txtvers=1",
        "v=1", "mode=open",
      ])
      let received = try await bob.run("receive", "--simulate", "duplicate-instance:1", "--json")
      #expect(try received.status == 4 && received.result.string("outcome") == "declined", "\(received)")
      sending.signal(SIGINT)
      #expect(try await sending.finish().result.string("outcome") == "interrupted")
      #expect(try await alice.history().map { $0.string("state") } == ["new"])
      forging.signal(SIGTERM)
      _ = try await forging.finish()
    }
  }

  @Test func `a simulated receiver and a real sender do not meet`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "1.00", "--json", "--wait")
      try await sending.line { $0.contains(#""event":"advertising""#) }
      let received = try await bob.run(
        "receive", "--simulate", "replay", "--json", "--discovery-timeout", "2")
      #expect(try received.result.string("outcome") == "nobody", "\(received)")
      sending.signal(SIGINT)
      #expect(try await sending.finish().result.string("outcome") == "interrupted")
    }
  }
}
