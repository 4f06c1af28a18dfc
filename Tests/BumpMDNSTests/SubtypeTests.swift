import Samples
import Testing

@testable import BumpMDNS

/// Subtypes (RFC 6763 §7.1): a service is listed by its type, and by each of its subtypes.
@Suite struct SubtypeTests {
  private let subtype = DomainName.of("_c27._sub._irl-bump._tcp.local")
  private let other = DomainName.of("_c28._sub._irl-bump._tcp.local")
  private let pointer = Record(.of("_c27._sub._irl-bump._tcp.local"), .ptr(Names.alice), timeToLive: 120)

  private func service(_ instance: String = "alice", _ subtypes: [String] = ["_c27"], host: Int = 0) -> Service {
    var service = Service.named(instance, host: "bump-\(host).local")
    service.subtypes = subtypes
    return service
  }

  private func instances(_ ether: SimulatedLink, of host: Int = 0) -> [DomainName] {
    ether.events[host].compactMap { if case .found(_, let instance, _) = $0 { instance } else { nil } }
  }

  // MARK: The responder

  @Test func `a service is announced under its type and each of its subtypes, and withdrawn under all of them`() throws
  {
    var ether = SimulatedLink(hosts: 1)
    let id = try ether.hosts[0].publish(service("alice", ["_c27", "_c28"]), at: .zero)
    ether.run(until: .seconds(10))
    let lists = [Names.type, subtype, other].map { Record($0, .ptr(Names.alice), timeToLive: 120) }
    for response in ether.responses() {
      #expect(Set(response.message.answers.filter { $0.data == .ptr(Names.alice) }) == Set(lists))
    }
    #expect(ether.responses().count == 2)
    ether.hosts[0].withdraw(id, at: ether.now)
    ether.settle()
    let goodbye = try #require(ether.responses().last).message.answers
    #expect(Set(goodbye.filter { $0.data == .ptr(Names.alice) }) == Set(lists.map { $0.with(timeToLive: 0) }))
  }

  @Test func `a question for a subtype is answered by its services alone, with what resolving needs`() throws {
    var ether = SimulatedLink(hosts: 1)
    _ = try ether.hosts[0].publish(service(), at: .zero)
    _ = try ether.hosts[0].publish(service("bob", ["_c28"]), at: .zero)
    ether.run(until: .seconds(10))
    for (name, isOurs) in [(subtype, true), (DomainName.of("_c29._sub._irl-bump._tcp.local"), false)] {
      let before = ether.responses().count
      ether.hear(Message(questions: [Question(name, .ptr)]))
      ether.run(until: ether.now + .seconds(5))
      let responses = ether.responses().dropFirst(before).map(\.message)
      #expect(responses.count == (isOurs ? 1 : 0))
      guard let response = responses.first else { continue }
      #expect(response.answers == [pointer])
      #expect(Set(response.additionals.map(\.data.type)).isSuperset(of: [.srv, .txt, .a]))
      #expect(response.additionals.allSatisfy { $0.name == Names.alice || $0.name == Names.host })
    }
  }

  @Test func `a service that the asking host knows already is not told of again`() throws {
    var ether = SimulatedLink(hosts: 1)
    _ = try ether.hosts[0].publish(service(), at: .zero)
    ether.run(until: .seconds(10))
    let before = ether.responses().count
    var question = Message(questions: [Question(subtype, .ptr)])
    question.answers = [pointer]
    ether.hear(question)
    // That it is known by its type is not that it is known by its subtype.
    question.answers = [Record(Names.type, .ptr(Names.alice), timeToLive: 120)]
    ether.run(until: ether.now + .seconds(5))
    #expect(ether.responses().count == before)
    ether.hear(question)
    ether.run(until: ether.now + .seconds(5))
    #expect(ether.responses().count == before + 1)
  }

