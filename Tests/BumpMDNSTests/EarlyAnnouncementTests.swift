import Testing

@testable import BumpMDNS

/// What is said beside another responder on this host (`Deviation.earlyAnnouncement`).
@Suite struct EarlyAnnouncementTests {
  private let pointer = Record(Names.type, .ptr(Names.alice), timeToLive: 4500)

  /// What the responder multicasts when it is asked.
  private func answer(timeToLive: UInt32 = 120, of instance: DomainName = Names.alice) -> Message {
    let host = RecordData.srv(priority: 0, weight: 0, port: 4242, target: Names.host)
    return Message(answers: [Record(instance, host, timeToLive: timeToLive, flushesCache: true)])
  }

  @Test func `what is unique is asked for at once, and the pointer is announced where it is answered`() {
    var ether = SimulatedLink(hosts: 1, families: [.ipv4, .ipv6])
    _ = ether.hosts[0].announceEarly([pointer], at: .zero)
    ether.settle()
    #expect(ether.queries().count == 2, "by IPv4 and by IPv6")
    for query in ether.queries() {
      #expect(query.message.questions == [Question(Names.alice, .srv), Question(Names.alice, .txt)])
      #expect(query.message.answers.isEmpty && query.message.authorities.isEmpty)
    }
    ether.hear(answer(), from: SimulatedLink.address(0))
    ether.hear(answer(), from: SimulatedLink.address(0))
    ether.run(until: .seconds(60))
    let responses = ether.sent.filter { (try? $0.message.isResponse) == true }
    #expect(responses.count == 1, "once, and by IPv6 the responder is not heard")
    #expect(responses.first?.moment == .zero && responses.first?.transmission.link == SimulatedLink.link)
    #expect(ether.responses().first?.message.answers == [pointer])
    #expect(ether.responses().first?.message.additionals == [])
  }

  @Test
  func `nothing is announced where nobody answers, nor for a goodbye, for another's answer or for one to us alone`() {
    var ether = SimulatedLink(hosts: 1)
    let id = ether.hosts[0].announceEarly([pointer], at: .zero)
    ether.settle()
    ether.hear(answer(timeToLive: 0))
    ether.hear(answer(of: Names.type.prefixed("bob".utf8) ?? Names.type))
    ether.hear(answer(), isMulticast: false)
    ether.run(until: .seconds(1))
    #expect(ether.events[0] == [.handedOver(id)])
    ether.hear(answer())
    ether.run(until: .seconds(60))
    #expect(ether.responses().isEmpty && ether.queries().count == 1)
  }

  @Test func `what the responder does not have after all is taken back on every link, where it is heard or not`() {
    var ether = SimulatedLink(hosts: 1, families: [.ipv4, .ipv6])
    let id = ether.hosts[0].announceEarly([pointer], at: .zero)
    ether.settle()
    ether.hear(answer())
    ether.hosts[0].withdraw(id, at: ether.now)
    ether.run(until: .seconds(60))
    let goodbye = pointer.with(timeToLive: 0)
    #expect(ether.responses().map(\.message.answers) == [[pointer], [goodbye], [goodbye]])
    #expect(ether.events[0].isEmpty)
  }

  @Test func `what is left to the responder is neither announced nor taken back`() {
    for hears in [true, false] {
      var ether = SimulatedLink(hosts: 1)
      let id = ether.hosts[0].announceEarly([pointer], at: .zero)
      ether.settle()
      if hears { ether.hear(answer()) }
      ether.hosts[0].handOver(id)
      ether.hosts[0].withdraw(id, at: ether.now)
      ether.hear(answer())
      ether.run(until: .seconds(60))
      #expect(ether.responses().count == (hears ? 1 : 0))
      #expect(ether.events[0].isEmpty)
    }
  }

  @Test func `who browses has found it with that`() {
    var ether = SimulatedLink(hosts: 2)
    let browse = ether.hosts[1].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .seconds(30))
    _ = ether.hosts[0].announceEarly([pointer], at: ether.now)
    ether.settle()
    ether.hear(answer())
    #expect(ether.events[1] == [.found(browse, instance: Names.alice, interface: SimulatedLink.interface)])
  }
}
