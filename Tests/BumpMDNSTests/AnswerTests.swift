import Samples
import Testing

@testable import BumpMDNS

/// What is answered and announced, and when.
@Suite struct AnswerTests {
  private let question = Message(questions: [Question(Names.type, .ptr)])
  private let pointer = Record(Names.type, .ptr(Names.alice), timeToLive: 120)
  private let srv = Record(
    Names.alice, .srv(priority: 0, weight: 0, port: 4242, target: Names.host), timeToLive: 120, flushesCache: true)
  private let text = Record(Names.alice, .txt(Array("\u{3}v=1".utf8)), timeToLive: 120, flushesCache: true)
  private let address = Record(Names.host, .a([192, 0, 2, 1]), timeToLive: 120, flushesCache: true)
  private let types = Record(.of("_services._dns-sd._udp.local"), .ptr(Names.type), timeToLive: 120)

  /// A host that has announced alice for good.
  private func published(seed: UInt64 = 1, families: [Family] = [.ipv4]) throws -> SimulatedLink {
    var ether = SimulatedLink(hosts: 1, seed: seed, families: families)
    _ = try ether.hosts[0].publish(.named(), at: .zero)
    ether.run(until: .seconds(10))
    return ether
  }

  /// When the last response was multicast, and what it said, since a moment.
  private func answers(_ ether: SimulatedLink, since moment: Moment) -> [(moment: Moment, message: Message)] {
    ether.responses().filter { $0.moment >= moment }
  }

  // MARK: Announcing

  /// RFC 6762 §8.3; RFC 6763 §4 to §6, §9. Not a word of the machine's own name.
  @Test func `a service is announced at once and again after a second`() throws {
    let ether = try published()
    #expect(ether.responses().map(\.moment) == [.zero, .seconds(1)])
    for (_, message) in ether.responses() {
      #expect(Set(message.answers) == [pointer, srv, text, address, types])
      #expect(message.questions.isEmpty && message.id == 0)
    }
  }

  @Test func `all records live for 120 seconds, and those that are ours alone flush caches`() throws {
    for record in try published().responses().flatMap(\.message.answers) {
      #expect(record.timeToLive == 120)
      #expect(record.flushesCache == (record.data.type != .ptr))
    }
  }

  @Test func `a host is named by 64 random bits`() throws {
    var ether = SimulatedLink(hosts: 2, seed: 9)
    for host in 0..<2 { _ = try ether.hosts[host].publish(.named("\(host)", host: nil), at: .zero) }
    ether.run(until: .zero)
    let names = Set(
      ether.sent.compactMap { try? $0.message }.flatMap(\.answers).filter { $0.data.type == .a }.map(\.name.description)
    )
    #expect(names.count == 2)
    #expect(names.allSatisfy { $0.wholeMatch(of: /bump-[0-9a-f]{16}\.local\./) != nil })
  }

  @Test func `a service is published on the one interface that is chosen`() throws {
    var engine = Engine(random: SplitMix64(seed: 1))
    let addresses = [LocalAddress(bytes: [192, 0, 2, 1], prefix: 24)]
    engine.update([Interface(index: 2, addresses: addresses), Interface(index: 3, addresses: addresses)], at: .zero)
    _ = try engine.publish(.named(), interface: 3, at: .zero)
    engine.advance(to: .zero)
    #expect(Set(engine.takeTransmissions().map(\.link.interface)) == [3])
    engine.receive(
      ReceivedPacket(
        bytes: question.bytes, source: [192, 0, 2, 9], port: 4000, link: Link(interface: 2, family: .ipv4),
        isMulticast: true), at: .zero)
    engine.advance(to: .seconds(9))
    #expect(!engine.takeTransmissions().contains { $0.link.interface == 2 })
  }

