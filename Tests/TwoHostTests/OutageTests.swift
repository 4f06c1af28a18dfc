import Lab
import Testing

/// An interface that is down for a moment, as when a cable is pulled or a radio loses its network.
@Suite(.live) struct OutageTests {
  @Test(arguments: [Addressing.all, .ipv4, .linkLocal])
  func `a sender whose interface goes down and up while it waits is found`(addressing: Addressing) async throws {
    try await withTwoHosts(addressing) { left, right, link in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      let sending = try await alice.start("send", "--amount", "1.00", "--discovery-timeout", "60", "--json")
      try await sending.event("advertising")
      try await link.unplug(left)
      try await link.plug(left)
      let received = try await bob.run("receive", "--json")
      #expect(received.status == 0, "\(received)")
      #expect(try await sending.finish().status == 0)
    }
  }

  @Test(arguments: [Addressing.all, .ipv4, .linkLocal])
  func `a receiver whose interface goes down and up while it waits finds a sender`(addressing: Addressing)
    async throws
  {
    try await withTwoHosts(addressing) { left, right, link in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      let questions = try await left.watchQuestions(on: try #require(link.interface(of: left)))
      let receiving = try await bob.start("receive", "--discovery-timeout", "60", "--json")
      try await questions.untilAsked()
      try await link.unplug(right)
      try await link.plug(right)
      let sent = try await alice.run("send", "--amount", "1.00", "--json")
      #expect(sent.status == 0, "\(sent)")
      #expect(try await receiving.finish().status == 0)
    }
  }

  enum Role: CaseIterable { case sender, receiver }

  @Test(arguments: Role.allCases)
  func `an interface that is taken out and another put in, as with USB, is used`(waiting: Role)
    async throws
  {
    try await withTwoHosts { left, right, link in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      let long = ["--discovery-timeout", "60", "--json"]
      let (send, receive) = (["send", "--amount", "1.00"] + long, ["receive"] + long)
      let waiter: RunningProcess
      switch waiting {
      case .sender:
        waiter = try await alice.start(send)
        try await waiter.event("advertising")
      case .receiver:
        let questions = try await left.watchQuestions(on: try #require(link.interface(of: left)))
        waiter = try await bob.start(receive)
        try await questions.untilAsked()
      }
      try await link.remove()
      _ = try await Link.join(left, right)
      let other = waiting == .sender ? try await bob.start(receive) : try await alice.start(send)
      let finished = [try await other.finish(), try await waiter.finish()]
      #expect(finished.map(\.status) == [0, 0], "\(finished)")
    }
  }
}
