import Lab
import Testing

/// Wrong codes over several ways from one host to another.
@Suite(.live) struct GuessTests {
  /// How many guesses the sender says it has judged.
  private func judgements(_ sent: ProcessResult) -> Int {
    sent.standardError.matches(of: /Somebody tried a wrong code:/).count
  }

  /// What a sender shows on stderr: its code.
  private func code(of sending: RunningProcess) async throws -> String {
    let line = try await sending.line(on: .error) { $0.contains("The code is ") }
    return String(try #require(line.firstMatch(of: /\d{1,2}-\d{6}/)?.output))
  }

  /// Another code of the same channel.
  private func wrong(_ code: String, _ number: Int) -> String {
    let last = (code.last?.wholeNumberValue ?? 0) + number
    return code.dropLast() + String(last % 10)
  }

  @Test func `guesses from different addresses are counted together, and three burn the code`() async throws {
    try await withHosts(["left", "right"]) { hosts in
      _ = try await Link.join(hosts[0], hosts[1])
      let alice = try BumpCommand("alice", on: hosts[0])
      // On a terminal: where a link would be drawn.
      let sending = try await alice.start(
        "send", "--amount", "1.00", "--code", "--discovery", "none", streams: .terminal)
      let right = try await code(of: sending)
      let listening = try await sending.line { $0.contains("Listening on port ") }
      let port = try #require(listening.firstMatch(of: /port (\d+)/)?.1)

      let here = try BumpCommand("mallory", on: hosts[0])
      let there = try BumpCommand("mallory", on: hosts[1])
      let ways = [(here, "127.0.0.1"), (here, "[::1]"), (there, Link.ipv4(host: 1))]
      for (number, (mallory, address)) in ways.enumerated() {
        let guess = try await mallory.run(
          "receive", "--peer", "\(address):\(port)", "--code", wrong(right, number + 1), "--discovery", "none")
        #expect(guess.status == 6, "\(guess)")
      }
      let sent = try await sending.finish()
      #expect(sent.status == 6 && judgements(sent) == 3, "\(sent)")
      #expect(!sent.standardOutput.contains("https://") && !sent.standardOutput.contains(/[█▀▄]/), "\(sent)")
      #expect(try await alice.states() == ["new"])

      let late = try await there.run(
        "receive", "--peer", "[fd77::1]:\(port)", "--code", right, "--discovery", "none", "--discovery-timeout", "1")
      #expect(late.status == 3, "\(late)")
    }
  }

  @Test(arguments: [2, 3])
  func `a slip on a host that sees the sender in four ways costs one guess`(slips: Int) async throws {
    try await withHosts(["left", "right"]) { hosts in
      for number in 0...1 { _ = try await Link.join(hosts[0], hosts[1], number: number) }
      for host in hosts { try await host.start(.avahi) }
      let (alice, bob) = (try BumpCommand("alice", on: hosts[0]), try BumpCommand("bob", on: hosts[1]))
      let sending = try await alice.start("send", "--amount", "1.00", "--code", "--json")
      let right = try await code(of: sending)
      try await sending.event("advertising")
      try await expectFourWays(to: "left", from: hosts[1])

      for number in 1...slips {
        let mistaken = try await bob.run("receive", "--code", wrong(right, number))
        #expect(mistaken.status == 6, "\(mistaken)")
      }
      if slips < 3 {
        let received = try await bob.run("receive", "--code", right)
        #expect(received.status == 0, "\(received)")
      }
      let sent = try await sending.finish()
      #expect(sent.status == (slips < 3 ? 0 : 6), "\(sent)")
      #expect(judgements(sent) == slips, "\(sent)")
      #expect(try await alice.states() == [slips < 3 ? "delivered" : "new"])
    }
  }

  /// Returns when Avahi has seen the service over IPv4 and IPv6, each on both cables.
  private func expectFourWays(to name: String, from host: Host) async throws {
    let browser = try await host.spawn(["avahi-browse", "--resolve", "--parsable", "_irl-bump._tcp"])
    for cable in ["to-\(name)", "to-\(name)-1"] {
      for version in ["IPv4", "IPv6"] { try await browser.line { $0.hasPrefix("=;\(cable);\(version);") } }
    }
  }
}
