import BumpDiscovery
import BumpTesting
import Testing

@testable import BumpDoctor

@Suite(.timeLimit(.minutes(1))) struct MulticastTests {
  @Test func `a packet that comes back is well, one that is lost is not`() {
    let facts = { MulticastCheck.Facts(interface: "eth0", outcomes: $0) }
    #expect(MulticastCheck.judge(facts([.ipv4: .cameBack, .ipv6: .cameBack])).map(\.severity) == [.ok])
    #expect(MulticastCheck.judge(facts([.ipv4: .cameBack, .ipv6: .lost])).map(\.severity) == [.ok, .note])
    #expect(MulticastCheck.judge(facts([.ipv4: .lost, .ipv6: .lost])).map(\.severity) == [.problem, .problem])
    #expect(MulticastCheck.judge(facts([.ipv4: .failed("network is down")])).first?.cause == "network is down")
    #expect(MulticastCheck.judge(facts([:])).isEmpty)
  }

  @Test func `a query is one by RFC 1035`() {
    let query = MulticastEcho.query(for: "ab")
    #expect(query.count == 12 + 3 + 13 + 5 + 6 + 1 + 4)
    #expect(Array(query[12..<16]) == [2, 0x61, 0x62, 12] && Array(query.suffix(5)) == [0, 0, 12, 0, 1])
  }

  @Test func `a name is drawn anew`() {
    let names = Set((0..<100).map { _ in randomName() })
    #expect(names.count == 100 && names.allSatisfy { $0.utf8.count == 16 })
  }

  @Test func `what is published is seen`() async {
    guard case .seen = await Publication(discovery: InMemoryDiscovery()).run(within: .seconds(50)) else {
      Issue.record("not seen")
      return
    }
  }

  @Test func `what cannot be published is said once for all interfaces`() async {
    let discovery = InMemoryDiscovery()
    discovery.takeAway()
    let outcome = await Publication(discovery: discovery).run(within: .seconds(50))
    let facts = ["eth0", "eth1"].map { PublicationCheck.Facts(interface: $0, backend: "memory", outcome: outcome) }
    let findings = PublicationCheck.judge(facts)
    #expect(findings.map(\.severity) == [.problem])
    #expect(findings.first?.what.contains("eth0 and eth1") == true)
    #expect(await SendersCheck.gather(discovery, .irlBump, within: .seconds(50)) == nil)
  }

  @Test func `nothing heard in time is told from nothing published`() {
    let facts = [.published, .notPublished, .seen(.milliseconds(874))].map {
      PublicationCheck.Facts(interface: "eth0", backend: "daemon", outcome: $0)
    }
    let findings = PublicationCheck.judge(facts)
    #expect(findings.map(\.severity) == [.problem, .problem, .ok])
    #expect(findings.last?.what == "a service published by eth0 is found after 0.87 s (daemon)")
  }

  @Test func `senders in sight are told by name`() async throws {
    #expect(SendersCheck.judge([]).map(\.severity) == [.note])
    let discovery = InMemoryDiscovery()
    let names = (1...SendersCheck.limit).map { "alice\($0)-7f3a91c2d4e5b607" }
    try await withThrowingTaskGroup { group in
      for name in names {
        let service = Advertisement(name: name, type: .irlBump, port: 4000, txt: TXTRecord(bytes: []))
        group.addTask { for try await _ in discovery.advertise(service) {} }
      }
      // As many as are looked for: it does not wait for more.
      let senders = try #require(
        await SendersCheck.gather(discovery, .irlBump, within: .seconds(50), resolvingWithin: .seconds(50)))
      group.cancelAll()
      #expect(senders.map(\.name) == names)
      let finding = try #require(SendersCheck.judge(senders).first)
      #expect(finding.severity == .ok && finding.what.contains("alice1-7f3a") && finding.what.contains(":4000"))
    }
  }

  @Test func `a sender that does not resolve is a note`() {
    let findings = SendersCheck.judge([.init(name: "alice-7f3a91c2d4e5b607", address: nil)])
    #expect(findings.map(\.severity) == [.note])
  }
}
