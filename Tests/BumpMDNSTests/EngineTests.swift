import Measures
import Samples
import Testing

@testable import BumpMDNS

/// Whole conversations, and what strangers can do to them.
@Suite struct EngineTests {
  private func instances(_ ether: SimulatedLink, of host: Int) -> [DomainName] {
    ether.events[host].compactMap { if case .found(_, let instance, _) = $0 { instance } else { nil } }
  }

  @Test func `who browses first finds within the moment of the announcement`() throws {
    var ether = SimulatedLink(hosts: 2)
    let browse = ether.hosts[1].start(.browse(Names.type, interface: 0), at: .zero)
    ether.run(until: .milliseconds(700))
    _ = try ether.hosts[0].publish(.named(), at: ether.now)
    ether.settle()
    #expect(ether.events[1] == [.found(browse, instance: Names.alice, interface: SimulatedLink.interface)])
    let resolve = ether.hosts[1].start(.resolve(Names.alice, interface: SimulatedLink.interface), at: ether.now)
    ether.settle()
    #expect(
      ether.events[1].last
        == .resolved(
          resolve,
          Resolution(
            host: Names.host, port: 4242, txt: Array("\u{3}v=1".utf8), interface: SimulatedLink.interface,
            addresses: [[192, 0, 2, 1]])))
    #expect(ether.queries(of: 1).count == 1, "all came with the announcement")
  }

  @Test func `who publishes first is found at once, however lately it was multicast`() throws {
    for wait in [0, 1, 500, 999, 1001, 1999, 60_000] {
      var ether = SimulatedLink(hosts: 2)
      _ = try ether.hosts[0].publish(.named(), at: .zero)
      ether.run(until: .milliseconds(wait))
      _ = ether.hosts[1].start(.browse(Names.type, interface: 0), at: ether.now)
      ether.settle()
      #expect(instances(ether, of: 1) == [Names.alice], "after \(wait) ms")
      ether.run(until: .milliseconds(wait) + .seconds(300))
      #expect(!ether.events[1].contains { if case .lost = $0 { true } else { false } }, "after \(wait) ms")
    }
  }

  @Test func `one engine finds what it publishes`() throws {
    var ether = SimulatedLink(hosts: 1)
    _ = try ether.hosts[0].publish(.named(), at: .zero)
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    _ = ether.hosts[0].start(.resolve(Names.alice, interface: 0), at: .zero)
    ether.run(until: .milliseconds(20))
    #expect(instances(ether, of: 0) == [Names.alice])
    #expect(ether.events[0].contains { if case .resolved = $0 { true } else { false } })
  }

  @Test func `a service that is withdrawn is lost after a second`() throws {
    var ether = SimulatedLink(hosts: 2)
    let browse = ether.hosts[1].start(.browse(Names.type, interface: 0), at: .zero)
    let id = try ether.hosts[0].publish(.named(), at: .zero)
    ether.run(until: .seconds(5))
    ether.hosts[0].withdraw(id, at: ether.now)
    ether.run(until: .milliseconds(5999))
    #expect(ether.events[1].count == 1)
    ether.run(until: .seconds(6))
    #expect(ether.events[1].last == .lost(browse, instance: Names.alice, interface: SimulatedLink.interface))
  }

  @Test func `a publisher that dies is lost when its record ends, after 120 seconds`() throws {
    var ether = SimulatedLink(hosts: 2)
    let browse = ether.hosts[1].start(.browse(Names.type, interface: 0), at: .zero)
    _ = try ether.hosts[0].publish(.named(), at: .zero)
    ether.run(until: .seconds(2))
    let last = try #require(ether.responses().last?.moment)
    ether.cutOff = [0]
    ether.run(until: last + .milliseconds(119_999))
    #expect(ether.events[1].count == 1)
    ether.run(until: last + .seconds(120))
    #expect(ether.events[1].last == .lost(browse, instance: Names.alice, interface: SimulatedLink.interface))
  }

  @Test func `a service is told of once per interface, whichever family it comes by`() throws {
    var ether = SimulatedLink(hosts: 2, families: [.ipv4, .ipv6])
    _ = ether.hosts[1].start(.browse(Names.type, interface: 0), at: .zero)
    _ = try ether.hosts[0].publish(.named(), at: .zero)
    ether.run(until: .seconds(30))
    #expect(instances(ether, of: 1) == [Names.alice])
  }

  @Test func `addresses are told as they come`() throws {
    var ether = SimulatedLink(hosts: 2)
    let addresses = ether.hosts[1].start(.addresses(Names.host, interface: 0), at: .zero)
    _ = try ether.hosts[0].publish(.named(), at: .zero)
    ether.run(until: .seconds(5))
    var interface = SimulatedLink.interface(of: 0)
    interface.addresses.append(LocalAddress(bytes: [192, 0, 2, 99], prefix: 24))
    ether.hosts[0].update([interface], at: ether.now)
    ether.settle()
    #expect(
      ether.events[1] == [
        .address(addresses, [192, 0, 2, 1], interface: SimulatedLink.interface),
        .address(addresses, [192, 0, 2, 99], interface: SimulatedLink.interface),
      ])
  }

  @Test func `an address that is denied is not asked for`() throws {
    var ether = SimulatedLink(hosts: 2)
    _ = try ether.hosts[0].publish(.named(), at: .zero)
    _ = ether.hosts[1].start(.addresses(Names.host, interface: 0), at: .zero)
    ether.run(until: .seconds(110))
    // What there is was announced with what there is not (RFC 6762 §6.1), before the question.
    #expect(!ether.queries(of: 1).contains { $0.message.questions.contains { $0.type == .aaaa } })
    #expect(ether.queries(of: 1).contains { $0.message.questions.contains { $0.type == .a } })
  }

  /// RFC 6762 §5.2, §6, §8.3, with `Deviation`.
  @Test func `in a room of twenty-five hosts all find all, and no packet comes too soon`() throws {
    var ether = SimulatedLink(hosts: 25, seed: 5)
    var dice = SplitMix64(seed: 8)
    let starts = (0..<25).map { ($0, Int.random(in: 0..<3000, using: &dice)) }.sorted { $0.1 < $1.1 }
    for (host, moment) in starts {
      ether.run(until: .milliseconds(moment))
      _ = try ether.hosts[host].publish(.named("host \(host)", host: nil), at: ether.now)
      _ = ether.hosts[host].start(.browse(Names.type, interface: 0), at: ether.now)
      ether.settle()
      // Whoever was there is found within the moment, by answers to the second question.
      let before = starts.prefix { $0.1 < moment }.count
      #expect(instances(ether, of: host).count >= before, "host \(host)")
    }
    ether.run(until: .seconds(20))
    for host in 0..<25 { #expect(Set(instances(ether, of: host)).count == 25, "host \(host)") }
    for host in 0..<25 {
      var last: [RecordData: Moment] = [:]
      for (moment, message) in ether.responses(of: host) {
        for record in message.answers + message.additionals where record.data != .ptr(Names.type) {
          if let before = last[record.data] { #expect(moment - before >= .seconds(1), "\(record)") }
          last[record.data] = moment
        }
      }
      // Between those of the schedule, which `QueryTests` hold against the clock, some renew what is about to expire.
      let questions = ether.queries(of: host).map(\.moment)
      for gap in zip(questions, questions.dropFirst()).map({ $1 - $0 }) { #expect(gap >= .seconds(1)) }
    }
  }

  /// All hear every question: a question more for each that is known would be most of what a host in such a room does.
  @Test func `in a room of pairs each hears only so much more as there are more of them`() throws {
    let few = try packetsPerHost(pairs: 5)
    let many = try packetsPerHost(pairs: 20)
    #expect(many < 5 * few, "\(few), \(many)")
  }

  /// Each second host browses, after the others have published, and asks where each is that it finds.
  private func packetsPerHost(pairs: Int) throws -> Int {
    var ether = SimulatedLink(hosts: 2 * pairs)
    for host in 0..<pairs {
      _ = try ether.hosts[host].publish(.named("host \(host)", host: "bump-\(host).local"), at: ether.now)
      ether.run(until: ether.now + .milliseconds(7))
    }
    ether.run(until: .seconds(3))
    for host in pairs..<2 * pairs { _ = ether.hosts[host].start(.browse(Names.type, interface: 0), at: ether.now) }
    ether.settle()
    for host in pairs..<2 * pairs {
      #expect(Set(instances(ether, of: host)).count == pairs)
      for instance in instances(ether, of: host) {
        _ = ether.hosts[host].start(.resolve(instance, interface: 0), at: ether.now)
      }
      for other in 0..<pairs {
        _ = ether.hosts[host].start(.addresses(.of("bump-\(other).local"), interface: 0), at: ether.now)
      }
    }
    ether.run(until: .seconds(6))
    let heard = ether.sent.reduce(0) { sum, sent in
      if case .host = sent.transmission.destination { sum + 1 } else { sum + 2 * pairs }
    }
    return heard / (2 * pairs)
  }

  // MARK: Interfaces

  @Test func `an address that goes is taken back`() throws {
    var ether = SimulatedLink(hosts: 2)
    var interface = SimulatedLink.interface(of: 0)
    interface.addresses.append(LocalAddress(bytes: [192, 0, 2, 99], prefix: 24))
    ether.hosts[0].update([interface], at: .zero)
    _ = ether.hosts[1].start(.addresses(Names.host, interface: 0), at: .zero)
    _ = try ether.hosts[0].publish(.named(), at: .zero)
    ether.run(until: .seconds(5))
    ether.hosts[0].update([SimulatedLink.interface(of: 0)], at: ether.now)
    ether.run(until: .seconds(6))
    let known = ether.hosts[1].interfaceStates[SimulatedLink.interface]?.cache.records(
      RecordKey(name: Names.host, type: .a), at: ether.now)
    #expect(known?.map(\.data) == [.a([192, 0, 2, 1])])
  }

  @Test func `an interface that comes is asked on and announced on at once`() throws {
    var ether = SimulatedLink(hosts: 1)
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    _ = try ether.hosts[0].publish(.named(), at: .zero)
    ether.run(until: .seconds(100))
    let second = Interface(index: 7, addresses: [LocalAddress(bytes: [198, 51, 100, 1], prefix: 24)])
    ether.hosts[0].update([SimulatedLink.interface(of: 0), second], at: ether.now)
    ether.settle()
    let sent = ether.sent.filter { $0.transmission.link.interface == 7 }
    #expect(try sent.map { try $0.message.isResponse } == [false, true])
  }

  @Test func `with an interface goes what was found by it`() throws {
    var ether = SimulatedLink(hosts: 2)
    let browse = ether.hosts[1].start(.browse(Names.type, interface: 0), at: .zero)
    _ = try ether.hosts[0].publish(.named(), at: .zero)
    ether.run(until: .seconds(1))
    ether.hosts[1].update([], at: ether.now)
    #expect(ether.hosts[1].takeEvents() == [.lost(browse, instance: Names.alice, interface: SimulatedLink.interface)])
    ether.run(until: .seconds(100))
    #expect(ether.hosts[1].memory.records == 0)
    ether.hosts[1].update([SimulatedLink.interface(of: 1)], at: ether.now)
    ether.settle()
    #expect(ether.events[1].last == .found(browse, instance: Names.alice, interface: SimulatedLink.interface))
  }

  @Test func `what one interface heard is not known on another`() {
    var engine = Engine(random: SplitMix64(seed: 1))
    engine.update(
      [2, 3].map { Interface(index: $0, addresses: [LocalAddress(bytes: [192, 0, UInt8($0), 1], prefix: 24)]) },
      at: .zero)
    let (all, one) = (
      engine.start(.browse(Names.type, interface: 0), at: .zero),
      engine.start(.browse(Names.type, interface: 2), at: .zero)
    )
    let bytes = Message(answers: [Record(Names.type, .ptr(Names.alice), timeToLive: 120)]).bytes
    engine.receive(
      ReceivedPacket(
        bytes: bytes, source: [192, 0, 3, 9], port: 5353, link: Link(interface: 3, family: .ipv4), isMulticast: true),
      at: .zero)
    #expect(engine.takeEvents() == [.found(all, instance: Names.alice, interface: 3)])
    _ = one
  }

  // MARK: Strangers

  /// RFC 6762 §6, §11.
  @Test func `answers count from port 5353, and to us alone where we have asked`() throws {
    let answer = Message(answers: [Record(Names.type, .ptr(Names.alice), timeToLive: 120)])
    var ether = SimulatedLink(hosts: 1)
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.settle()
    let number = try #require(ether.messages { $0 == .groupFromOwnPort }.first?.message.id)
    ether.hear(answer, port: 5354)
    ether.hear(answer, isMulticast: false)
    var reply = answer
    reply.id = number
    ether.hear(reply, from: [203, 0, 113, 1], isMulticast: false)
    reply.id = number &+ 1
    ether.hear(reply, isMulticast: false)
    #expect(ether.events[0].isEmpty)
    reply.id = number
    ether.run(until: .seconds(6))
    ether.hear(reply, isMulticast: false)
    #expect(ether.events[0].isEmpty, "too late")
    ether.hear(answer, from: [203, 0, 113, 1])
    ether.settle()
    #expect(instances(ether, of: 0) == [Names.alice], "to the group")
  }

  /// They abort libavahi-core 0.8.
  @Test func `aliases, chains and circles of them change nothing`() throws {
    var ether = SimulatedLink(hosts: 2)
    _ = ether.hosts[1].start(.browse(Names.type, interface: 0), at: .zero)
    _ = ether.hosts[1].start(.resolve(Names.alice, interface: 0), at: .zero)
    _ = ether.hosts[1].start(.addresses(Names.host, interface: 0), at: .zero)
    let (a, b) = (DomainName.of("a.local"), DomainName.of("b.local"))
    let names = [Names.type, Names.alice, Names.host, a, b]
    for name in names {
      for target in names {
        ether.hear(Message(answers: [Record(name, .cname(target), timeToLive: 120, flushesCache: true)]), at: 1)
        ether.hear(
          Message(answers: [Record(name, .cname(target), timeToLive: 120), Record(target, .cname(name), timeToLive: 0)]
          ),
          at: 1)
      }
    }
    #expect(ether.hosts[1].memory.records == 0)
    _ = try ether.hosts[0].publish(.named(), at: ether.now)
    ether.settle()
    #expect(instances(ether, of: 1) == [Names.alice])
    #expect(ether.events[1].contains { if case .resolved = $0 { true } else { false } })
  }

  @Test func `what nobody asks for is not kept`() throws {
    var ether = SimulatedLink(hosts: 1)
    _ = try ether.hosts[0].publish(.named(), at: .zero)
    let forged = (0..<30).map { Record(.of("_x\($0)._tcp.local"), .ptr(Names.alice), timeToLive: 4500) }
    ether.hear(Message(answers: forged))
    #expect(ether.hosts[0].memory.records == 0)
    ether = SimulatedLink(hosts: 1)
    _ = ether.hosts[0].start(.browse(Names.type, interface: 0), at: .zero)
    ether.hear(Message(answers: forged + [Record(.of("x.local"), .a([1, 2, 3, 4]), timeToLive: 4500)]))
    #expect(ether.hosts[0].memory.records == 0)
  }

  @Test func `thousands of forged instances do not hide one`() throws {
    let packets = Measure.isThorough ? 1000 : 200
    var ether = SimulatedLink(hosts: 2)
    _ = ether.hosts[1].start(.browse(Names.type, interface: 0), at: .zero)
    for packet in 0..<packets {
      let forged = (0..<10).flatMap { index -> [Record] in
        let name = DomainName.of("forged \(packet) \(index)._irl-bump._tcp.local")
        return [
          Record(Names.type, .ptr(name), timeToLive: 4500),
          Record(name, .srv(priority: 0, weight: 0, port: 1, target: name), timeToLive: 4500, flushesCache: true),
        ]
      }
      ether.hear(Message(answers: forged), at: 1)
    }
    _ = try ether.hosts[0].publish(.named(), at: ether.now)
    ether.settle()
    #expect(instances(ether, of: 1).last == Names.alice)
    #expect(instances(ether, of: 1).count == 10 * packets + 1)
    ether.run(until: .seconds(3))
    #expect(ether.sent.filter { $0.host == 1 }.count < 200, "known answers are bounded")
  }

  @Test func `hundreds of services are found and resolved`() throws {
    let services = Measure.isThorough ? 1000 : 300
    var ether = SimulatedLink(hosts: 2)
    for index in 0..<services { _ = try ether.hosts[0].publish(.named("\(index)", host: nil), at: .zero) }
    ether.cutOff = [1]
    ether.run(until: .seconds(10))
    ether.cutOff = []
    _ = ether.hosts[1].start(.browse(Names.type, interface: 0), at: ether.now)
    ether.run(until: .seconds(11))
    #expect(Set(instances(ether, of: 1)).count == services)
    for instance in instances(ether, of: 1) {
      _ = ether.hosts[1].start(.resolve(instance, interface: 0), at: ether.now)
    }
    ether.run(until: .seconds(20))
    #expect(ether.events[1].filter { if case .resolved = $0 { true } else { false } }.count == services)
    #expect(ether.hosts[1].memory.bytes < 8 << 20)
  }

  @Test func `what each of a hundred interfaces hears stays within its share of the limit`() {
    let heard: UInt32 = Measure.isThorough ? 100 : 10
    var engine = Engine(random: SplitMix64(seed: 1))
    engine.update(
      (1...100).map { Interface(index: $0, addresses: [LocalAddress(bytes: [10, UInt8($0), 0, 1], prefix: 16)]) },
      at: .zero)
    _ = engine.start(.browse(Names.type, interface: 0), at: .zero)
    for interface in 1...heard {
      for packet in 0..<20 {
        let forged = (0..<60).map {
          Record(Names.type, .ptr(.of("forged \(packet) \($0)._irl-bump._tcp.local")), timeToLive: 4500)
        }
        engine.receive(
          ReceivedPacket(
            bytes: Message(answers: forged).bytes, source: [10, 1, 1, 1], port: 5353,
            link: Link(interface: interface, family: .ipv4), isMulticast: true), at: .zero)
      }
    }
    #expect(engine.memory.bytes <= Engine.memoryLimit / 100 * Int(heard))
    #expect(engine.memory.records > 100 * Int(heard))
  }

  @Test func `any bytes as packets end nothing`() throws {
    var ether = SimulatedLink(hosts: 2)
    _ = ether.hosts[1].start(.browse(Names.type, interface: 0), at: .zero)
    _ = try ether.hosts[1].publish(.named("bob", host: nil), at: .zero)
    _ = try ether.hosts[0].publish(.named(), at: .zero)
    ether.run(until: .seconds(3))
    var random = SplitMix64(seed: 3)
    let packets = ether.sent.map(\.transmission.bytes)
    for step in 0..<3000 {
      var bytes = packets[Int.random(in: 0..<packets.count, using: &random)]
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      ether.run(until: .seconds(3) + .milliseconds(3 * step))
      ether.hosts[1].receive(
        ReceivedPacket(
          bytes: bytes, source: [192, 0, 2, 77], port: Bool.random(using: &random) ? 5353 : 7, link: SimulatedLink.link,
          isMulticast: Bool.random(using: &random)), at: ether.now)
    }
    ether.settle()
  }
}
