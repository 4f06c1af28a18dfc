import BumpDiscovery
import BumpTesting
import Glibc
import Lab
import Testing

@testable import BumpDoctor

@Suite(.processes()) struct MulticastTests {
  private static func facts(_ outcomes: [MulticastGroup: MulticastEcho.Outcome]) -> MulticastCheck.Facts {
    let eth0 = Interface(name: "eth0", index: 2, flags: [.up], ipv4: ["10.0.0.1"], ipv6: ["fe80::1"])
    return .init(interface: eth0, echoResults: outcomes.mapValues { .init(outcome: $0) })
  }

  @Test func `a packet that comes back is well, one that is lost is not`() {
    let severities = { MulticastCheck.judge(Self.facts($0)).map(\.severity) }
    #expect(severities([.ipv4: .cameBack, .ipv6: .cameBack]) == [.ok])
    #expect(severities([.ipv4: .cameBack, .ipv6: .lost]) == [.ok, .note])
    #expect(severities([.ipv4: .lost, .ipv6: .lost]) == [.problem], "what fails in both families has one cause")
    #expect(severities([:]).isEmpty)
  }

  @Test func `what the kernel refuses to send was dropped by a firewall, or has no way out`() {
    let refused = MulticastCheck.judge(Self.facts([.ipv4: .failed(EPERM), .ipv6: .failed(EPERM)]))
    #expect(refused.map(\.cause) == ["a firewall of this machine drops them on their way out"])
    let down = MulticastCheck.judge(Self.facts([.ipv4: .failed(ENETDOWN), .ipv6: .lost]))
    #expect(down.map(\.what).first?.hasSuffix("network is down") == true)
  }

  static let routes: [([MulticastGroup], [String])] = [
    ([.ipv4], ["`ip route`"]), ([.ipv6], ["`ip -6 route show table all`"]),
    ([.ipv4, .ipv6], ["`ip route`", "`ip -6 route show table all`"]),
  ]

  @Test(arguments: routes)
  func `where the kernel has no route, the commands show the routes of that family`(
    groups: [MulticastGroup], commands: [String]
  ) {
    let outcomes = groups.map { ($0, MulticastEcho.Outcome.failed(ENETUNREACH)) }
    let findings = MulticastCheck.judge(Self.facts(Dictionary(uniqueKeysWithValues: outcomes)))
    #expect(findings.map(\.remedy) == [(["`ip address show eth0`"] + commands).joined(separator: ", ")])
  }

  @Test func `what was said already is not said again`() {
    #expect(MulticastCheck.judge(Self.facts([.ipv4: .lost, .ipv6: .lost])) { _ in true }.isEmpty)
    let one = MulticastCheck.judge(Self.facts([.ipv4: .lost, .ipv6: .lost])) { $0 == .ipv4 }
    #expect(one.map(\.severity) == [.note])
  }

  @Test func `a family of which the interface has no address is heard, and not judged`() {
    var facts = Self.facts([.ipv4: .cameBack, .ipv6: .lost])
    facts.interface.ipv6 = []
    #expect(MulticastCheck.judge(facts).map(\.severity) == [.ok])
    #expect(!facts.isDeaf(to: .ipv6) && !facts.isDeaf)
  }

  @Test func `a query is one by RFC 1035`() {
    let query = Question.query(for: ["ab", "_bump-doctor", "_tcp", "local"])
    #expect(query.count == 12 + 3 + 13 + 5 + 6 + 1 + 4)
    #expect(Array(query[12..<16]) == [2, 0x61, 0x62, 12] && Array(query.suffix(5)) == [0, 0, 12, 0, 1])
  }

  @Test func `a response tells whose it is by the names that stand in it whole`() {
    var response = Question.query(for: Question.labels(of: .irlBump))
    #expect(!Question.isAnswered(response), "a question is no answer")
    response[2] = 0x84
    #expect(!Question.isAnswered(response), "nor is a response without one")
    response[7] = 1
    #expect(Question.isAnswered(response) && Question.mentions(.irlBump, response))
    #expect(!Question.mentions(.bumpDoctor, response))
    #expect(Question.mentions(instance: "_tcp", response) && !Question.mentions(instance: "alice", response))
    #expect(!Question.isAnswered([]) && !Question.mentions(.irlBump, []))
  }

  @Test func `a name is drawn anew`() {
    let names = Set((0..<100).map { _ in randomName() })
    #expect(names.count == 100 && names.allSatisfy { $0.utf8.count == 16 })
  }

  @Test func `what is published is seen`() async {
    guard case .seen = await TestService(discovery: InMemoryDiscovery()).run(within: .hang) else {
      Issue.record("not seen")
      return
    }
  }

  @Test func `what cannot be published is said once for all interfaces`() async {
    let discovery = InMemoryDiscovery()
    discovery.takeAway()
    let outcome = await TestService(discovery: discovery).run(within: .hang)
    let facts = ["eth0", "eth1"].map { PublishingCheck.Facts(interface: $0, backend: "memory", outcome: outcome) }
    let findings = PublishingCheck.judge(facts)
    #expect(findings.map(\.severity) == [.problem])
    #expect(findings.first?.what.contains("eth0 and eth1") == true)
    #expect(await SendersCheck.gather(discovery, .irlBump, SendersTests.prober(), within: .hang) == nil)
  }

  @Test func `nothing heard in time is told from nothing published`() {
    let facts = [.published, .notPublished, .seen(.milliseconds(874))].map {
      PublishingCheck.Facts(interface: "eth0", backend: "daemon", outcome: $0)
    }
    let findings = PublishingCheck.judge(facts)
    #expect(findings.map(\.severity) == [.problem, .problem, .ok])
    #expect(findings.last?.what == "a service published on eth0 is found after 0.87 s (daemon)")
  }
}
