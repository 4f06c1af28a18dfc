import BumpClaims
import BumpDiscovery
import BumpKit
import BumpTesting
import Lab
import NIOCore
import Synchronization
import Testing

@testable import BumpDoctor

/// Who is in sight, and whether a receiver would get to them.
@Suite(.processes()) struct SendersTests {
  static let now: Int64 = 1_800_000_000
  private static let eth0 = Interface(
    name: "eth0", index: 2, flags: [.up, .running, .multicast], ipv4: ["192.0.2.1"], ipv6: ["fe80::1"])

  static func prober(
    _ answer: PeerProbe.Answer = .welcome(.open), direct: [UInt8]? = nil
  ) -> SendersCheck.Prober {
    .init(networks: { .everywhere }, probe: { _ in answer }, ask: { _ in direct })
  }

  private static func candidate(
    _ address: String, _ likelihood: LocalNetworks.Likelihood? = .onLink
  ) throws -> SendersCheck.AddressCandidate {
    .init(address: try SocketAddress(ipAddress: address, port: 4000), interface: 2, likelihood: likelihood)
  }

  private static func sender(
    _ candidate: SendersCheck.AddressCandidate, _ answer: PeerProbe.Answer?, isAnnounced: Bool? = nil,
    expiry: Int64? = nil
  ) -> SendersCheck.Sender {
    .init(
      name: "alice-7f3a91c2d4e5b607", expiry: expiry.flatMap { Expiry(unixSeconds: $0) }, candidates: [candidate],
      answers: answer.map { [candidate.address: $0] } ?? [:], isAnnounced: isAnnounced)
  }

  private func findings(
    _ sender: SendersCheck.Sender, _ context: SendersCheck.Context = .init(interfaces: [eth0])
  ) -> [Finding] { SendersCheck.judge([sender], context, now: Self.now) }

  /// Gathers, and ends the time to browse once it has taken as many senders.
  private static func gather(
    _ count: Int, in memory: InMemoryDiscovery, _ prober: SendersCheck.Prober
  ) async -> [SendersCheck.Sender]? {
    let clock = ManualClock()
    let limit = Duration.seconds(2)
    let discovery = CountedDiscovery(memory: memory, count: count) {
      await clock.hasSleeper(until: limit)
      clock.advance(by: limit)
    }
    return await SendersCheck.gather(
      discovery, .irlBump, prober, within: limit, on: clock, resolvingWithin: .hang)
  }

  @Test func `each sender in sight is tried as far as WELCOME, and told by name`() async throws {
    let discovery = InMemoryDiscovery()
    let names = (1...SendersCheck.limit).map { "alice\($0)-7f3a91c2d4e5b607" }
    try await withThrowingTaskGroup { group in
      for name in names {
        let service = Advertisement(name: name, type: .irlBump, port: 4000, txt: try TXTRecord(["x": "1800000001"]))
        group.addTask { for try await _ in discovery.advertise(service) {} }
      }
      let senders = try #require(await Self.gather(names.count, in: discovery, Self.prober()))
      group.cancelAll()
      #expect(senders.map(\.name) == names && senders.allSatisfy { $0.expiry?.unixSeconds == 1_800_000_001 })
      let finding = try #require(SendersCheck.judge(senders, .init(), now: Self.now).first)
      #expect(finding.severity == .ok)
      #expect(finding.what == "alice1-7f3a, in sight at 192.0.2.1:4000, is a sender, without code or key, and answers")
    }
  }

  @Test func `a sender that does not answer is asked whether it is still there`() async throws {
    let discovery = InMemoryDiscovery()
    let name = "alice-7f3a91c2d4e5b607"
    var response = Question.query(for: [name] + Question.labels(of: .irlBump))
    (response[2], response[7]) = (0x84, 1)
    let cases: [([UInt8]?, Bool)] = [(response, true), (nil, false)]
    for (direct, isAnnounced) in cases {
      await withThrowingTaskGroup { group in
        let service = Advertisement(name: name, type: .irlBump, port: 4000, txt: TXTRecord(bytes: []))
        group.addTask { for try await _ in discovery.advertise(service) {} }
        let senders = await Self.gather(1, in: discovery, Self.prober(.refused, direct: direct))
        group.cancelAll()
        #expect(senders?.map(\.isAnnounced) == [isAnnounced])
      }
    }
  }

  @Test func `a sender without an address is a note`() {
    let sender = SendersCheck.Sender(name: "alice-7f3a91c2d4e5b607")
    #expect(findings(sender).map(\.severity) == [.note])
  }

  private static let unreached: [(PeerProbe.Answer, Bool?, Finding.Severity, String)] = [
    (.refused, true, .problem, "a firewall on that machine rejects TCP port 4000"),
    (.refused, false, .note, "it has ended without a goodbye"),
    (.rejected(by: "192.0.2.7"), true, .problem, "a firewall on that machine rejects"),
    (.rejected(by: "192.0.2.254"), true, .problem, "a firewall or router between"),
    (.stoppedHere, true, .problem, "a firewall of this machine"), (.nobody, true, .problem, "no such machine"),
    (.nobody, false, .note, "it has left the network"), (.silent, true, .problem, "is suspended"),
    (.noAnswer, true, .problem, "on that machine, or on this one, whose rules only root can read"),
    (.gaveUp(.version), nil, .problem, "another version"), (.gaveUp(.protocolError), nil, .problem, "another version"),
  ]

  @Test(arguments: unreached)
  func `a sender that a receiver does not get to is told by why`(
    answer: PeerProbe.Answer, isAnnounced: Bool?, severity: Finding.Severity, cause: String
  ) throws {
    let findings = findings(Self.sender(try Self.candidate("192.0.2.7"), answer, isAnnounced: isAnnounced))
    #expect(findings.map(\.severity) == [severity])
    #expect(findings.first?.cause?.contains(cause) == true, "\(findings)")
  }

  @Test func `a firewall is blamed there only where the one here is known to let through`() throws {
    let sender = Self.sender(try Self.candidate("192.0.2.7"), .noAnswer, isAnnounced: true)
    let cause = { truth in
      SendersCheck.judge([sender], .init(letsConnect: truth), now: Self.now).map(\.cause)
    }
    #expect(
      cause(.yes) == [
        "a firewall on that machine drops TCP port 4000, or that machine has no route back to this one. "
          + "The firewall of this machine lets it through"
      ])
    #expect(cause(.no) == [], "that was said of the firewall here")
  }

  @Test(arguments: [true, false])
  func `a machine that answers nothing may have no route back, also where its multicast DNS answers`(isAnnounced: Bool)
    throws
  {
    let sender = Self.sender(try Self.candidate("192.0.2.7"), .noAnswer, isAnnounced: isAnnounced)
    let findings = SendersCheck.judge([sender], .init(letsConnect: .yes, heardSenders: ["192.0.2.7"]), now: Self.now)
    #expect(findings.map { $0.cause?.contains(", or that machine has no route back to this one") } == [true])
    #expect(findings.first?.remedy?.contains("`ip route` there") == true, "\(findings)")
  }

  @Test func `a sender that is heard but not reached is kept apart`() throws {
    let sender = Self.sender(try Self.candidate("192.0.2.7"), .nobody, isAnnounced: false)
    let findings = findings(sender, .init(interfaces: [Self.eth0], heard: ["192.0.2.7"]))
    #expect(findings.map(\.severity) == [.problem])
    #expect(findings.first?.cause?.contains("client isolation") == true)
  }

  @Test func `a sender that was heard just now has not ended`() throws {
    let sender = Self.sender(try Self.candidate("192.0.2.7"), .refused, isAnnounced: false)
    let findings = findings(sender, .init(interfaces: [Self.eth0], heardSenders: ["192.0.2.7"]))
    #expect(findings.map(\.cause) == ["a firewall on that machine rejects TCP port 4000"])
  }

  @Test func `a sender of this machine that cannot be reached shows its own firewall, which is said once`() throws {
    let sender = Self.sender(try Self.candidate("192.0.2.1", .own), .noAnswer)
    #expect(findings(sender).map(\.check) == [.firewall])
    #expect(findings(sender, .init(interfaces: [Self.eth0], isClosed: true)).isEmpty)
  }

  @Test func `a sender whose addresses are on no link of ours is told with both subnets`() throws {
    let findings = findings(Self.sender(try Self.candidate("198.51.100.7", nil), nil))
    #expect(
      findings.map(\.what) == [
        "alice-7f3a is in sight at 198.51.100.7, which is in no network of eth0 (192.0.2.1, fe80::1)"
      ])
    #expect(findings[0].remedy?.contains("198.51.100.7") == false, "whoever forged it would be connected to")
    var onlyIPv6 = Self.eth0
    onlyIPv6.ipv4 = []
    let other = SendersCheck.judge(
      [Self.sender(try Self.candidate("198.51.100.7", nil), nil)], .init(interfaces: [onlyIPv6]), now: Self.now)
    #expect(other.map(\.what) == ["alice-7f3a has IPv4 addresses only (198.51.100.7), and eth0 has none"])
  }

  private static let expiries: [(Int64, String?)] = [
    (now + 1, nil), (now + 365 * 86400, nil), (now + 365 * 86400 + 7200, "2 hours"), (now, "0 seconds ago"),
    (now - 600, "10 minutes ago"), (0, "days ago"), (Int64.max, "days"),
  ]

  @Test(arguments: expiries)
  func `a sender's record tells of clocks that are too far apart`(expiry: Int64, words: String?) throws {
    let findings = findings(Self.sender(try Self.candidate("192.0.2.7"), .welcome(.open), expiry: expiry))
    #expect(findings.map(\.severity) == (words == nil ? [.ok] : [.ok, .problem]))
    let said = findings.last.map { $0.what + ($0.cause ?? "") } ?? ""
    #expect(said.contains(words ?? ""), "\(findings)")
  }

  @Test func `where the clock here was never set, no other is blamed`() throws {
    let sender = Self.sender(try Self.candidate("192.0.2.7"), .welcome(.open), expiry: Self.now)
    #expect(SendersCheck.judge([sender], .init(), now: 1000).map(\.severity) == [.ok])
  }

  // MARK: Nobody

  private func link(
    _ interface: Interface = eth0, respondingHosts: [MulticastGroup: Set<MulticastEcho.RespondingHost>] = [:],
    routers: Set<String> = [], others: Set<String> = [], former: Set<String> = [], direct: [String] = []
  ) -> NoPeerCheck.Link {
    .init(
      interface: interface, echoResults: respondingHosts.mapValues { .init(outcome: .cameBack, respondingHosts: $0) },
      neighbours: .init(interface: interface.name, routers: routers, others: others, former: former),
      direct: direct)
  }

  private func judge(_ link: NoPeerCheck.Link, isSending: Bool = false) -> Finding? {
    let networks = LocalNetworks(entries: [.init(address: [192, 0, 2, 1], prefix: 24, interface: 2)])
    return NoPeerCheck.judge([link], on: networks, isSending: isSending)
  }

  @Test func `where nobody is in sight, what is known is said, once`() throws {
    var onlyIPv6 = Self.eth0
    onlyIPv6.ipv4 = []
    let respondingHost = MulticastEcho.RespondingHost(address: "192.0.2.7", isSender: true)
    let cases: [(NoPeerCheck.Link, Finding.Severity, String)] = [
      (
        link(onlyIPv6, respondingHosts: [.ipv4: [respondingHost]]), .problem,
        "a sender at 192.0.2.7 is heard over IPv4, and eth0 has no"
      ),
      (link(others: ["192.0.2.7"], direct: ["192.0.2.7"]), .problem, "answers a direct query"),
      (
        link(respondingHosts: [.ipv4: [.init(address: "192.0.2.7", isSender: false)]]), .note,
        "multicast DNS from 192.0.2.7 arrives"
      ),
      (link(routers: ["192.0.2.254"], others: ["192.0.2.7"]), .note, "though there is 192.0.2.7 on the link"),
      (link(routers: ["192.0.2.254"]), .note, "nobody on the link besides the router 192.0.2.254"),
      (link(), .note, "and nobody on the link, as far"),
      (link(former: ["192.0.2.7"]), .note, "as far as can be told; 192.0.2.7 was there earlier"),
      (
        link(respondingHosts: [.ipv4: [.init(address: "198.51.100.7", isSender: false)]]), .note,
        "from 198.51.100.7 alone, which is in no network of eth0"
      ),
    ]
    for (link, severity, words) in cases {
      let finding = try #require(judge(link))
      #expect(finding.severity == severity && finding.what.contains(words), "\(finding)")
    }
    var onlyIPv4 = Self.eth0
    onlyIPv4.ipv6 = []
    #expect(judge(link())?.cause?.contains("has the address") == false)
    #expect(judge(link(onlyIPv4))?.cause?.contains("has the address 192.0.2.1 too") == true)
    #expect(judge(link(onlyIPv4))?.cause?.hasSuffix("has IPv6 only, which this one has not") == true)
  }

  @Test func `beside a sender of this machine's own a receiver is missed, and whoever is heard may be one`() {
    var onlyIPv4 = Self.eth0
    onlyIPv4.ipv6 = []
    let near = MulticastEcho.RespondingHost(address: "fe80::7", isSender: false)
    #expect(judge(link(respondingHosts: [.ipv6: [near]]), isSending: true) == nil)
    #expect(
      judge(link(onlyIPv4, respondingHosts: [.ipv6: [near]]), isSending: true)?.what.contains("fe80::7 alone") == true)
    let alone = judge(link(), isSending: true)
    #expect(alone?.what.hasPrefix("no receiver is heard") == true && alone?.remedy?.contains("bump receive") == true)
  }

  @Test func `neighbours are those that the kernel has met, and routers by whatever address`() {
    var neighbours = LinkNeighbours(interface: "eth0", routers: ["192.0.2.254"])
    neighbours.read(
      """
      [{"dst":"192.0.2.254","lladdr":"02:00:00:00:00:01","state":["REACHABLE"]},
       {"dst":"fe80::fe","lladdr":"02:00:00:00:00:01","state":["STALE"]},
       {"dst":"fe80::aa","lladdr":"02:00:00:00:00:02","router":null,"state":["STALE"]},
       {"dst":"192.0.2.99","state":["FAILED"]},
       {"dst":"192.0.2.7","lladdr":"02:00:00:00:00:03","state":["DELAY"]},
       {"dst":"192.0.2.8","lladdr":"02:00:00:00:00:04","state":["STALE"]},
       {"dst":"fe80::7","lladdr":"02:00:00:00:00:03","state":["STALE"]}]
      """, echoed: ["fe80::7", "fe80::1"], own: ["fe80::1"])
    #expect(neighbours.routers == ["192.0.2.254", "fe80::fe", "fe80::aa"])
    #expect(neighbours.others == ["192.0.2.7", "fe80::7"], "an echo came of the second")
    #expect(neighbours.former == ["192.0.2.8"])
    #expect(LinkNeighbours.gateways(#"[{"dst":"default","gateway":"192.0.2.254","dev":"eth0"}]"#) == ["192.0.2.254"])
    #expect(LinkNeighbours.gateways("").isEmpty)
  }
}

/// A discovery in memory that says when a number of instances has been taken from it, and it is asked for more.
private struct CountedDiscovery: Discovery {
  let memory: InMemoryDiscovery
  let count: Int
  let areTaken: @Sendable () async -> Void
  var backend: String { memory.backend }

  func browse(_ type: ServiceType, subtype: ServiceSubtype?) -> AsyncThrowingStream<BrowseEvent, any Error> {
    let events = memory.browse(type, subtype: subtype)
    let taken = Mutex(0)
    return AsyncThrowingStream {
      let number = taken.withLock { taken in
        taken += 1
        return taken
      }
      if number > count { await areTaken() }
      return try await events.first { _ in true }
    }
  }

  func advertise(_ service: Advertisement) -> AsyncThrowingStream<String, any Error> { memory.advertise(service) }

  func resolve(_ instance: ServiceInstance) async throws -> ResolvedService { try await memory.resolve(instance) }

  func addresses(of service: ResolvedService) -> AsyncThrowingStream<SocketAddress, any Error> {
    memory.addresses(of: service)
  }
}
