import Lab
import Testing

/// Arguments that make no sense are refused before anything is done.
@Suite struct ArgumentTests {
  static let badAmounts = ["abc", "", "0", "-1", "1e3", "1.0000001", "9223372036855", "NaN", "１"].map {
    ["send", "--amount", $0]
  }
  static let badServiceTypes = ["", "IRL", "-a", "a-", "a--b", "123", "abcdefghijklmnop", "a_b", "é"].flatMap {
    [["send", "--amount", "1", "--service-type", $0], ["receive", "--service-type", $0]]
  }
  static let badPeers = ["", "nonsense", "host:", ":80", "host:0", "host:65536", "host:http", "fd77::1"].map {
    ["receive", "--peer", $0]
  }
  static let badFlags = [
    ["send", "--amount", "1", "--nonsense"], ["receive", "--nonsense"], ["nonsense"], ["send"],
    ["send", "--amount", "1", "--port", "65536"], ["send", "--amount", "1", "--discovery", "maybe"],
    ["send", "--amount", "1", "--qr", "big"], ["receive", "--discovery-timeout", "soon"], ["show"],
  ]

  @Test(arguments: badAmounts + badServiceTypes + badPeers + badFlags)
  func `a bad argument is a usage error in one clear line`(arguments: [String]) async throws {
    // No store can be made here: trying to would be another error.
    let environment = ["BUMP_STORE": "/nonexistent/bump.sqlite", "BUMP_NAME": "alice", "LC_ALL": "C.UTF-8"]
    let process = try await RunningProcess.start([BumpCommand.binary] + arguments, environment: environment)
    let finished = try await process.finish()
    #expect(finished.status == 64, "\(finished)")
    #expect(finished.standardOutput.isEmpty, "\(finished)")
    #expect(finished.standardError.wholeMatch(of: /bump: [^\n]+\n/) != nil, "\(finished)")
  }

  @Test(.live) func `nothing is advertised for a bad argument`() async throws {
    try await withHost(daemons: .avahi) { host in
      let alice = try BumpCommand("alice", on: host)
      let browser = try await host.spawn(["avahi-browse", "--parsable", "--all"])
      for arguments in Self.badAmounts + Self.badFlags {
        #expect(try await alice.start(arguments).finish().status == 64)
      }
      // What the daemon tells of now it tells after all that came before.
      _ = try await host.spawn(["avahi-publish", "--service", "the end", "_irl-bump._tcp", "9"])
      try await browser.line { $0.contains(#"the\032end"#) }
      #expect(browser.standardOutput.lines.allSatisfy { $0.contains(#"the\032end"#) }, "\(browser)")
    }
  }

  @Test(.live, arguments: [("1", "1.00"), ("1.5", "1.50"), ("0.000001", "0.000001"), ("9999999.99", "9999999.99")])
  func `an amount is shown with the cents it has`(given: String, shown: String) async throws {
    try await withHost(daemons: .none) { host in
      let sent = try await BumpCommand("alice", on: host).run("send", "--amount", given, "--link-only", "--json")
      #expect(try sent.result.string("amount") == shown, "\(sent)")
    }
  }
}
