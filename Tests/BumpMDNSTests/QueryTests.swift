import Testing

@testable import BumpMDNS

/// What is asked, and when.
@Suite struct QueryTests {
  private func moments(_ ether: Ether, of host: Int = 0) -> [Moment] { ether.queries(of: host).map(\.moment) }

  /// RFC 6762 §5.2, but for `Deviation.firstQuestionUndelayed`.
  @Test func `questions are asked at once, after 1, 2, 4 seconds and at last once an hour`() {
    var ether = Ether(hosts: 1)
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .seconds(24 * 3600))
    let moments = moments(ether)
    #expect(moments.prefix(5) == [.zero, .seconds(1), .seconds(3), .seconds(7), .seconds(15)])
    let gaps = zip(moments, moments.dropFirst()).map { $1 - $0 }
    #expect(gaps.max() == .seconds(3600) && gaps.last == .seconds(3600))
    #expect(ether.queries().allSatisfy { $0.message.questions == [Question(Names.type, .ptr)] && $0.message.id == 0 })
  }

  /// `Deviation.secondQuestionFromAnotherPort`.
  @Test func `the first questions are asked from another port as well, with a number`() {
    var ether = Ether(hosts: 1)
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .seconds(100))
    let direct = ether.messages { $0 == .groupFromOwnPort }
    #expect(direct.map(\.moment) == [.zero, .seconds(1), .seconds(3)])
    #expect(direct.allSatisfy { $0.message.id != 0 && $0.message.questions == [Question(Names.type, .ptr)] })
    #expect(Set(direct.map(\.message.id)).count == 3)
  }

  @Test func `a question ends with the last who asked it`() {
    var ether = Ether(hosts: 1)
    let (first, second) = (
      ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero),
      ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    )
    ether.hosts[0].cancel(first)
    ether.run(until: .seconds(2))
    #expect(moments(ether).count == 2)
    ether.hosts[0].cancel(second)
    ether.hosts[0].cancel(second)
    ether.run(until: .seconds(100))
    #expect(moments(ether).count == 2)
    #expect(ether.hosts[0].next == nil)
  }

  @Test func `a question is asked on one interface where one is chosen`() {
    var engine = Engine(random: SplitMix64(state: 1))
    let addresses = [LocalAddress(bytes: [192, 0, 2, 1], prefix: 24)]
    engine.update([Interface(index: 2, addresses: addresses), Interface(index: 3, addresses: addresses)], at: .zero)
    _ = engine.start(.browse(Names.type, interface: 3), at: .zero)
    engine.advance(to: .zero)
    #expect(Set(engine.takeTransmissions().map(\.link.interface)) == [3])
  }

  @Test func `both families are asked by`() {
    var ether = Ether(hosts: 1, families: [.ipv4, .ipv6])
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .zero)
    #expect(Set(ether.sent.map(\.transmission.link.family)) == [.ipv4, .ipv6])
  }

  /// RFC 6762 §7.1.
  @Test func `what is known is told with the question`() throws {
    var ether = Ether(hosts: 1)
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .milliseconds(500))
    let (alice, bob) = (
      Record(Names.type, .ptr(Names.alice), timeToLive: 120),
      Record(Names.type, .ptr(.of("bob._irl-bump._tcp.local")), timeToLive: 4)
    )
    ether.hear(Message(answers: [alice, bob]))
    ether.run(until: .seconds(1))
    #expect(Set(ether.queries().last?.message.answers ?? []) == [alice.with(timeToLive: 119), bob.with(timeToLive: 3)])
    ether.run(until: .seconds(3))
    #expect(ether.queries().last?.message.answers.map(\.data) == [.ptr(Names.alice)])
  }

  /// RFC 6762 §7.2, and `Deviation.fewerKnownAnswers`.
  @Test func `known answers that do not fit follow with the TC bit`() throws {
    let known = (0..<400).map {
      Record(Names.type, .ptr(.of("instance number \($0)._irl-bump._tcp.local")), timeToLive: 120)
    }
    let packets = Queries.packets([RecordKey(name: Names.type, type: .ptr)]) { _, most in Array(known.prefix(most)) }
    let messages = try packets.map { bytes throws(MessageError) in try Message(bytes) }
    #expect(messages.count > 2)
    #expect(messages.dropLast().allSatisfy(\.isTruncated) && messages.last?.isTruncated == false)
    #expect(messages.map(\.questions.count) == [1] + Array(repeating: 0, count: messages.count - 1))
    #expect(messages.flatMap(\.answers) == Array(known.prefix(256)))
    #expect(packets.allSatisfy { $0.count <= 1440 })
  }

  @Test func `many questions share packets`() throws {
    let keys = (0..<200).map { RecordKey(name: .of("\($0).\(String(repeating: "x", count: 60)).local"), type: .srv) }
    let packets = Queries.packets(keys) { _, _ in [] }
    #expect(try packets.flatMap { try Message($0).questions.map(\.key) } == keys)
    #expect(packets.count < 20 && packets.allSatisfy { $0.count <= 1440 })
  }

  /// RFC 6762 §7.3.
  @Test func `somebody else's question counts as ours, but not twice in a row`() {
    var ether = Ether(hosts: 1)
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .milliseconds(2500))
    ether.hear(Message(questions: [Question(Names.type, .ptr)]))
    ether.run(until: .seconds(6))
    #expect(moments(ether) == [.zero, .seconds(1)], "that of 3 s was asked by another")
    ether.hear(Message(questions: [Question(Names.type, .ptr)]))
    ether.run(until: .seconds(7))
    #expect(moments(ether) == [.zero, .seconds(1), .milliseconds(6500)])
  }

  @Test func `somebody else's question for unicast, or who knows more, does not count`() {
    let stranger = Record(Names.type, .ptr(.of("x._irl-bump._tcp.local")), timeToLive: 120)
    for query in [
      Message(questions: [Question(Names.type, .ptr, wantsUnicast: true)]),
      Message(questions: [Question(Names.type, .ptr)], knownAnswers: [stranger]),
    ] {
      var ether = Ether(hosts: 1)
      _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
      ether.run(until: .milliseconds(2500))
      ether.hear(query)
      ether.run(until: .seconds(3))
      #expect(moments(ether) == [.zero, .seconds(1), .seconds(3)])
    }
  }

  @Test func `one's own question that comes back does not count`() {
    var ether = Ether(hosts: 1)
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .seconds(1))
    // It came back at both moments.
    ether.run(until: .seconds(3))
    #expect(moments(ether) == [.zero, .seconds(1), .seconds(3)])
  }

  /// RFC 6762 §5.2.
  @Test func `what is about to expire is asked for while somebody wants it`() {
    var ether = Ether(hosts: 1)
    let browse = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .milliseconds(7500))
    ether.hear(Message(answers: [Record(Names.type, .ptr(Names.alice), timeToLive: 50)]))
    ether.run(until: .seconds(60))
    let asked = moments(ether).filter { $0 > .milliseconds(15_500) && $0 < .milliseconds(57_500) }
    // 31 s is the schedule's; then 80, 85, 90 and 95 %.
    #expect(asked.count == 5)
    #expect(ether.events[0].contains(.lost(browse, instance: Names.alice, interface: Ether.interface)))
  }

  /// RFC 6762 §10.4.
  @Test func `what does not answer is asked for at once and lost after ten seconds`() {
    var ether = Ether(hosts: 1)
    let browse = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.hear(Message(answers: [Record(Names.type, .ptr(Names.alice), timeToLive: 120)]))
    ether.run(until: .seconds(4))
    let before = moments(ether).count
    ether.hosts[0].reconfirm(Names.alice, interface: 0, at: ether.now)
    ether.run(until: .seconds(4))
    #expect(moments(ether).count == before + 1)
    #expect(ether.queries().last?.message.answers == [], "not as a known answer")
    ether.run(until: .milliseconds(13_999))
    // The second one at 7 s is the schedule's.
    #expect(moments(ether).filter { $0 >= .seconds(4) } == [.seconds(4), .seconds(7), .seconds(9)])
    #expect(!ether.events[0].contains(.lost(browse, instance: Names.alice, interface: Ether.interface)))
    ether.run(until: .seconds(14))
    #expect(ether.events[0].contains(.lost(browse, instance: Names.alice, interface: Ether.interface)))
  }

  // MARK: What others ask in vain

  /// What somebody else asks a second and a half, and five seconds, after a record was heard of; run to its end.
  private func observed(_ question: Message? = nil, second: Message? = nil, after gap: Duration = .milliseconds(3500))
    -> (ether: Ether, lost: Event)
  {
    let question = question ?? Message(questions: [Question(Names.type, .ptr)])
    var ether = Ether(hosts: 1)
    let browse = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .milliseconds(7500))
    ether.hear(Message(answers: [Record(Names.type, .ptr(Names.alice), timeToLive: 4500)]))
    ether.run(until: .seconds(9))
    ether.hear(question)
    ether.run(until: ether.now + gap)
    ether.hear(second ?? question)
    return (ether, .lost(browse, instance: Names.alice, interface: Ether.interface))
  }

  /// RFC 6762 §10.5.
  @Test func `what others ask for twice in vain is asked for twice, and lost after ten seconds`() {
    var (ether, lost) = observed()
    let asked = { (ether: Ether) in moments(ether).filter { $0 > .seconds(8) && $0 < .milliseconds(22_400) } }
    ether.settle()
    #expect(asked(ether) == [.milliseconds(12_500)])
    #expect(ether.queries().last?.message.answers == [], "not as a known answer")
    ether.run(until: .milliseconds(22_499))
    #expect(!ether.events[0].contains(lost))
    ether.run(until: .milliseconds(22_500))
    #expect(ether.events[0].contains(lost))
    // That at 15 s is the schedule's.
    #expect(asked(ether) == [.milliseconds(12_500), .seconds(15), .milliseconds(17_500)])
  }

  @Test func `what somebody speaks for is not lost, whoever asked`() {
    var (ether, lost) = observed()
    ether.run(until: .seconds(20))
    ether.hear(Message(answers: [Record(Names.type, .ptr(Names.alice), timeToLive: 4500)]))
    ether.run(until: .seconds(100))
    #expect(!ether.events[0].contains(lost))
  }

  @Test func `nothing is in doubt where an answer was not to be expected`() {
    let known = Message(
      questions: [Question(Names.type, .ptr)], knownAnswers: [Record(Names.type, .ptr(Names.alice), timeToLive: 4000)])
    var truncated = Message(questions: [Question(Names.type, .ptr)])
    truncated.isTruncated = true
    let others = [
      observed(known), observed(second: known), observed(truncated),
      observed(Message(questions: [Question(Names.type, .ptr, wantsUnicast: true)])),
      observed(Message(questions: [Question(Names.alice, .srv)])),
      // By both protocols, or twice within the second in which an answer need not be repeated.
      observed(after: .milliseconds(900)),
    ]
    for (ether, lost) in others {
      var ether = ether
      ether.run(until: .seconds(60))
      #expect(!ether.events[0].contains(lost))
    }
  }

  @Test func `who asks a thousand times a second has us ask once`() {
    var (ether, _) = observed()
    let before = ether.queries().count
    for _ in 0..<1000 {
      ether.run(until: ether.now + .milliseconds(1))
      ether.hear(Message(questions: [Question(Names.type, .ptr)]))
    }
    #expect(ether.queries().count <= before + 1)
  }
}
