import Glibc
import Lab
import Testing

/// Programs on MultipeerConnectivity, on hosts of their own.
@Suite(.live) struct MultipeerTests {
  @Test func `two hosts find each other, connect, and send a message, a file and a stream`() async throws {
    try await withTwoHosts { left, right, _ in
      let (alice, bob) = (try await MultipeerPlayer("alice", on: left), try await MultipeerPlayer("bob", on: right))
      bob.perform("advertise")
      alice.perform("browse")
      try await alice.connect(to: bob)
      try await bob.says("invited alice context")
      alice.perform("send hello")
      try await bob.says("data alice 5 hello")
      try await left.shell("head --bytes 3000000 /dev/urandom >/run/file")
      alice.perform("file /run/file")
      try await bob.says("received a/b 3000000")
      try await alice.says("sent whole")
      bob.perform("stream over and out")
      try await alice.says("read 12 over and out")
      try await alice.says("read 0")
      // Who leaves still advertises, and can be invited again.
      bob.perform("leave")
      try await alice.says("state bob notConnected")
      alice.perform("invite bob")
      try await alice.says("state bob connected", times: 2)
      bob.perform("withdraw")
      try await alice.says("lost bob")
      for player in [alice, bob] { player.process.closeInput() }
      #expect(try await alice.process.finish().status == 0)
      #expect(try await bob.process.finish().status == 0)
    }
  }

  @Test(arguments: [Addressing.ipv4, .linkLocal])
  func `two hosts with one kind of address connect`(addressing: Addressing) async throws {
    try await withTwoHosts(addressing) { left, right, _ in
      let (alice, bob) = (try await MultipeerPlayer("alice", on: left), try await MultipeerPlayer("bob", on: right))
      bob.perform("advertise")
      alice.perform("browse")
      try await alice.connect(to: bob)
    }
  }

  @Test func `a process that ends is lost at once, without a word of its program`() async throws {
    try await withTwoHosts { left, right, _ in
      let (alice, bob) = (try await MultipeerPlayer("alice", on: left), try await MultipeerPlayer("bob", on: right))
      bob.perform("advertise")
      alice.perform("browse")
      try await alice.connect(to: bob)
      bob.perform("exit")
      try await alice.says("state bob notConnected")
      try await alice.says("lost bob")
    }
  }

  @Test(.enabled(if: Backend.current == .embedded, "avahi-daemon lists an instance until its records expire"))
  func `a process that is killed is lost long before its records expire`() async throws {
    try await withTwoHosts { left, right, _ in
      let (alice, bob) = (try await MultipeerPlayer("alice", on: left), try await MultipeerPlayer("bob", on: right))
      bob.perform("advertise")
      alice.perform("browse")
      try await alice.connect(to: bob)
      bob.process.signal(SIGKILL)
      let gone = try await alice.says("state bob notConnected")
      let lost = try await alice.says("lost bob")
      // RFC 6762 §10.4: after ten seconds. Its records are good for two minutes.
      #expect(lost - gone < 60_000)
    }
  }

  @Test func `a peer that is frozen counts as gone after ten seconds, and can come back`() async throws {
    try await withTwoHosts { left, right, _ in
      let (alice, bob) = (try await MultipeerPlayer("alice", on: left), try await MultipeerPlayer("bob", on: right))
      bob.perform("advertise")
      alice.perform("browse")
      try await alice.connect(to: bob)
      alice.perform("send hello")
      try await bob.says("data alice 5 hello")
      await bob.process.freeze()
      try await alice.says("state bob notConnected")
      bob.process.signal(SIGCONT)
      try await bob.says("state alice notConnected")
      alice.perform("invite bob")
      try await alice.says("state bob connected", times: 2)
      try await bob.says("state alice connected", times: 2)
      alice.perform("send again")
      try await bob.says("data alice 5 again")
    }
  }

