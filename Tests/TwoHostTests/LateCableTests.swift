import Lab
import Testing

/// Hosts that have no network yet when somebody begins to wait.
@Suite(.live) struct LateCableTests {
  private let send = ["send", "--amount", "1.00", "--discovery-timeout", "60", "--json"]
  private let receive = ["receive", "--discovery-timeout", "60", "--json"]

  enum Early: CaseIterable { case sender, receiver, both }

  @Test(arguments: Early.allCases)
  func `who began to wait before there was a cable is found once there is one`(early: Early) async throws {
    try await withHosts(["left", "right"]) { hosts in
      let (left, right) = (hosts[0], hosts[1])
      async let starting: Void = left.start(.needed)
      try await right.start(.needed)
      try await starting
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))

      let sending = early == .receiver ? nil : try await alice.start(send)
      try await sending?.event("advertising")
      var receiving: RunningProcess?
      if early != .sender {
        let questions = try await right.watchQuestions(on: "lo")
        receiving = try await bob.start(receive)
        try await questions.untilAsked()
      }
      _ = try await Link.join(left, right)
      let sender = if let sending { sending } else { try await alice.start(send) }
      let receiver = if let receiving { receiving } else { try await bob.start(receive) }

      let (sent, received) = (try await sender.finish(), try await receiver.finish())
      #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
    }
  }

  @Test func `who begins while the cable is out is told so at once, and is found once it is back`() async throws {
    try await withTwoHosts { left, right, link in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      try await link.unplug(right)
      let sending = try await alice.start(send)
      try await sending.line(on: .error) {
        $0 == "There is no network, so bump reaches only this machine. `bump doctor` says why."
      }
      try await link.plug(right)
      let received = try await bob.start(receive).finish()
      let sent = try await sending.finish()
      #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
    }
  }

  /// As a kernel does it by itself: a second or two until an address is known to be nobody else's (RFC 4862 §5.4), in
  /// which it is there and nothing can be sent from it.
  @Test func `who waits is found once IPv6 addresses have been checked`() async throws {
    try await withHosts(["left", "right"]) { hosts in
      let (left, right) = (hosts[0], hosts[1])
      for host in hosts {
        try await host.shell("echo 1 >/proc/sys/net/ipv6/conf/default/accept_dad")
        try await host.start(.needed)
      }
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      let sending = try await alice.start(send)
      try await sending.event("advertising")
      let receiving = try await bob.start(receive)
      try await left.shell("ip link add cable type veth peer name cable netns \(right.processID)")
      for host in hosts { try await host.shell("ip link set cable up") }
      let (sent, received) = (try await sending.finish(), try await receiving.finish())
      #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
      let peer = try received.events.first { $0.string("event") == "connected" }?.string("peer")
      #expect(peer?.hasPrefix("[fe80::") == true, "\(received)")
    }
  }
}
