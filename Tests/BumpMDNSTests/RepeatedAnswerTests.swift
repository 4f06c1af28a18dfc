import Testing

@testable import BumpMDNS

/// The same bytes by both families within a moment.
@Suite struct RepeatedAnswerTests {
  private static let pointer = Record(Names.type, .ptr(Names.alice), timeToLive: 120)
  private static let answer = Message(answers: [pointer])
  private static let other = Link(interface: SimulatedLink.interface, family: .ipv6)

  private var ether = SimulatedLink(hosts: 1, families: [.ipv4, .ipv6])

  /// When the browser loses alice, if it does within three minutes.
  private mutating func end() -> Moment? {
    while ether.now < .seconds(180) {
      ether.run(until: ether.now + .milliseconds(10))
      if ether.events[0].contains(where: { if case .lost = $0 { true } else { false } }) { return ether.now }
    }
    return nil
  }

  private mutating func hear(
    _ message: Message = answer, by link: Link = SimulatedLink.link, at moment: Moment, _ isMulticast: Bool = true
  ) {
    ether.run(until: moment)
    ether.hear(message, from: SimulatedLink.address(9, link.family), isMulticast: isMulticast, link: link)
  }

  private mutating func browse() { _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: ether.now) }

  @Test mutating func `a packet that comes again at once by the other family has no news`() {
    browse()
    hear(at: .zero)
    hear(by: Self.other, at: .milliseconds(90))
    #expect(end() == .seconds(120))
  }

  @Test mutating func `a packet that comes again later lets its records live on`() {
    browse()
    hear(at: .zero)
    hear(by: Self.other, at: .milliseconds(100))
    #expect(end() == .milliseconds(120_100))
  }

  @Test mutating func `a packet with another record or time to live is another one`() {
    browse()
    hear(at: .zero)
    hear(Message(answers: [Self.pointer.with(timeToLive: 60)]), by: Self.other, at: .milliseconds(10))
    #expect(end() == .milliseconds(60_010))
  }

  @Test mutating func `after a goodbye the same packet counts`() {
    browse()
    hear(at: .zero)
    hear(Message(answers: [Self.pointer.with(timeToLive: 0)]), at: .milliseconds(10))
    hear(at: .milliseconds(20))
    #expect(end() == .milliseconds(120_020))
  }

  @Test mutating func `a goodbye that had nothing to end counts when it comes again`() {
    let goodbye = Message(answers: [Self.pointer.with(timeToLive: 0)])
    browse()
    hear(goodbye, at: .zero)
    hear(at: .milliseconds(10))
    hear(goodbye, at: .milliseconds(20))
    #expect(end() == .milliseconds(1020))
  }

  @Test mutating func `where a record is in doubt the same packet speaks for it`() {
    browse()
    hear(at: .zero)
    ether.hosts[0].reconfirm(Names.alice, interface: 0, at: ether.now)
    hear(at: .milliseconds(20))
    #expect(end() == .milliseconds(120_020))
  }

  @Test mutating func `what nobody asked for at first is kept when it comes again`() {
    hear(at: .zero)
    browse()
    hear(by: Self.other, at: .milliseconds(10))
    #expect(end() == .milliseconds(120_010))
  }

  /// Its records count where the answer was asked for, and a stranger's are not remembered.
  @Test mutating func `an answer to us alone that nobody asked for hides none that was`() {
    browse()
    hear(at: .zero, false)
    hear(at: .milliseconds(10))
    #expect(end() == .milliseconds(120_010))
  }

  /// RFC 6762 §6.7.
  @Test mutating func `the two answers to us alone count as one, whatever their message ids`() throws {
    browse()
    ether.run(until: Timing.questionForAll)
    for (link, moment) in [(SimulatedLink.link, ether.now), (Self.other, ether.now + .milliseconds(50))] {
      let asked = try #require(
        ether.sent.first { $0.transmission.link == link && $0.transmission.destination == .groupFromOwnPort })
      var answer = Self.answer
      answer.id = try asked.message.id
      hear(answer, by: link, at: moment, false)
    }
    #expect(end() == .seconds(120) + Timing.questionForAll)
  }

  /// `Deviation.earlyAnnouncement`.
  @Test mutating func `where another responder is hastened each link counts`() {
    let host = Record(
      Names.alice, .srv(priority: 0, weight: 0, port: 4242, target: Names.host), timeToLive: 120, flushesCache: true)
    _ = ether.hosts[0].start(.resolve(Names.alice, interface: 0), at: .zero)
    _ = ether.hosts[0].announceEarly([Self.pointer], at: .zero)
    for link in [SimulatedLink.link, Self.other] { hear(Message(answers: [host]), by: link, at: .zero) }
    let announced = ether.sent.filter { (try? $0.message)?.answers == [Self.pointer] }
    #expect(announced.map(\.transmission.link) == [SimulatedLink.link, Self.other])
  }

  /// RFC 6762 §6.6. Each family has listeners of its own.
  @Test mutating func `what is said of ours is corrected on each link`() throws {
    _ = try ether.hosts[0].publish(.named(), at: .zero)
    browse()
    ether.run(until: .seconds(10))
    let brief = Message(answers: [Self.pointer.with(timeToLive: 10)])
    // Before either is corrected: the correction makes the cache read them anew.
    for link in [SimulatedLink.link, Self.other] {
      let source = SimulatedLink.address(9, link.family)
      ether.hosts[0].receive(
        ReceivedPacket(bytes: brief.bytes, source: source, port: multicastDNSPort, link: link, isMulticast: true),
        at: ether.now)
    }
    ether.run(until: .seconds(12))
    let corrected = ether.sent.filter { $0.moment >= .seconds(10) && $0.transmission.destination == .group }
      .filter { (try? $0.message)?.answers.contains(Self.pointer) == true }
    #expect(Set(corrected.map(\.transmission.link)) == [SimulatedLink.link, Self.other])
  }
}