  /// In real time: some ten seconds.
  @Test func `programs that ask for it obey the plan that their environment names, between real hosts`() async throws {
    try await withTwoHosts { left, right, _ in
      let plan = "connecting-stall:1"
      let alice = try await MultipeerPlayer("alice", on: left, plan: plan)
      let bob = try await MultipeerPlayer("bob", on: right, plan: plan)
      bob.perform("advertise")
      alice.perform("browse")
      try await alice.says(#"found bob ["color": "red"]"#)
      alice.perform("invite bob")
      try await alice.says("state bob notConnected")
      try await bob.says("state alice notConnected")
      for (player, other) in [(alice, "bob"), (bob, "alice")] {
        #expect(player.process.standardError.text.contains("SIMULATED: connecting-stall:1."))
        let states = player.process.standardOutput.text.matches(of: #/state \w+ (\w+)/#).map { String($0.1) }
        #expect(states == ["connecting", "notConnected"], "\(other)")
      }
    }
  }

  @Test func `three hosts are one session: the one that is invited by one is connected to both`() async throws {
    try await withHosts(["one", "two", "three", "switch"]) { hosts in
      let hub = try await Switch(at: hosts[3])
      for (index, host) in hosts.dropLast().enumerated() { try await hub.join(host, number: index + 1) }
      for host in hosts.dropLast() { try await host.start(.needed) }
      let alice = try await MultipeerPlayer("alice", on: hosts[0])
      let bob = try await MultipeerPlayer("bob", on: hosts[1])
      let carol = try await MultipeerPlayer("carol", on: hosts[2])
      bob.perform("advertise")
      carol.perform("advertise")
      alice.perform("browse")
      try await alice.connect(to: bob)
      try await alice.connect(to: carol)
      try await bob.says("state carol connected")
      try await carol.says("state bob connected")
      carol.perform("send hello")
      try await bob.says("data carol 5 hello")
      // The one that let them in is gone; they stay together.
      alice.process.signal(SIGKILL)
      try await bob.says("state alice notConnected")
      try await carol.says("state alice notConnected")
      bob.perform("send still here")
      try await carol.says("data bob 10 still here")
    }
  }

  @Test func `eight hosts are one session, and each hears each`() async throws {
    let names = (1...8).map { "host\($0)" }
    try await withHosts(names + ["switch"]) { hosts in
      let hub = try await Switch(at: hosts[8])
      for (index, host) in hosts.dropLast().enumerated() { try await hub.join(host, number: index + 1) }
      for host in hosts.dropLast() { try await host.start(.needed) }
      var players: [MultipeerPlayer] = []
      for host in hosts.dropLast() { players.append(try await MultipeerPlayer(host.name, on: host)) }
      for player in players.dropFirst() { player.perform("advertise") }
      players[0].perform("browse")
      for player in players.dropFirst() { try await players[0].connect(to: player) }
      for player in players {
        for other in names where other != player.name { try await player.says("state \(other) connected") }
      }
      for player in players { player.perform("send hello") }
      for player in players {
        for other in names where other != player.name { try await player.says("data \(other) 5 hello") }
      }
    }
  }

  @Test func `a host at two cables is found once, and is not lost with one of them`() async throws {
    // With our own multicast DNS, which announces what it advertises twice.
    try await withTwoHosts(daemons: .none) { left, right, first in
      let second = try await Link.join(left, right, number: 1)
      let interface = try #require(second.interface(of: left))
      let seen = try await left.watch(interface, for: "udp and src host \(Link.ipv4(network: 1, host: 2))")
      let (alice, bob) = (try await MultipeerPlayer("alice", on: left), try await MultipeerPlayer("bob", on: right))
      alice.perform("browse")
      bob.perform("advertise")
      try await alice.says("found bob [\"color\": \"red\"]")
      try await seen.lines(2) { $0.contains("> 224.0.0.251.5353") }
      try await first.remove()
      alice.perform("invite bob")
      try await alice.says("state bob connected")
      alice.perform("send by the other cable")
      try await bob.says("data alice 18 by the other cable")
      let told = alice.process.standardOutput.text
      #expect(told.ranges(of: "found bob").count == 1 && !told.contains("lost bob"), "\(told)")
    }
  }

  @Test func `a cable that is pulled ends the session at both ends`() async throws {
    try await withTwoHosts { left, right, link in
      let (alice, bob) = (try await MultipeerPlayer("alice", on: left), try await MultipeerPlayer("bob", on: right))
      bob.perform("advertise")
      alice.perform("browse")
      try await alice.connect(to: bob)
      try await link.unplug(right)
      // Neither hears a word of the other: silence alone ends it.
      try await alice.says("state bob notConnected")
      try await bob.says("state alice notConnected")
    }
  }
}