  @Test func `a subtype that is no label is refused`() {
    var ether = SimulatedLink(hosts: 1)
    for label in ["", String(repeating: "x", count: 64)] {
      #expect(throws: PublishError.badName) { try ether.hosts[0].publish(service("alice", [label]), at: .zero) }
    }
  }

  @Test func `another host that has the subtype is no rival`() throws {
    var ether = SimulatedLink(hosts: 2)
    for (host, name) in ["alice", "bob"].enumerated() {
      _ = try ether.hosts[host].publish(service(name, host: host), at: .zero)
    }
    ether.run(until: .seconds(10))
    #expect(ether.events.allSatisfy { $0.isEmpty })
  }

  // MARK: The querier

  @Test func `who browses a subtype finds its services and no others, whoever comes first`() throws {
    for isEarly in [true, false] {
      var ether = SimulatedLink(hosts: 3)
      if isEarly { _ = ether.hosts[0].start(.browse(subtype, interface: 0), at: .zero) }
      _ = try ether.hosts[1].publish(service(host: 1), at: .zero)
      _ = try ether.hosts[2].publish(service("bob", ["_c28"], host: 2), at: .zero)
      ether.run(until: .seconds(3))
      if !isEarly { _ = ether.hosts[0].start(.browse(subtype, interface: 0), at: ether.now) }
      ether.run(until: ether.now + .seconds(30))
      #expect(instances(ether) == [Names.alice])
    }
  }

  @Test func `who browses the type finds the services of all subtypes, and each once`() throws {
    var ether = SimulatedLink(hosts: 3)
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    _ = try ether.hosts[1].publish(service("alice", ["_c27", "_c28"], host: 1), at: .zero)
    _ = try ether.hosts[2].publish(service("bob", [], host: 2), at: .zero)
    ether.run(until: .seconds(30))
    #expect(Set(instances(ether)) == [Names.alice, .of("bob._irl-bump._tcp.local")])
    #expect(instances(ether).count == 2)
  }

  @Test func `who overhears a subtype is told of the questions of others for it, and of no more`() throws {
    for families in [[Family.ipv4], Family.allCases] {
      var ether = SimulatedLink(hosts: 3, families: families)
      let ids = (0...1).map { ether.hosts[$0].start(.overhear(subtype, interface: 0), at: .zero) }
      // Its own question comes back to it.
      let browse = ether.hosts[0].start(.browse(subtype, interface: 0), at: .zero)
      _ = ether.hosts[2].start(.browse(other, interface: 0), at: .zero)
      _ = ether.hosts[2].start(.browse(Names.type, interface: 0), at: .zero)
      ether.settle()
      #expect(ether.events[0].isEmpty)
      #expect(Set(ether.events[1]) == [.asked(ids[1])])
      ether.hosts[0].cancel(browse)
      ether.hosts[1].cancel(ids[1])
      ether.events = [[], [], []]
      _ = ether.hosts[2].start(.browse(subtype, interface: 0), at: ether.now)
      ether.settle()
      #expect(Set(ether.events[0]) == [.asked(ids[0])])
      #expect(ether.events[1].isEmpty)
    }
  }

  @Test func `who overhears a subtype asks nothing`() {
    var ether = SimulatedLink(hosts: 1)
    _ = ether.hosts[0].start(.overhear(subtype, interface: 0), at: .zero)
    ether.run(until: .seconds(60))
    #expect(ether.sent.isEmpty)
  }

  @Test func `what is found by a subtype is resolved without another question`() throws {
    var ether = SimulatedLink(hosts: 2)
    _ = try ether.hosts[1].publish(service(host: 1), at: .zero)
    ether.run(until: .seconds(3))
    _ = ether.hosts[0].start(.browse(subtype, interface: 0), at: ether.now)
    ether.settle()
    let asked = ether.sent.count { $0.host == 0 }
    let resolve = ether.hosts[0].start(.resolve(Names.alice, interface: SimulatedLink.interface), at: ether.now)
    ether.settle()
    guard case .resolved(resolve, let resolution)? = ether.events[0].last else {
      Issue.record("it is not resolved")
      return
    }
    #expect(resolution.port == 4242 && resolution.addresses == [SimulatedLink.address(1)])
    #expect(ether.sent.count { $0.host == 0 } == asked)
  }

