import Foundation
import Glibc
import Lab
import Testing

/// The tills of Docs/programs.md, as they stand there, in bash and with jq.
@Suite(.live) struct TillTests {
  /// Returns the code block that begins so.
  private static func block(beginning: String) throws -> String {
    let file = URL(filePath: #filePath).appending(path: "../../../Docs/programs.md").standardized
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    let block = lines.drop { !$0.hasPrefix("    " + beginning) }.prefix { $0.hasPrefix("    ") }
    try #require(!block.isEmpty)
    return block.joined(separator: "\n")
  }

  /// Starts a till of bob's in his home, where the key is.
  private func start(_ block: String, as bob: BumpCommand) async throws -> Running {
    let bin = "/run/bin"
    try FileManager.default.createDirectory(atPath: bob.host.path(bin), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: bob.host.path("\(bin)/bump"), withDestinationPath: BumpCommand.binary)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return try await bob.host.spawn(
      ["bash", "-c", "cd\n" + block], environment: bob.environment.merging(["PATH": "\(bin):\(path)"]) { $1 })
  }

  /// Ends the bump of a till, and with it the till, which must end well.
  private func end(_ till: Running) async throws {
    for child in try descendants(of: till.processID) {
      let name = try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8)
      if name == "bump\n" { kill(child, SIGTERM) }
    }
    let ended = try await till.finish()
    #expect(ended.status == 0, "\(ended)")
  }

  private func descendants(of process: pid_t) throws -> [pid_t] {
    let children = try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
    let own = children.split(separator: " ").compactMap { pid_t($0) }
    return try own + own.flatMap(descendants)
  }

  /// The lines of bob's takings: an id and an amount each.
  private func takings(of bob: BumpCommand) throws -> [[Substring]] {
    try String(contentsOfFile: bob.host.path("/run/home/bob/takings"), encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: " ") }
  }

  private func withKey(
    _ body: @escaping @Sendable (_ alice: BumpCommand, _ bob: BumpCommand, _ key: String) async throws -> Void
  ) async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let key = "/run/home/bob/till.key"
      #expect(try await alice.run("key", "new", key).status == 0)
      try await body(alice, bob, key)
    }
  }

  @Test func `the till that prints what comes in writes down each claim once`() async throws {
    try await withKey { alice, bob, key in
      let till = try await start(
        Self.block(beginning: "bump receive --keep --yes --json --key till.key | while"), as: bob)
      var sent: [[String?]] = []
      for amount in ["1.00", "2.50"] {
        let finished = try await alice.run("send", amount, "--key", key, "--json")
        #expect(finished.status == 0, "\(finished)")
        sent.append([try finished.result.string("claimId"), amount])
      }
      try await end(till)
      #expect(try takings(of: bob).map { $0.map(String.init) } == sent)
    }
  }

  @Test func `the till that decides takes its price and nothing else`() async throws {
    try await withKey { alice, bob, key in
      let till = try await start(Self.block(beginning: "[ -p answers ]"), as: bob)
      let wrong = try await alice.start("send", "13.00", "--key", key, "--json")
      try await wrong.line(on: .error) { $0.contains("A receiver declined") }
      wrong.signal(SIGINT)
      #expect(try await wrong.finish().status == 130)
      let right = try await alice.run("send", "12.50", "--key", key, "--json")
      #expect(right.status == 0, "\(right)")
      try await end(till)
      #expect(try takings(of: bob).map { $0.map(String.init) } == [[right.result.string("claimId"), "12.50"]])
      #expect(try await bob.history().count == 1)
    }
  }
}
