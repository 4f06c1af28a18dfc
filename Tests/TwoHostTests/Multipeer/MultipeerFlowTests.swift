import Glibc
import Lab
import Testing

/// What becomes of what a host sends to one that takes nothing, or that it cannot reach.
@Suite(.live) struct MultipeerFlowTests {
  private static let gibibyte = 1 << 30
  /// More than both kernels and both programs keep of a connection.
  private static let most = 96 << 20

  @Test func `a host that takes nothing is sent what both ends keep, and the sender's memory holds no more`()
    async throws
  {
    try await withTwoHosts { left, right, _ in
      let (alice, bob) = (try await MultipeerPlayer("alice", on: left), try await MultipeerPlayer("bob", on: right))
      bob.perform("advertise")
      alice.perform("browse")
      try await alice.connect(to: bob)
      try await left.shell("truncate --size \(Self.gibibyte) /run/file")
      await bob.process.freeze()
      let before = try alice.process.peakMemory()
      // A stream takes its window of 256 KiB, and then says that it has no room.
      alice.perform("pour", "file /run/file")
      try await alice.says("poured \(256 << 10)")
      // Ten seconds, in which all of the file could be read.
      try await alice.says("state bob notConnected")
      alice.perform("progress")
      let sent = try #require(Int(try await alice.word(after: "progress")))
      #expect(sent < Self.most)
      #expect(try alice.process.peakMemory() - before < Self.most)
      bob.process.signal(SIGCONT)
    }
  }

  @Test func `members without a common network are in one session with the one between, and not with each other`()
    async throws
  {
    try await withHosts(["left", "middle", "right"]) { hosts in
      _ = try await Link.join(hosts[0], hosts[1], number: 1)
      _ = try await Link.join(hosts[1], hosts[2], number: 2)
      for host in hosts { try await host.start(.needed) }
      var players: [MultipeerPlayer] = []
      for host in hosts { players.append(try await MultipeerPlayer(host.name, on: host)) }
      let (left, middle, right) = (players[0], players[1], players[2])
      left.perform("advertise")
      right.perform("advertise")
      middle.perform("browse")
      try await middle.connect(to: left)
      try await middle.connect(to: right)
      // Behind the introductions.
      middle.perform("send hello")
      try await left.says("data middle 5 hello")
      try await right.says("data middle 5 hello")
      left.perform("send from the left")
      try await middle.says("data left 13 from the left")
      middle.perform("leave")
      try await left.says("state middle notConnected")
      try await right.says("state middle notConnected")
      #expect(!left.process.standardOutput.text.contains("state right"))
      #expect(!right.process.standardOutput.text.contains("state left"))
      #expect(!right.process.standardOutput.text.contains("from the left"))
    }
  }
}
