import Lab
import Testing

@Suite(.live) struct LinkTests {
  /// A link as a sender shows it.
  private func link(from alice: BumpCommand) async throws -> String {
    let sent = try await alice.run("send", "--amount", "1.00", "--link-only")
    return try #require(sent.lines.first { $0.hasPrefix("https://") }, "\(sent)")
  }

  @Test func `a link that cannot be shown was not shown`() async throws {
    try await withHost(daemons: .none) { host in
      let alice = try BumpCommand("alice", on: host)
      let script = "\(BumpCommand.binary) send --amount 1.00 --link-only >/dev/full"
      let finished = try await host.run(["sh", "-c", script], environment: alice.environment)
      #expect(finished.status == 1 && finished.standardError.contains("bump link"), "\(finished)")
    }
  }

  @Test func `a link brings the claim, and the second time it says already here`() async throws {
    try await withHost(daemons: .none) { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let link = try await link(from: alice)
      let first = try await bob.run("receive", "--link", link)
      #expect(first.status == 0, "\(first)")
      #expect(first.standardOutput.hasPrefix("1.00 USDC"), "\(first)")
      #expect(!(first.standardOutput + first.standardError).contains("already here"), "\(first)")
      let second = try await bob.run("receive", "--link", link)
      #expect(second.status == 0, "\(second)")
      #expect((second.standardOutput + second.standardError).contains("already here"), "\(second)")

      let (given, taken) = (try await alice.history(), try await bob.history())
      #expect(taken.count == 1)
      #expect(taken.map { $0.string("claimId") } == given.map { $0.string("claimId") })
      let claimID = try #require(taken.first?.string("claimId"))
      #expect(try await alice.secret(of: claimID) == bob.secret(of: claimID))
    }
  }

  @Test func `a link is read from the input, as a scanner gives it`() async throws {
    try await withHost(daemons: .none) { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let received = try await bob.run("receive", "--link", "-", input: try await link(from: alice) + "\n")
      #expect(received.status == 0, "\(received)")
      #expect(try await bob.history().count == 1)
    }
  }

  @Test func `a link that was made without a key is refused by who names one`() async throws {
    try await withHost(daemons: .none) { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      #expect(try await bob.run("key", "new", "/run/key").status == 0)
      let link = try await link(from: alice)
      let refused = try await bob.run("receive", "--link", "-", "--key", "/run/key", input: link + "\n")
      #expect(refused.status == 6 && refused.standardError.contains("not made with this key"), "\(refused)")
      #expect(try await bob.history().isEmpty)
    }
  }

  /// What a hand or a bad camera makes of a link.
  static let garblings: [(name: String, garble: @Sendable (String) -> String)] = [
    ("claim id", { $0.replacing(/claim\/(.)/) { "claim/\(other($0.1))" } }),
    ("secret", { $0.replacing(/s=(.)/) { "s=\(other($0.1))" } }),
    ("amount", { $0.replacing("a=1.00", with: "a=9.00") }),
    ("token", { $0.replacing("t=USDC", with: "t=USDT") }),
    ("expiry", { $0.replacing(/x=(\d+)(\d)/) { "x=\($0.1)\($0.2 == "9" ? "8" : "9")" } }),
    ("mac", { $0.replacing(/m=(.)/) { "m=\(other($0.1))" } }),
    ("cut mac", { String($0.dropLast()) }),
  ]

  private static func other(_ character: Substring) -> String { character == "A" ? "B" : "A" }

  @Test(arguments: garblings.map(\.name))
  func `a garbled link is refused, and nothing is stored`(part: String) async throws {
    try await withHost(daemons: .none) { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let link = try await link(from: alice)
      let garbled = try #require(Self.garblings.first { $0.name == part }).garble(link)
      #expect(garbled != link)
      let received = try await bob.run("receive", "--link", "-", input: garbled + "\n")
      #expect(received.status == 6, "\(received)")
      #expect(received.standardOutput.isEmpty, "\(received)")
      #expect(received.standardError.hasPrefix("bump: "), "\(received)")
      #expect(try await bob.history().isEmpty)
    }
  }
}
