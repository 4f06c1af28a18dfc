import Lab
import Measures
import Testing

/// What `ForgedTests` leaves: the receiver is there before the forger, and hosts of both kinds.
@Suite(.live, .thorough, .serialized) struct FloodTests {
  /// A daemon whose cache is full of ten thousand records hears of nobody who comes later.
  static let forgers = Forger.survived.filter { Backend.current != .daemon || $0 != .records }

  @Test(arguments: forgers)
  func `a receiver that waits amid forged records finds a sender that comes later`(forger: Forger) async throws {
    try await withTwoHosts { left, right, link in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      let questions = try await left.watchQuestions(on: try #require(link.interface(of: left)))
      let receiving = try await bob.start("receive", "--discovery-timeout", "60", "--json")
      try await questions.untilAsked()
      try await forger.forge(on: left)
      // How long that takes is not promised: each forged instance costs processor time, and those before the sender's come
      // first. A busy machine has taken half a minute for what takes a second.
      let sent = try await alice.run(
        "send", "--amount", "1.00", "--discovery-timeout", "60", "--json")
      #expect(sent.status == 0, "\(sent)")
      let received = try await receiving.finish()
      #expect(received.status == 0, "\(received)")
    }
  }

  @Test(.daemon, arguments: [Forger.instances, .resolving], [Backend.daemon, .embedded])
  func `amid forged records a host with a daemon and one without find each other`(forger: Forger, sender: Backend)
    async throws
  {
    let receiver = sender == .daemon ? Backend.embedded : .daemon
    try await withHosts(["left", "right"]) { hosts in
      _ = try await Link.join(hosts[0], hosts[1])
      try await hosts[sender == .daemon ? 0 : 1].start(.avahi)
      let (alice, bob) = (try BumpCommand("alice", on: hosts[0]), try BumpCommand("bob", on: hosts[1]))
      try await forger.forge(on: hosts[0])
      let sending = try await alice.start(
        "send", "--amount", "1.00", "--discovery-timeout", "60", "--discovery", sender.rawValue, "--json")
      try await sending.event("advertising")
      let received = try await bob.run(
        "receive", "--discovery-timeout", "50", "--discovery", receiver.rawValue, "--json")
      let sent = try await sending.finish()
      #expect(received.status == 0 && sent.status == 0, "\(received)\n\(sent)")
    }
  }
}
