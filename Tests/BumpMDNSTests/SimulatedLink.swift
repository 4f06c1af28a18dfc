import Samples

@testable import BumpMDNS

/// Engines on one network, with a clock that runs only when it is told to. Packets arrive at the moment they are sent, at
/// all hosts and at the sender.
struct SimulatedLink {
  struct Sent {
    var moment: Moment
    var host: Int
    var transmission: OutgoingPacket

    var message: Message { get throws { try Message(transmission.bytes) } }
  }

  var hosts: [Engine] = []
  var events: [[Event]] = []
  var sent: [Sent] = []
  var now: Moment = .zero
  /// Hosts that are neither heard nor hear.
  var cutOff: Set<Int> = []

  static let interface: UInt32 = 2
  static let link = Link(interface: interface, family: .ipv4)

  /// - Parameter families: IPv4 alone, as a rule: each packet once.
  init(hosts count: Int, seed: UInt64 = 1, families: [Family] = [.ipv4]) {
    for host in 0..<count {
      var engine = Engine(random: SplitMix64(seed: seed &+ UInt64(host) &* 77))
      engine.update([Self.interface(of: host, families: families)], at: .zero)
      hosts.append(engine)
      events.append([])
    }
  }

  static func interface(of host: Int, families: [Family] = [.ipv4]) -> Interface {
    Interface(
      index: interface,
      addresses: families.map { LocalAddress(bytes: address(host, $0), prefix: $0 == .ipv4 ? 24 : 64) })
  }

  static func address(_ host: Int, _ family: Family = .ipv4) -> [UInt8] {
    let last = UInt8(truncatingIfNeeded: host + 1)
    return family == .ipv4 ? [192, 0, 2, last] : [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [last]
  }

  /// The port from which a host asks beside port 5353.
  static func ownPort(_ host: Int) -> UInt16 { 40_000 + UInt16(truncatingIfNeeded: host) }

  /// Does all that is due up to a moment.
  mutating func run(until end: Moment) {
    settle()
    while let next = hosts.compactMap(\.next).min(), next <= end {
      now = max(now, next)
      settle()
    }
    now = max(now, end)
  }

  /// Does all that is due now.
  mutating func settle() {
    var isQuiet = false
    while !isQuiet {
      isQuiet = true
      for host in hosts.indices {
        hosts[host].advance(to: now)
        events[host] += hosts[host].takeEvents()
        for transmission in hosts[host].takeTransmissions() {
          isQuiet = false
          sent.append(Sent(moment: now, host: host, transmission: transmission))
          if !cutOff.contains(host) { deliver(transmission, from: host) }
        }
      }
    }
  }

  private mutating func deliver(_ transmission: OutgoingPacket, from host: Int) {
    let source = Self.address(host, transmission.link.family)
    let isFromOwnPort = transmission.destination == .groupFromOwnPort
    let port = isFromOwnPort ? Self.ownPort(host) : multicastDNSPort
    for other in hosts.indices where !cutOff.contains(other) {
      if case .host(let address, let destination) = transmission.destination {
        guard address == Self.address(other, transmission.link.family), destination == Self.ownPort(other) else {
          continue
        }
      }
      let isMulticast = if case .host = transmission.destination { false } else { true }
      hosts[other].receive(
        ReceivedPacket(
          bytes: transmission.bytes, source: source, port: port, link: transmission.link, isMulticast: isMulticast),
        at: now)
      events[other] += hosts[other].takeEvents()
    }
  }

  /// A packet of a stranger's, which only one host hears.
  mutating func hear(
    _ message: Message, from source: [UInt8] = [192, 0, 2, 200], port: UInt16 = multicastDNSPort,
    isMulticast: Bool = true,
    link: Link = Self.link, at host: Int = 0
  ) {
    hear(message.bytes, from: source, port: port, isMulticast: isMulticast, link: link, at: host)
  }

  mutating func hear(
    _ bytes: [UInt8], from source: [UInt8] = [192, 0, 2, 200], port: UInt16 = multicastDNSPort,
    isMulticast: Bool = true, link: Link = Self.link, at host: Int = 0
  ) {
    hosts[host].receive(
      ReceivedPacket(bytes: bytes, source: source, port: port, link: link, isMulticast: isMulticast), at: now)
    settle()
  }

  /// What a host has multicast, or sent from a port of its own, or to one host.
  func messages(of host: Int = 0, _ isMeant: (OutgoingPacket.Destination) -> Bool = { $0 == .group }) -> [(
    moment: Moment, message: Message
  )] {
    sent.filter { $0.host == host && isMeant($0.transmission.destination) }.compactMap { sent in
      (try? sent.message).map { (sent.moment, $0) }
    }
  }

  func queries(of host: Int = 0) -> [(moment: Moment, message: Message)] {
    messages(of: host).filter { !$0.message.isResponse }
  }

  func responses(of host: Int = 0) -> [(moment: Moment, message: Message)] {
    messages(of: host).filter { $0.message.isResponse }
  }

  /// What was sent to one host alone.
  func replies(of host: Int = 0) -> [Message] {
    messages(of: host) { if case .host = $0 { true } else { false } }.map(\.message)
  }
}

extension Message {
  /// A question as somebody sends it who probes for a name (RFC 6762 §8.1).
  static func probe(_ name: DomainName, _ record: Record) -> Message {
    var message = Message(questions: [Question(name, .any, wantsUnicast: true)])
    message.authorities = [record]
    return message
  }
}
