import Glibc
import Measures
import Samples
import Testing

@testable import BumpMDNS

/// What is asked, and when.
@Suite struct QueryTests {
  private func moments(_ ether: SimulatedLink, of host: Int = 0) -> [Moment] { ether.queries(of: host).map(\.moment) }

  /// When all are asked first, and those seconds later.
  private func later(_ seconds: Int...) -> [Moment] { seconds.map { Timing.questionForAll + .seconds($0) } }

  /// RFC 6762 §5.2, but for `Deviation.firstQuestionUndelayed`.
  @Test func `all are asked after a moment, then after 1, 2, 4 seconds and at last once an hour`() {
    var ether = SimulatedLink(hosts: 1)
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .seconds(24 * 3600))
    let moments = moments(ether)
    #expect(Array(moments.prefix(5)) == later(0, 1, 3, 7, 15))
    let gaps = zip(moments, moments.dropFirst()).map { $1 - $0 }
    #expect(gaps.max() == .seconds(3600) && gaps.last == .seconds(3600))
    #expect(ether.queries().allSatisfy { $0.message.questions == [Question(Names.type, .ptr)] && $0.message.id == 0 })
  }

  /// RFC 6762 §5.2 has a second between the first two questions at least.
  @Test func `the second question is left out where the first was answered, and no later one`() {
    var ether = SimulatedLink(hosts: 1)
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .milliseconds(999))
    ether.hear(Message(answers: [Record(Names.type, .ptr(Names.alice), timeToLive: 120)]))
    ether.run(until: .seconds(16))
    #expect(moments(ether) == later(0, 3, 7, 15))
  }

  /// `Deviation.firstQuestionFromAnotherPort`.
  @Test func `where the question from another port is answered all are asked after three seconds only`() throws {
    var ether = SimulatedLink(hosts: 2, families: [.ipv4, .ipv6])
    _ = try ether.hosts[1].publish(.named(), at: .zero)
    ether.run(until: .seconds(2))
    let browse = ether.hosts[0].start(.browse(Names.type, interface: 0), at: ether.now)
    ether.run(until: .seconds(2))
    #expect(ether.events[0] == [.found(browse, instance: Names.alice, interface: SimulatedLink.interface)])
    ether.run(until: .seconds(5))
    let asked = ether.sent.filter { $0.host == 0 }.map(\.transmission)
    #expect(asked.map(\.destination) == [.groupFromOwnPort] && asked.map(\.link.family) == [.ipv4])
    #expect(ether.replies(of: 1).count == 1 && ether.responses(of: 1).allSatisfy { $0.moment < .seconds(2) })
    ether.run(until: .seconds(6))
    #expect(ether.queries().map(\.moment) == Array(repeating: .seconds(5) + Timing.questionForAll, count: 2))
  }

  @Test func `a sender is found by an answer of which another record is damaged`() {
    var ether = SimulatedLink(hosts: 1)
    let browse = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    // The NSEC record's next name is a pointer to itself.
    let damaged: [UInt8] = [0, 0, 47, 0x80, 1, 0, 0, 0, 120, 0, 4, 0xC0, 23, 0, 1]
    var bytes = Message(answers: [Record(Names.type, .ptr(Names.alice), timeToLive: 120)]).bytes
    bytes.insert(contentsOf: damaged, at: 12)
    // The number of answers, and where the type's name is now.
    (bytes[7], bytes[bytes.count - 1]) = (2, 27)
    ether.hear(bytes)
    #expect(ether.events[0] == [.found(browse, instance: Names.alice, interface: SimulatedLink.interface)])
  }

  /// RFC 1035 §4.1.1. Whoever sends such answers without end has us ask no more often.
  @Test func `where not all fits into the answer all are asked at once, and once`() throws {
    var ether = SimulatedLink(hosts: 1, families: [.ipv4, .ipv6])
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.settle()
    var answer = Message(answers: [Record(Names.type, .ptr(Names.alice), timeToLive: 10)])
    (answer.id, answer.isTruncated) = (try #require(ether.sent.first).message.id, true)
    answer.questions = [Question(Names.type, .ptr)]
    for _ in 1...100 { ether.hear(answer, isMulticast: false) }
    ether.run(until: .seconds(1))
    #expect(ether.queries().map(\.moment) == [.zero, .zero])
  }

  @Test func `where some are known all are asked at once, since others may have come`() {
    var ether = SimulatedLink(hosts: 1)
    let first = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .milliseconds(10))
    ether.hear(Message(answers: [Record(Names.type, .ptr(Names.alice), timeToLive: 120)]))
    ether.hosts[0].cancel(first)
    ether.run(until: .seconds(10))
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: ether.now)
    ether.run(until: .seconds(14))
    #expect(moments(ether) == [.seconds(10), .seconds(13)])
    #expect(ether.queries().first?.message.answers.map(\.data) == [.ptr(Names.alice)])
  }

  /// `Deviation.firstQuestionFromAnotherPort`.
  @Test func `the first questions are asked from another port as well, with a number`() {
    var ether = SimulatedLink(hosts: 1)
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .seconds(100))
    let direct = ether.messages { $0 == .groupFromOwnPort }
    #expect(direct.map(\.moment) == [.zero] + later(0, 1, 3))
    #expect(direct.allSatisfy { $0.message.id != 0 && $0.message.questions == [Question(Names.type, .ptr)] })
    #expect(Set(direct.map(\.message.id)).count == 4)
  }

  @Test func `a question ends with the last who asked it`() {
    var ether = SimulatedLink(hosts: 1)
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
    var engine = Engine(random: SplitMix64(seed: 1))
    let addresses = [LocalAddress(bytes: [192, 0, 2, 1], prefix: 24)]
    engine.update([Interface(index: 2, addresses: addresses), Interface(index: 3, addresses: addresses)], at: .zero)
    _ = engine.start(.browse(Names.type, interface: 3), at: .zero)
    engine.advance(to: .zero)
    #expect(Set(engine.takeTransmissions().map(\.link.interface)) == [3])
  }

  @Test func `both families are asked by where the question by IPv4 is not answered`() {
    var ether = SimulatedLink(hosts: 1, families: [.ipv4, .ipv6])
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: Timing.questionForAll - .milliseconds(1))
    #expect(ether.sent.map(\.transmission.link.family) == [.ipv4])
    ether.run(until: Timing.questionForAll)
    for destination in [OutgoingPacket.Destination.group, .groupFromOwnPort] {
      let sent = ether.sent.filter { $0.moment > .zero && $0.transmission.destination == destination }
      #expect(sent.map(\.transmission.link.family) == [.ipv4, .ipv6])
    }
  }

  @Test func `by IPv6 alone it is asked by that at once`() {
    var ether = SimulatedLink(hosts: 1, families: [.ipv6])
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .zero)
    #expect(ether.sent.map(\.transmission.destination) == [.groupFromOwnPort])
  }

  /// RFC 6762 §7.1.
  @Test func `what is known is told with the question`() throws {
    var ether = SimulatedLink(hosts: 1)
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .milliseconds(500))
    let (alice, bob) = (
      Record(Names.type, .ptr(Names.alice), timeToLive: 120),
      Record(Names.type, .ptr(.of("bob._irl-bump._tcp.local")), timeToLive: 6)
    )
    ether.hear(Message(answers: [alice, bob]))
    ether.run(until: .milliseconds(3100))
    #expect(Set(ether.queries().last?.message.answers ?? []) == [alice.with(timeToLive: 117), bob.with(timeToLive: 3)])
    ether.run(until: .milliseconds(7100))
    #expect(ether.queries().last?.message.answers.map(\.data) == [.ptr(Names.alice)])
  }

  /// RFC 6762 §6.7, §7.1: its responder would not take it for known.
  @Test func `what is known by a legacy answer alone is not told`() throws {
    var ether = SimulatedLink(hosts: 2)
    _ = try ether.hosts[1].publish(.named(), at: .zero)
    ether.run(until: .seconds(2))
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: ether.now)
    ether.run(until: .seconds(5) + Timing.questionForAll)
    #expect(ether.queries().map(\.message.answers) == [[]])
    ether.run(until: .seconds(9) + Timing.questionForAll)
    #expect(ether.queries().last?.message.answers.map(\.data) == [.ptr(Names.alice)], "all have been answered since")
  }

  @Test func `where somebody is known no question is asked from another port again, and nobody answers twice`() throws {
    var ether = SimulatedLink(hosts: 3)
    _ = try ether.hosts[0].publish(.named(), at: .zero)
    ether.run(until: .milliseconds(100))
    _ = ether.hosts[2].start(.browse(Names.type, interface: 0), at: ether.now)
    ether.run(until: .milliseconds(500))
    #expect(ether.replies().count == 1)
    _ = try ether.hosts[1].publish(.named("bob", host: "bump-1.local"), at: ether.now)
    ether.run(until: .seconds(9))
    #expect(ether.messages(of: 2) { $0 == .groupFromOwnPort }.count == 1)
    #expect(ether.replies().count == 1 && ether.replies(of: 1).isEmpty)
  }

  @Test func `who browses quietly asks after a second, unless another does, and not from another port`() throws {
    var ether = SimulatedLink(hosts: 3)
    _ = try ether.hosts[0].publish(.named(), at: .zero)
    ether.run(until: .seconds(5))
    let browse = ether.hosts[1].start(.browse(Names.type, interface: 0, isQuiet: true), at: ether.now)
    ether.run(until: .milliseconds(5999))
    #expect(moments(ether, of: 1).isEmpty)
    ether.run(until: .milliseconds(6100))
    #expect(moments(ether, of: 1) == [.seconds(6)])
    #expect(ether.events[1] == [.found(browse, instance: Names.alice, interface: SimulatedLink.interface)])
    ether.run(until: .seconds(30))
    _ = ether.hosts[2].start(.browse(Names.type, interface: 0, isQuiet: true), at: ether.now)
    ether.run(until: .milliseconds(30_500))
    ether.hear(Message(questions: [Question(Names.type, .ptr)]), at: 2)
    ether.run(until: .milliseconds(31_400))
    #expect(moments(ether, of: 2).isEmpty)
    ether.run(until: .milliseconds(33_500))
    #expect(moments(ether, of: 2).count == 1)
    for host in 1...2 { #expect(ether.messages(of: host) { $0 == .groupFromOwnPort }.isEmpty) }
  }

  /// RFC 6762 §7.3.
  @Test func `of fifty who browse quietly a few ask, however many they know`() throws {
    var ether = SimulatedLink(hosts: 100)
    for host in 0..<50 {
      _ = try ether.hosts[host].publish(
        .named("host \(host) of those with a long name", host: "h\(host).local"), at: .zero)
    }
    ether.run(until: .seconds(5))
    for host in 50..<100 {
      _ = ether.hosts[host].start(.browse(Names.type, interface: 0, isQuiet: true), at: ether.now)
    }
    ether.run(until: .seconds(10))
    let asked = (50..<100).flatMap { ether.queries(of: $0) }.filter { !$0.message.questions.isEmpty }
    #expect((1...10).contains(asked.count) && asked.contains { $0.message.isTruncated }, "\(asked.count)")
    #expect(ether.events[50...].allSatisfy { $0.count == 50 })
  }

  /// RFC 6762 §7.1.
  @Test func `what is one host's own is asked for where it is not known, or about to expire`() throws {
    var ether = SimulatedLink(hosts: 2)
    _ = try ether.hosts[0].publish(.named(), at: .zero)
    _ = ether.hosts[1].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .seconds(2))
    func asked(since moment: Moment) -> [RecordType] {
      (ether.queries(of: 1) + ether.messages(of: 1) { $0 == .groupFromOwnPort })
        .filter { $0.moment >= moment }.flatMap(\.message.questions).map(\.type).filter { $0 != .ptr }
    }
    _ = ether.hosts[1].start(.addresses(Names.host, interface: 0), at: ether.now)
    ether.run(until: .seconds(90))
    #expect(asked(since: .zero).isEmpty)
    _ = ether.hosts[1].start(.resolve(.of("bob._irl-bump._tcp.local"), interface: 0), at: ether.now)
    ether.settle()
    #expect(Set(asked(since: .seconds(90))) == [.srv, .txt])
    // What answers no more is asked for before its 120 s are over, from 63 s on, when the pointer was last asked for.
    ether.cutOff = [0]
    ether.run(until: .seconds(180))
    #expect(asked(since: .seconds(150)).contains(.a))
  }

  /// RFC 6762 §7.2, and `Deviation.fewerKnownAnswers`.
  @Test func `known answers that do not fit follow with the TC bit`() throws {
    let known = (0..<400).map {
      Record(Names.type, .ptr(.of("instance number \($0)._irl-bump._tcp.local")), timeToLive: 120)
    }
    let packets = Queries.packets(
      [RecordKey(name: Names.type, type: .ptr)], known: { _, most in Array(known.prefix(most)) })
    let messages = try packets.map { bytes throws(MessageError) in try Message(bytes) }
    #expect(messages.count > 2)
    #expect(messages.dropLast().allSatisfy(\.isTruncated) && messages.last?.isTruncated == false)
    #expect(messages.map(\.questions.count) == [1] + Array(repeating: 0, count: messages.count - 1))
    #expect(messages.flatMap(\.answers) == Array(known.prefix(256)))
    #expect(packets.allSatisfy { $0.count <= 1440 })
  }

  @Test func `many questions share packets`() throws {
    let keys = (0..<200).map { RecordKey(name: .of("\($0).\(String(repeating: "x", count: 60)).local"), type: .srv) }
    let packets = Queries.packets(keys)
    #expect(try packets.flatMap { try Message($0).questions.map(\.key) } == keys)
    #expect(packets.count < 20 && packets.allSatisfy { $0.count <= 1440 })
  }

  /// A search asks about 64 at a time, for half a second, and has whoever does not answer at its address asked for again.
  @Test(arguments: [[Family.ipv4]] + (Measure.isThorough ? [[.ipv4, .ipv6]] : []))
  func `who says a thousand names has us say no more than twice as much, in ten packets a second on each link`(
    families: [Family]
  ) {
    var ether = SimulatedLink(hosts: 1, families: families)
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    let names = (1000..<2000).map {
      (instance: DomainName.of("\($0)._irl-bump._tcp.local"), host: DomainName.of("\($0).local"))
    }
    var said = 0
    for (instance, host) in names {
      let message = Message(answers: [
        Record(Names.type, .ptr(instance), timeToLive: 4500),
        Record(instance, .srv(priority: 0, weight: 0, port: 1, target: host), timeToLive: 120),
        Record(instance, .txt([]), timeToLive: 4500), Record(host, .a([192, 0, 2, 77]), timeToLive: 120),
      ])
      said += message.bytes.count
      ether.hear(message)
    }
    var asking: [(id: OperationID, instance: DomainName)] = []
    // For a minute.
    var firstTen = 0
    for turn in 0..<7500 {
      if turn == 1250 { firstTen = ether.sent.count }
      let (instance, host) = names[turn % names.count]
      asking.append((ether.hosts[0].start(.addresses(host, interface: 0), at: ether.now), instance))
      if asking.count > 64 {
        let first = asking.removeFirst()
        ether.hosts[0].cancel(first.id)
        ether.hosts[0].reconfirm(first.instance, interface: 0, at: ether.now)
      }
      ether.run(until: ether.now + .milliseconds(8))
    }
    #expect(ether.sent.map(\.transmission.bytes.count).reduce(0, +) <= 2 * said)
    // Twenty ahead, and those that were due together when the last was allowed.
    #expect(firstTen <= families.count * (10 * 10 + 20 + 10), "\(firstTen)")
    #expect(firstTen >= 10)
  }

  /// As long as what was said once is good: 245 kB of names.
  @Test func `who is made to ask all the time sends ever less, and no more than twice what was said`() {
    var querier = Querier()
    let key = RecordKey(name: Names.type, type: .ptr)
    querier.begin(key, .forAll, at: .zero)
    querier.heard([UInt8](repeating: 0, count: 245_000))
    var (now, sent) = (Moment.zero, 0)
    while now < .seconds(4500) {
      querier.renew(key, at: now)
      now = max(now, querier.next ?? now)
      #expect(!querier.takeDue(at: now).isEmpty)
      querier.sent([[UInt8](repeating: 0, count: 1440)], at: now)
      sent += 1440
    }
    #expect(sent <= 2 * 245_000)
  }

  @Test func `a question for records in doubt is asked at most once a second, however often they are doubted`() {
    var querier = Querier()
    let key = RecordKey(name: Names.type, type: .ptr)
    querier.begin(key, .forAll, at: .zero)
    var asked: [Moment] = []
    for moment in stride(from: 0, to: 2000, by: 10).map({ Moment.milliseconds($0) }) {
      querier.renew(key, at: moment)
      if !querier.takeDue(at: moment).isEmpty { asked.append(moment) }
    }
    #expect(asked == [.zero, .seconds(1)])
  }

  @Test func `questions that are due while too many packets were sent share the next one`() throws {
    var querier = Querier()
    let key = RecordKey(name: Names.type, type: .ptr)
    querier.begin(key, at: .zero)
    #expect(querier.takeDue(at: .zero).count == 1)
    querier.sent(Array(repeating: [0], count: 21), at: .zero)
    let others = (0..<5).map { RecordKey(name: .of("\($0).local"), type: .a) }
    for other in others { querier.begin(other, at: .milliseconds(1)) }
    #expect(querier.next == Timing.questionInterval && querier.takeDue(at: .milliseconds(99)).isEmpty)
    #expect(querier.takeDue(at: .milliseconds(100)).map(\.key) == others + [key])
  }

  /// A querier that has begun to ask about so many forged records, two of each name.
  private static func flooded(by count: Int) -> (Querier, keys: [RecordKey]) {
    var querier = Querier()
    let keys = (0..<count / 2).flatMap { number in
      let name = DomainName.of("forged-\(10_000 + number)._irl-bump._tcp.local")
      return [RecordKey(name: name, type: .srv), RecordKey(name: name, type: .txt)]
    }
    for key in keys { querier.begin(key, at: .zero) }
    return (querier, keys)
  }

  @Test func `many questions that are due at once are asked by type, and then in the order in which they were begun`() {
    var (querier, keys) = Self.flooded(by: 1600)
    let due = querier.takeDue(at: .zero).map(\.key)
    #expect(due == keys.filter { $0.type == .txt } + keys.filter { $0.type == .srv })
  }

  /// Somebody who forges a thousand instances has about five hundred asked about at once. What they cost is taken from the
  /// reading of packets, and a receiver that does not come to that hears nobody.
  @Test(.thorough)
  func `what many questions that are due at once cost grows with their number, not with its square`() throws {
    func cost(of count: Int) -> Duration {
      var querier = Self.flooded(by: count).0
      let begin = Self.processorTime()
      _ = querier.takeDue(at: .zero)
      return Self.processorTime() - begin
    }
    let costs = (0..<10).map { _ in (cost(of: 100), cost(of: 1600)) }
    let (few, many) = (try #require(costs.map(\.0).min()), try #require(costs.map(\.1).min()))
    // Sixteen times as many: were each compared with each, they would cost 256 times as much.
    #expect(many < few * 64, "\(costs)")
  }

  /// A packet that asks so many times, with answers to something else.
  private static func packet(asking question: Question, times count: Int) -> Message {
    var message = Message(questions: Array(repeating: question, count: count))
    message.answers = Array(repeating: Record(.of("host.local"), .a([192, 0, 2, 7]), timeToLive: 120), count: 250)
    return message
  }

  @Test(arguments: [1, 700])
  func `a packet that asks for what is wanted here counts as one question, however often it does`(count: Int) {
    var ether = SimulatedLink(hosts: 1)
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .milliseconds(2500))
    ether.hear(Self.packet(asking: Question(Names.type, .ptr), times: count))
    ether.run(until: .seconds(7))
    #expect(moments(ether) == later(0, 1) + [.milliseconds(6500)])
  }

  /// Thirty of them a second, each 38 ms, once stopped all else.
  @Test(.thorough)
  func `a packet that asks hundreds of times for what is wanted here costs no more than one about something else`()
    throws
  {
    func cost(of question: Question) -> Duration {
      var ether = SimulatedLink(hosts: 1)
      _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
      ether.settle()
      let arrival = ReceivedPacket(
        bytes: Self.packet(asking: question, times: 700).bytes, source: [192, 0, 2, 200], port: multicastDNSPort,
        link: SimulatedLink.link, isMulticast: true)
      let begin = Self.processorTime()
      ether.hosts[0].receive(arrival, at: .seconds(2))
      return Self.processorTime() - begin
    }
    let costs = (0..<10).map { _ in
      (cost(of: Question(Names.type, .ptr)), cost(of: Question(.of("_other._tcp.local"), .ptr)))
    }
    // Where each question is compared with each answer it is ten times as much.
    let (wanted, other) = (try #require(costs.map(\.0).min()), try #require(costs.map(\.1).min()))
    #expect(wanted < other * 3, "\(costs)")
  }

  /// That of this thread: it does not depend on what else the machine does.
  private static func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// RFC 6762 §7.3.
  @Test func `somebody else's question counts as the first that is asked of all`() {
    var ether = SimulatedLink(hosts: 1)
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .milliseconds(10))
    ether.hear(Message(questions: [Question(Names.type, .ptr)]))
    ether.run(until: .seconds(2))
    #expect(moments(ether) == [.milliseconds(1010)])
  }

  /// RFC 6762 §7.3.
  @Test func `somebody else's question counts as ours, but not twice in a row`() {
    var ether = SimulatedLink(hosts: 1)
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .milliseconds(2500))
    ether.hear(Message(questions: [Question(Names.type, .ptr)]))
    ether.run(until: .seconds(6))
    #expect(moments(ether) == later(0, 1), "that of 3 s was asked by another")
    ether.hear(Message(questions: [Question(Names.type, .ptr)]))
    ether.run(until: .seconds(7))
    #expect(moments(ether) == later(0, 1) + [.milliseconds(6500)])
  }

  @Test func `somebody else's question for unicast, by unicast, or who knows more, does not count`() {
    let stranger = Record(Names.type, .ptr(.of("x._irl-bump._tcp.local")), timeToLive: 120)
    for (query, isMulticast) in [
      (Message(questions: [Question(Names.type, .ptr, wantsUnicast: true)]), true),
      (Message(questions: [Question(Names.type, .ptr)]), false),
      (Message(questions: [Question(Names.type, .ptr)], knownAnswers: [stranger]), true),
    ] {
      var ether = SimulatedLink(hosts: 1)
      _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
      ether.run(until: .milliseconds(2500))
      ether.hear(query, isMulticast: isMulticast)
      ether.run(until: .seconds(4))
      #expect(moments(ether) == later(0, 1, 3))
    }
  }

  @Test func `one's own question that comes back does not count`() {
    var ether = SimulatedLink(hosts: 1)
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    // It comes back at every moment.
    ether.run(until: .seconds(4))
    #expect(moments(ether) == later(0, 1, 3))
  }

  /// RFC 6762 §5.2.
  @Test func `what is about to expire is asked for while somebody wants it`() {
    var ether = SimulatedLink(hosts: 1)
    let browse = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .milliseconds(7500))
    ether.hear(Message(answers: [Record(Names.type, .ptr(Names.alice), timeToLive: 50)]))
    ether.run(until: .seconds(60))
    let asked = moments(ether).filter { $0 > .milliseconds(15_500) && $0 < .milliseconds(57_500) }
    // 31 s is the schedule's; then 80, 85, 90 and 95 %.
    #expect(asked.count == 5)
    #expect(ether.events[0].contains(.lost(browse, instance: Names.alice, interface: SimulatedLink.interface)))
  }

  /// RFC 6762 §10.4.
  @Test func `what does not answer is asked for at once and lost after ten seconds, and it alone`() {
    var ether = SimulatedLink(hosts: 1)
    let bob = DomainName.of("bob._irl-bump._tcp.local")
    let browse = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    let lost = { (instance: DomainName) in Event.lost(browse, instance: instance, interface: SimulatedLink.interface) }
    ether.hear(
      Message(answers: [
        Record(Names.type, .ptr(Names.alice), timeToLive: 120), Record(Names.type, .ptr(bob), timeToLive: 120),
        Record(Names.alice, .srv(priority: 0, weight: 0, port: 1, target: .of("host.local")), timeToLive: 120),
        Record(Names.alice, .txt([]), timeToLive: 120),
      ]))
    ether.run(until: .seconds(5))
    let before = moments(ether).count
    ether.hosts[0].reconfirm(Names.alice, interface: 0, at: ether.now)
    ether.run(until: .seconds(5))
    #expect(moments(ether).count == before + 1)
    #expect(ether.queries().last?.message.answers.map(\.data) == [.ptr(bob)], "it is no known answer")
    // Whoever cannot connect to it either gives it no more time.
    ether.run(until: .seconds(14))
    ether.hosts[0].reconfirm(Names.alice, interface: 0, at: ether.now)
    ether.run(until: .milliseconds(14_999))
    // That at 7 s is the schedule's.
    #expect(
      moments(ether).filter { $0 >= .seconds(5) } == [.seconds(5)] + later(7) + [.seconds(10), .seconds(14)])
    #expect(!ether.events[0].contains(lost(Names.alice)))
    ether.run(until: .seconds(15))
    #expect(ether.events[0].contains(lost(Names.alice)) && !ether.events[0].contains(lost(bob)))
    #expect(ether.hosts[0].memory.records == 1, "nor does anybody get where it was")
  }

  // MARK: What others ask in vain

  /// What somebody else asks at 9 s, a while after a record was heard of, and once more.
  private func observed(
    _ question: Message? = nil, second: Message? = nil, heard before: Duration = .milliseconds(1500),
    after gap: Duration = .milliseconds(3500)
  ) -> (ether: SimulatedLink, lost: Event) {
    let question = question ?? Message(questions: [Question(Names.type, .ptr)])
    var ether = SimulatedLink(hosts: 1)
    let browse = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .seconds(9) - before)
    ether.hear(Message(answers: [Record(Names.type, .ptr(Names.alice), timeToLive: 4500)]))
    ether.run(until: .seconds(9))
    ether.hear(question)
    ether.run(until: ether.now + gap)
    ether.hear(second ?? question)
    return (ether, .lost(browse, instance: Names.alice, interface: SimulatedLink.interface))
  }

  /// RFC 6762 §10.5.
  @Test func `what others ask for twice in vain is asked for twice, and lost after ten seconds`() {
    var (ether, lost) = observed()
    let asked = { (ether: SimulatedLink) in moments(ether).filter { $0 > .seconds(8) && $0 < .milliseconds(22_400) } }
    ether.settle()
    #expect(asked(ether) == [.milliseconds(12_500)])
    #expect(ether.queries().last?.message.answers == [], "not as a known answer")
    ether.run(until: .milliseconds(22_499))
    #expect(!ether.events[0].contains(lost))
    ether.run(until: .milliseconds(22_500))
    #expect(ether.events[0].contains(lost))
    // That at 15 s is the schedule's.
    #expect(asked(ether) == [.milliseconds(12_500)] + later(15) + [.milliseconds(17_500)])
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
      // Whoever answered just before the first question need not have answered it.
      observed(heard: .milliseconds(900)),
    ]
    for (ether, lost) in others {
      var ether = ether
      ether.run(until: .seconds(60))
      #expect(!ether.events[0].contains(lost))
    }
  }

  @Test func `what strangers ask for is not kept in mind where nobody here wants it`() {
    var ether = SimulatedLink(hosts: 1)
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    for number in 0..<100 { ether.hear(Message(questions: [Question(.of("\(number).local"), .a)])) }
    ether.hear(Message(questions: [Question(Names.type, .ptr)]))
    #expect(ether.hosts[0].interfaceStates[SimulatedLink.interface]?.askedByOthers.count == 1)
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