  /// Anybody can say that a subtype lists something else.
  @Test func `a pointer of a subtype to what is no instance of its type finds nothing`() {
    for target in ["evil._http._tcp.local", "alice._c27._sub._irl-bump._tcp.local", "_irl-bump._tcp.local"] {
      var ether = SimulatedLink(hosts: 1)
      _ = ether.hosts[0].start(.browse(subtype, interface: 0), at: .zero)
      ether.settle()
      let host = RecordData.srv(priority: 0, weight: 0, port: 80, target: Names.host)
      ether.hear(
        Message(answers: [
          Record(subtype, .ptr(.of(target)), timeToLive: 120), Record(.of(target), host, timeToLive: 120),
        ]))
      #expect(ether.events[0].isEmpty, "\(target)")
    }
  }

  @Test func `what another subtype lists is not kept, and what was listed is forgotten with its pointer`() {
    var ether = SimulatedLink(hosts: 1)
    _ = ether.hosts[0].start(.browse(subtype, interface: 0), at: .zero)
    ether.settle()
    let host = Record(
      Names.alice, .srv(priority: 0, weight: 0, port: 80, target: Names.host), timeToLive: 120, flushesCache: true)
    ether.hear(Message(answers: [Record(other, .ptr(Names.alice), timeToLive: 120), host]))
    #expect(ether.hosts[0].memory.records == 0)
    ether.hear(Message(answers: [pointer, host]))
    #expect(ether.hosts[0].memory.records == 2)
    ether.hear(Message(answers: [pointer.with(timeToLive: 0), host.with(timeToLive: 0)]))
    ether.run(until: .seconds(5))
    #expect(ether.hosts[0].memory.records == 0)
    ether.hear(Message(answers: [host]))
    #expect(ether.hosts[0].memory.records == 0)
  }

  /// RFC 6762 §10.4.
  @Test func `an instance that does not answer is asked for by the subtype that listed it, and lost`() {
    var ether = SimulatedLink(hosts: 1)
    let browse = ether.hosts[0].start(.browse(subtype, interface: 0), at: .zero)
    ether.settle()
    ether.hear(Message(answers: [pointer]))
    ether.run(until: .seconds(5))
    let asked = ether.queries().count
    ether.hosts[0].reconfirm(Names.alice, interface: 0, at: ether.now)
    ether.run(until: .seconds(6))
    #expect(ether.queries().dropFirst(asked).contains { $0.message.questions == [Question(subtype, .ptr)] })
    ether.run(until: .seconds(16))
    #expect(ether.events[0].last == .lost(browse, instance: Names.alice, interface: SimulatedLink.interface))
  }

  @Test func `a subtype's name tells its type, and no other name is taken for one`() {
    #expect(subtype.listedType == Names.type)
    #expect(DomainName.of("_C27._SUB._irl-bump._tcp.local").listedType == Names.type)
    for name in ["_irl-bump._tcp.local", "_sub._irl-bump._tcp.local", "a._subs._irl-bump._tcp.local", "local"] {
      #expect(DomainName.of(name).listedType == .of(name))
    }
  }

  // MARK: A crowd

  /// A receiver's first minute.
  private struct Minute: Equatable {
    /// The number of packets that it sends, and of those that it gets.
    var sent, received: Int
    /// The number of known answers in all that it sends.
    var knownAnswers: Int
  }

