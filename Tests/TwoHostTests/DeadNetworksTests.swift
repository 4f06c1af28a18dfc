import Lab
import Testing

@Suite(.live) struct DeadNetworksTests {
  enum Odd: CaseIterable { case sender, receiver, both }

  @Test(arguments: Odd.allCases)
  func `interfaces that lead nowhere do not draw a bump`(odd: Odd) async throws {
    try await withHosts(["left", "right", "nowhere"]) { hosts in
      let (left, right, nowhere) = (hosts[0], hosts[1], hosts[2])
      if odd != .receiver { try await DeadNetworks.add(to: left, beside: nowhere, number: 1) }
      _ = try await Link.join(left, right)
      if odd != .sender { try await DeadNetworks.add(to: right, beside: nowhere, number: 2) }
      try await startAll([left, right])
      try await expectBumps(from: left, to: right, over: 0)
    }
  }

  @Test(arguments: [0, 1])
  func `of two cables one that only discovery gets over does not keep a bump from the other`(deaf: Int) async throws {
    try await withHosts(["left", "right"]) { hosts in
      let (left, right) = (hosts[0], hosts[1])
      let cables = [try await Link.join(left, right), try await Link.join(left, right, number: 1)]
      for host in hosts {
        try await host.shell(
          """
          nft add table inet lab
          nft add chain inet lab input '{ type filter hook input priority 0; }'
          nft add rule inet lab input iifname \(try #require(cables[deaf].interface(of: host))) meta l4proto tcp drop
          """)
      }
      try await startAll(hosts)
      try await expectBumps(from: left, to: right, over: 1 - deaf)
    }
  }

  @Test func `containers that come and go while somebody waits do not matter`() async throws {
    try await withTwoHosts { left, right, _ in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      let sending = try await alice.start("send", "--amount", "1.00", "--json")
      try await sending.event("advertising")
      try await left.shell(
        """
        for number in $(seq 20); do
          ip link add come$number type veth peer name go$number
          ip link set come$number up
          ip link set go$number up
          ip address add 172.17.$number.1/24 dev come$number
        done
        for number in $(seq 20); do ip link del come$number; done
        """)
      let received = try await bob.run("receive", "--json")
      try expectDelivered(try await sending.finish(), received, over: 0)
    }
  }

  private func startAll(_ hosts: [Host]) async throws {
    async let first: Void = hosts[0].start(.needed)
    async let second: Void = hosts[1].start(.needed)
    _ = try await (first, second)
  }

  /// Of two bumps the sender is there first in one, the receiver in the other.
  private func expectBumps(from left: Host, to right: Host, over network: Int) async throws {
    let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
    let sending = try await alice.start("send", "--amount", "1.00", "--json")
    try await sending.event("advertising")
    let received = try await bob.run("receive", "--json")
    let sent = try await sending.finish()
    try expectDelivered(sent, received, over: network)

    let receiving = try await bob.start("receive", "--json")
    try await receiving.event("browsing")
    let sentLater = try await alice.run("send", "--amount", "1.00", "--json")
    let receivedLater = try await receiving.finish()
    try expectDelivered(sentLater, receivedLater, over: network)
  }

  private func expectDelivered(_ sent: ProcessResult, _ received: ProcessResult, over network: Int) throws {
    #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
    try expectPeers(of: sent, at: network, host: 2)
    try expectPeers(of: received, at: network, host: 1)
  }

  /// Link-local addresses would do, but are told of only where there are no others.
  private func expectPeers(of finished: ProcessResult, at network: Int, host: Int) throws {
    let peers = try finished.events.filter { $0.string("event") == "connected" }.compactMap { $0.string("peer") }
    let isThere = { (peer: String) in
      let ipv6 = network == 0 ? "[fd77::\(host)]:" : "[fd77:\(network)::\(host)]:"
      return peer.hasPrefix("\(Link.ipv4(network: network, host: host)):") || peer.hasPrefix(ipv6)
    }
    #expect(!peers.isEmpty && peers.allSatisfy(isThere), "\(finished)")
  }
}