  @Test func `each interface tells its own addresses`() throws {
    var engine = Engine(random: SplitMix64(seed: 1))
    let interfaces = [UInt8(2), 3].map {
      Interface(index: UInt32($0), addresses: [LocalAddress(bytes: [192, 0, $0, 1], prefix: 24)])
    }
    engine.update(interfaces, at: .zero)
    _ = try engine.publish(.named(), at: .zero)
    engine.advance(to: .zero)
    for transmission in engine.takeTransmissions() {
      let told = try Message(transmission.bytes).answers.filter { $0.data.type == .a }.map(\.data)
      #expect(told == [.a([192, 0, UInt8(transmission.link.interface), 1])])
    }
  }

  @Test func `a link-local address is told where there is no other of its family`() {
    let linkLocal = LocalAddress(bytes: [0xFE, 0x80] + [UInt8](repeating: 1, count: 14), prefix: 64)
    let global = LocalAddress(bytes: [0x20] + [UInt8](repeating: 1, count: 15), prefix: 64)
    let four = LocalAddress(bytes: [192, 0, 2, 1], prefix: 24)
    #expect(Interface(index: 1, addresses: [linkLocal, four]).published == [linkLocal, four])
    #expect(Interface(index: 1, addresses: [linkLocal, global]).published == [global])
    #expect(
      Interface(index: 1, addresses: [LocalAddress(bytes: [169, 254, 1, 1], prefix: 16), four]).published == [four])
  }

  @Test func `a name that no service has is refused, and one that is taken here`() throws {
    var engine = Engine(random: SplitMix64(seed: 1))
    #expect(throws: PublishError.badName) { try engine.publish(.named(""), at: .zero) }
    #expect(throws: PublishError.badName) { try engine.publish(.named(String(repeating: "x", count: 64)), at: .zero) }
    let first = try engine.publish(.named(), at: .zero)
    #expect(throws: PublishError.nameTaken) { try engine.publish(.named("ALICE"), at: .zero) }
    engine.withdraw(first, at: .zero)
    _ = try engine.publish(.named(), at: .zero)
  }

  // MARK: Answering

  /// RFC 6762 §6, with `Deviation.loneAnswerSoon`; RFC 6763 §12.1.
  @Test func `a lone question for a type is answered within 10 ms with all that is asked next`() throws {
    var delays: Set<Moment> = []
    for seed in 0..<30 {
      var ether = try published(seed: UInt64(seed))
      ether.hear(question)
      ether.run(until: .seconds(20))
      let answer = try #require(answers(ether, since: .seconds(10)).first)
      #expect(answers(ether, since: .seconds(10)).count == 1)
      #expect(answer.message.answers == [pointer])
      #expect(Set(answer.message.additionals.filter { $0.data.type != .nsec }) == [srv, text, address])
      #expect(answer.moment - .seconds(10) <= .milliseconds(10))
      delays.insert(answer.moment)
    }
    #expect(delays.count > 20, "jitter")
  }

  /// RFC 6762 §6.
  @Test func `a question for what is ours alone is answered at once`() throws {
    var ether = try published()
    ether.hear(Message(questions: [Question(Names.alice, .srv)]))
    #expect(answers(ether, since: .seconds(10)).map(\.moment) == [.seconds(10)])
    #expect(answers(ether, since: .seconds(10)).first?.message.answers == [srv])
  }

  /// RFC 6762 §6.3, §6.4.
  @Test func `what is asked while something waits is answered together`() throws {
    var ether = try published()
    _ = try ether.hosts[0].publish(
      Service(instance: "x", type: .of("_other._tcp.local"), port: 1, txt: [], host: .of("h.local")), at: ether.now)
    ether.run(until: .seconds(20))
    ether.hear(question)
    ether.hear(Message(questions: [Question(.of("_other._tcp.local"), .ptr)]))
    ether.run(until: .seconds(30))
    let answers = answers(ether, since: .seconds(20))
    #expect(answers.count == 1)
    #expect(answers.first?.message.answers.count == 2)
  }

  @Test func `names are matched whatever their case, and every type is meant by ANY`() throws {
    var ether = try published()
    ether.hear(Message(questions: [Question(.of("ALICE._IRL-Bump._TCP.Local"), .any)]))
    #expect(Set(answers(ether, since: .seconds(10)).flatMap(\.message.answers)) == [srv, text])
  }

  @Test func `nothing is answered that was not asked of us`() throws {
    var ether = try published()
    ether.hear(Message(questions: [Question(.of("_other._tcp.local"), .ptr), Question(.of("bob.local"), .a)]))
    ether.run(until: .seconds(20))
    #expect(answers(ether, since: .seconds(10)).isEmpty)
  }

  /// RFC 6762 §6.
  @Test func `a record is multicast once a second`() throws {
    var ether = try published()
    for step in 0..<40 {
      ether.run(until: .seconds(10) + .milliseconds(100 * step))
      ether.hear(question)
    }
    ether.run(until: .seconds(20))
    var last: [Record: Moment] = [:]
    for (moment, message) in ether.responses() {
      for record in message.answers + message.additionals {
        if let before = last[record] { #expect(moment - before >= .seconds(1), "\(record)") }
        last[record] = moment
      }
    }
    #expect(answers(ether, since: .seconds(10)).count >= 4)
  }

  /// RFC 6762 §8.1, §6.
  @Test func `a probe for our name is answered at once, even twice in a second`() throws {
    var ether = try published()
    let theirs = Record(Names.alice, .srv(priority: 0, weight: 0, port: 1, target: .of("x.local")), timeToLive: 120)
    for milliseconds in [0, 100, 200] {
      ether.run(until: .seconds(10) + .milliseconds(milliseconds))
      ether.hear(.probe(Names.alice, theirs))
    }
    ether.run(until: .seconds(20))
    let moments = answers(ether, since: .seconds(10)).filter { $0.message.answers.contains(srv) }.map(\.moment)
    #expect(moments == [.seconds(10), .milliseconds(10_250)])
    #expect(ether.events[0].isEmpty, "who probes does not have the name")
  }

  /// RFC 6762 §6.1, §6.2.
  @Test func `what a name of ours has not is denied`() throws {
    var ether = try published()
    ether.hear(Message(questions: [Question(Names.host, .aaaa)]))
    let answer = try #require(answers(ether, since: .seconds(10)).first?.message)
    let denial = Record(Names.host, .nsec(next: Names.host, types: [.a]), timeToLive: 120, flushesCache: true)
    #expect(answer.answers == [denial])
    ether.run(until: .seconds(12))
    ether.hear(Message(questions: [Question(Names.alice, .a)]))
    #expect(
      answers(ether, since: .seconds(12)).first?.message.answers.map(\.data)
        == [.nsec(next: Names.alice, types: [.txt, .srv])])
    // The type is not ours alone.
    ether.hear(Message(questions: [Question(Names.type, .txt)]))
    ether.run(until: .seconds(20))
    #expect(answers(ether, since: .seconds(13)).isEmpty)
  }

  // MARK: Known answers

  /// RFC 6762 §7.1.
  @Test func `an answer that is known for half of its life yet is not given`() throws {
    for (left, isGiven) in [(UInt32(60), false), (59, true)] {
      var ether = try published()
      ether.hear(Message(questions: question.questions, knownAnswers: [pointer.with(timeToLive: left)]))
      ether.run(until: .seconds(20))
      #expect(answers(ether, since: .seconds(10)).isEmpty != isGiven)
    }
  }

  /// RFC 6762 §7.2.
  @Test func `who has more known answers to tell is waited for 400 to 500 ms`() throws {
    var ether = try published()
    var first = question
    first.isTruncated = true
    ether.hear(first)
    ether.run(until: .seconds(20))
    let moment = try #require(answers(ether, since: .seconds(10)).first?.moment)
    #expect((.milliseconds(10_400)...Duration.milliseconds(10_500)).contains(moment))
  }

  @Test func `known answers that come later count, from the same host alone`() throws {
    for (source, isGiven) in [([UInt8](arrayLiteral: 192, 0, 2, 200), false), ([192, 0, 2, 201], true)] {
      var ether = try published()
      var first = question
      first.isTruncated = true
      ether.hear(first, from: [192, 0, 2, 200])
      ether.run(until: .milliseconds(10_300))
      ether.hear(Message(questions: [], knownAnswers: [pointer]), from: source)
      ether.run(until: .seconds(20))
      #expect(answers(ether, since: .seconds(10)).isEmpty != isGiven)
    }
  }

  @Test func `who always has more to tell is not waited for for ever`() throws {
    var ether = try published()
    var first = question
    first.isTruncated = true
    for step in 0..<100 {
      ether.run(until: .seconds(10) + .milliseconds(100 * step))
      ether.hear(first)
    }
    #expect(!answers(ether, since: .seconds(10)).isEmpty)
  }

  /// RFC 6762 §7.4.
  @Test func `what somebody else has answered is not answered again`() throws {
    for (left, isGiven) in [(UInt32(120), false), (119, true)] {
      // A shared record: the list of types.
      var ether = try published(seed: 4)
      ether.hear(Message(questions: [Question(types.name, .ptr)]))
      ether.hear(Message(answers: [types.with(timeToLive: left)]))
      ether.run(until: .seconds(20))
      #expect(answers(ether, since: .seconds(10)).isEmpty != isGiven)
    }
  }

  /// RFC 6762 §6.6.
  @Test func `who says our record for too short a time is corrected`() throws {
    for left: UInt32 in [0, 59] {
      var ether = try published()
      ether.hear(Message(answers: [pointer.with(timeToLive: left)]))
      ether.run(until: .seconds(20))
      #expect(answers(ether, since: .seconds(10)).first?.message.answers.contains(pointer) == true)
    }
  }

  // MARK: To one host

  /// RFC 6762 §6.7.
  @Test func `a question from another port is answered like a name server does`() throws {
    var ether = try published()
    var query = question
    query.id = 0x1234
    query.questions[0].wantsUnicast = true
    ether.hear(query, port: 40_001)
    let transmission = try #require(ether.sent.last?.transmission)
    #expect(transmission.destination == .host([192, 0, 2, 200], port: 40_001))
    let reply = try Message(transmission.bytes)
    #expect(reply.id == 0x1234 && reply.isResponse)
    #expect(reply.questions == question.questions)
    #expect(reply.answers.map(\.data) == [.ptr(Names.alice)])
    #expect(Set(reply.additionals.map(\.data.type)).isSuperset(of: [.srv, .txt, .a]))
    #expect((reply.answers + reply.additionals).allSatisfy { $0.timeToLive == 10 && !$0.flushesCache })
    // Old resolvers do not know compression there (§18.14): the host's name is whole.
    #expect(String(decoding: transmission.bytes, as: UTF8.self).components(separatedBy: "bump-0\u{5}local").count >= 2)
    ether.run(until: .seconds(20))
    #expect(answers(ether, since: .seconds(10)).isEmpty, "nor by multicast")
  }

  @Test func `the same question from other ports is answered with each one's number, by what is announced now`() throws
  {
    var ether = try published()
    func ask(_ id: UInt16, from host: UInt8 = 200, on network: [UInt8] = [192, 0, 2]) -> Message? {
      var query = question
      query.id = id
      let before = ether.replies().count
      ether.hear(query, from: network + [host], port: 40_001)
      return ether.replies().dropFirst(before).first
    }
    let replies = [ask(1), ask(0xFFFF, from: 201)]
    #expect(replies.map(\.?.id) == [1, 0xFFFF] && replies[0]?.answers == replies[1]?.answers)
    #expect(ether.sent.last?.transmission.destination == .host([192, 0, 2, 201], port: 40_001))
    #expect(ask(2, on: [203, 0, 113]) == nil, "off the link (§11)")
    let bob = try ether.hosts[0].publish(.named("bob", host: "bump-1.local"), at: ether.now)
    #expect(ask(3)?.answers.count == 2)
    ether.hosts[0].withdraw(bob, at: ether.now)
    #expect(ask(4)?.answers == replies[0]?.answers)
  }

  /// RFC 6762 §5.4, with `Deviation.unicastBesideMulticast`.
  @Test func `a question for unicast is answered so, and by multicast where that is long ago`() throws {
    for (wait, isMulticast) in [(29, false), (31, true)] {
      var ether = try published()
      ether.run(until: .seconds(1 + wait))
      ether.hear(Message(questions: [Question(Names.type, .ptr, wantsUnicast: true)]))
      let reply = try #require(ether.replies().last)
      #expect(reply.answers == [pointer] && reply.id == 0)
      #expect(ether.sent.last { $0.transmission.destination == .host([192, 0, 2, 200], port: 5353) } != nil)
      ether.run(until: .seconds(50))
      #expect(answers(ether, since: .seconds(10)).isEmpty != isMulticast)
    }
  }

  /// RFC 6762 §5.5.
  @Test func `a question to this host alone is answered to its sender, and by multicast where that is long ago`()
    throws
  {
    for (family, source) in [
      (Family.ipv4, [UInt8](arrayLiteral: 192, 0, 2, 200)), (.ipv6, SimulatedLink.address(200, .ipv6)),
    ] {
      for (wait, isMulticast) in [(29, false), (31, true)] {
        var ether = try published(families: [.ipv4, .ipv6])
        ether.run(until: .seconds(1 + wait))
        let link = Link(interface: SimulatedLink.interface, family: family)
        ether.hear(question, from: source, isMulticast: false, link: link)
        let reply = try #require(ether.replies().last)
        #expect(reply.answers == [pointer] && reply.id == 0 && reply.questions.isEmpty)
        #expect(ether.sent.last { $0.transmission.destination == .host(source, port: 5353) } != nil)
        ether.run(until: .seconds(50))
        #expect(answers(ether, since: .seconds(10)).isEmpty != isMulticast)
      }
    }
  }

  /// RFC 6762 §11.
  @Test func `a question from off the link is not answered to its sender`() throws {
    var ether = try published()
    ether.hear(question, from: [203, 0, 113, 1], port: 40_001)
    ether.hear(question, from: [203, 0, 113, 1], isMulticast: false)
    ether.run(until: .seconds(20))
    #expect(ether.replies().isEmpty && answers(ether, since: .seconds(10)).isEmpty)
    // The group may have the answer: it does not leave the link.
    ether.hear(Message(questions: [Question(Names.type, .ptr, wantsUnicast: true)]), from: [203, 0, 113, 1])
    ether.run(until: .seconds(21))
    #expect(ether.replies().isEmpty && answers(ether, since: .seconds(20)).count == 1)
  }

  // MARK: The end

  /// RFC 6762 §10.1.
  @Test func `what is withdrawn says goodbye, and is answered for no more`() throws {
    var ether = SimulatedLink(hosts: 1)
    let id = try ether.hosts[0].publish(.named(), at: .zero)
    ether.run(until: .seconds(10))
    ether.hosts[0].withdraw(id, at: ether.now)
    ether.settle()
    let goodbye = try #require(answers(ether, since: .seconds(10)).first?.message)
    #expect(Set(goodbye.answers) == Set([pointer, srv, text, address].map { $0.with(timeToLive: 0) }))
    ether.hear(question)
    ether.run(until: .seconds(20))
    #expect(answers(ether, since: .seconds(10)).count == 1)
  }

  /// RFC 6762 §6.
  @Test func `what says no goodbye is not said again within a second, though it is published anew`() throws {
    var ether = SimulatedLink(hosts: 1)
    let id = try ether.hosts[0].publish(.named(), at: .zero)
    ether.run(until: .milliseconds(1500))
    ether.hosts[0].withdraw(id, at: ether.now)
    _ = try ether.hosts[0].publish(.named(), at: ether.now)
    ether.run(until: .seconds(9))
    let said = ether.responses().filter { $0.message.answers.contains(types) }.map(\.moment)
    #expect(said == [.zero, .seconds(1), .seconds(2), .seconds(3)])
  }

  @Test func `what nobody can know says no goodbye`() throws {
    var engine = Engine(random: SplitMix64(seed: 1))
    engine.update([SimulatedLink.interface(of: 0)], at: .zero)
    engine.withdraw(try engine.publish(.named(), at: .zero), at: .zero)
    engine.advance(to: .seconds(5))
    #expect(engine.takeTransmissions().isEmpty)
  }

  // MARK: Conflicts

  /// RFC 6762 §9.
  @Test func `a service whose name somebody else has is withdrawn and its owner told`() throws {
    var ether = SimulatedLink(hosts: 1)
    let id = try ether.hosts[0].publish(.named(), at: .zero)
    ether.run(until: .seconds(10))
    let theirs = Record(
      Names.alice, .srv(priority: 0, weight: 0, port: 1, target: .of("x.local")), timeToLive: 120, flushesCache: true)
    ether.hear(Message(answers: [theirs]))
    #expect(ether.events[0] + ether.hosts[0].takeEvents() == [.conflict(id)])
    #expect(answers(ether, since: .seconds(10)).first?.message.answers.allSatisfy { $0.timeToLive == 0 } == true)
    ether.hear(question)
    ether.run(until: .seconds(20))
    #expect(answers(ether, since: .seconds(11)).isEmpty)
  }

  @Test func `neither a goodbye nor our own packet nor a shared record is a conflict`() throws {
    var ether = try published()
    let theirs = Record(Names.alice, .srv(priority: 0, weight: 0, port: 1, target: .of("x.local")), timeToLive: 0)
    ether.hear(Message(answers: [theirs]))
    ether.hear(Message(answers: [Record(Names.type, .ptr(.of("bob._irl-bump._tcp.local")), timeToLive: 120)]))
    ether.hear(Message(answers: [srv, text, address]))
    #expect(ether.events[0].isEmpty)
  }

  @Test func `two interfaces on one network are no conflict`() throws {
    var engine = Engine(random: SplitMix64(seed: 1))
    engine.update(
      [2, 3].map { Interface(index: $0, addresses: [LocalAddress(bytes: [192, 0, 2, UInt8($0)], prefix: 24)]) },
      at: .zero)
    _ = try engine.publish(.named(), at: .zero)
    engine.advance(to: .zero)
    for transmission in engine.takeTransmissions() {
      for interface: UInt32 in [2, 3] {
        engine.receive(
          ReceivedPacket(
            bytes: transmission.bytes, source: [192, 0, 2, UInt8(transmission.link.interface)], port: 5353,
            link: Link(interface: interface, family: .ipv4), isMulticast: true), at: .zero)
      }
    }
    #expect(engine.takeEvents().isEmpty)
  }

  @Test func `what is said elsewhere and brought back by a reflector is no conflict`() throws {
    var engine = Engine(random: SplitMix64(seed: 1))
    engine.update(
      [2, 3].map { Interface(index: $0, addresses: [LocalAddress(bytes: [192, 0, UInt8($0), 1], prefix: 24)]) },
      at: .zero)
    _ = try engine.publish(.named(), at: .zero)
    engine.receive(
      ReceivedPacket(
        bytes: Message(answers: [Record(Names.host, .a([192, 0, 3, 1]), timeToLive: 120, flushesCache: true)]).bytes,
        source: [192, 0, 2, 254], port: 5353, link: Link(interface: 2, family: .ipv4), isMulticast: true), at: .zero)
    #expect(engine.takeEvents().isEmpty)
  }
}

extension String {
  fileprivate func components(separatedBy separator: String) -> [Substring] {
    self.split(separator: separator, omittingEmptySubsequences: false)
  }
}