  private func minute(_ browsed: DomainName, among others: Int) throws -> Minute {
    var ether = SimulatedLink(hosts: others + 2)
    _ = try ether.hosts[1].publish(service(host: 1), at: .zero)
    for host in 2..<others + 2 {
      _ = try ether.hosts[host].publish(service("s\(host)", ["_c\(28 + host)"], host: host), at: .zero)
    }
    ether.run(until: .seconds(3))
    let before = ether.sent.count
    _ = ether.hosts[0].start(.browse(browsed, interface: 0), at: ether.now)
    ether.settle()
    let found = instances(ether)
    for instance in found {
      _ = ether.hosts[0].start(.resolve(instance, interface: SimulatedLink.interface), at: ether.now)
    }
    ether.run(until: ether.now + .seconds(60))
    let isResolved = ether.events[0].count { if case .resolved = $0 { true } else { false } }
    #expect(found.contains(Names.alice) && isResolved == found.count)
    let now = ether.sent.dropFirst(before)
    let known = now.filter { $0.host == 0 }.compactMap { try? $0.message.answers.count }.reduce(0, +)
    return Minute(sent: now.count { $0.host == 0 }, received: now.count { $0.host != 0 }, knownAnswers: known)
  }

  @Test func `a receiver with a code sends and gets as many packets among fifty other senders as among none`() throws {
    let alone = try minute(subtype, among: 0)
    for others in [1, 8, 50] { #expect(try minute(subtype, among: others) == alone, "among \(others)") }
    #expect(alone.knownAnswers > 0, "its sender is among the known answers")
  }

  @Test func `a receiver that browses the type gets an answer of each sender, and tells all of them what it knows`()
    throws
  {
    let (alone, crowd) = (try minute(Names.type, among: 0), try minute(Names.type, among: 50))
    #expect(crowd.received >= alone.received + 50)
    #expect(crowd.knownAnswers >= alone.knownAnswers + 50)
  }

  /// Two senders that draw one channel, and fifty that draw others: who looks asks each channel for itself.
  @Test func `a sender that looks for a free channel is answered by those that have it alone`() throws {
    var ether = SimulatedLink(hosts: 53)
    for host in 1..<51 {
      _ = try ether.hosts[host].publish(service("s\(host)", ["_c\(30 + host)"], host: host), at: .zero)
    }
    for host in 51..<53 { _ = try ether.hosts[host].publish(service("s\(host)", host: host), at: .zero) }
    ether.run(until: .seconds(3))
    let before = ether.sent.count
    let look = ether.hosts[0].start(.browse(subtype, interface: 0), at: ether.now)
    ether.run(until: ether.now + .milliseconds(15))
    ether.hosts[0].cancel(look)
    ether.run(until: ether.now + .seconds(10))
    #expect(instances(ether).count == 2)
    #expect(ether.sent.dropFirst(before).map(\.host).sorted() == [0, 51, 52])
  }

  // MARK: Beside another responder

  /// `Deviation.earlyAnnouncement`.
  @Test func `the pointers of all subtypes are announced early, and withdrawn with that of the type`() {
    var ether = SimulatedLink(hosts: 1)
    let pointers = [Names.type, subtype, other].map { Record($0, .ptr(Names.alice), timeToLive: 4500) }
    let id = ether.hosts[0].announceEarly(pointers, at: .zero)
    ether.settle()
    #expect(ether.queries().map(\.message.questions) == [[Question(Names.alice, .srv), Question(Names.alice, .txt)]])
    let host = RecordData.srv(priority: 0, weight: 0, port: 4242, target: Names.host)
    ether.hear(
      Message(answers: [Record(Names.alice, host, timeToLive: 120, flushesCache: true)]),
      from: SimulatedLink.address(0))
    #expect(ether.responses().map { Set($0.message.answers) } == [Set(pointers)])
    ether.hosts[0].withdraw(id, at: ether.now)
    ether.settle()
    #expect(ether.responses().last.map { Set($0.message.answers) } == Set(pointers.map { $0.with(timeToLive: 0) }))
  }
}
