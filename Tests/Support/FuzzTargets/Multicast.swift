import BumpMDNS

/// A host in any conversation with strangers: whatever they send and whenever, what it sends can be read, no record is
/// multicast twice in a second, and memory is bounded.
func fuzzMulticast(_ input: UnsafeBufferPointer<UInt8>) {
  var scene = MulticastScene(Program(input))
  while !scene.program.isOver { scene.step() }
  scene.pass(.seconds(7200))
}

private struct MulticastScene {
  var program: Program
  var engine = Engine(random: Dice())
  var now: Moment = .zero
  var operations: [OperationID] = []
  var services: [ServiceID] = []
  var lastMulticast: [Link: [Said: Moment]] = [:]

  struct Said: Hashable {
    var name: DomainName
    var data: RecordData
  }

  static let link = Link(interface: 2, family: .ipv4)
  static let names = [
    "_t._tcp.local", "a._t._tcp.local", "b._t._tcp.local", "A._T._tcp.local", "h.local", "i.local",
    "_services._dns-sd._udp.local", "local",
  ].compactMap { DomainName($0) }

  init(_ program: Program) {
    self.program = program
    engine.update([Self.interface(2, [1])], at: .zero)
  }

  static func interface(_ index: UInt32, _ last: [UInt8]) -> Interface {
    Interface(index: index, addresses: last.map { LocalAddress(bytes: [192, 0, 2, $0], prefix: 24) })
  }

  mutating func step() {
    switch program.byte() % 12 {
    case 0, 1, 2: receive(program.string())
    case 3, 4, 5: receive(message().bytes)
    case 6: pass(.milliseconds(Int64(program.byte()) * Int64(program.byte())))
    case 7:
      let name = program.pick(Self.names)
      let kinds: [Operation] = [
        .browse(name, interface: 0), .resolve(name, interface: 0), .addresses(name, interface: 0),
        .browse(name, interface: 2),
      ]
      if operations.count < 8 { operations.append(engine.start(program.pick(kinds), at: now)) }
    case 8:
      if !operations.isEmpty { engine.cancel(operations.remove(at: Int(program.byte()) % operations.count)) }
    case 9:
      guard let type = Self.names.first, services.count < 4 else { break }
      let service = Service(
        instance: program.pick(["a", "b", "c"]), type: type, port: 1, txt: [], host: DomainName("h.local"))
      if let id = try? engine.publish(service, at: now) { services.append(id) }
    case 10:
      if !services.isEmpty { engine.withdraw(services.remove(at: Int(program.byte()) % services.count), at: now) }
    default:
      let choices: [[Interface]] = [
        [Self.interface(2, [1])], [Self.interface(2, [1, 7])], [Self.interface(2, [7])],
        [Self.interface(2, [1]), Self.interface(3, [9])], [],
      ]
      engine.update(program.pick(choices), at: now)
      engine.reconfirm(program.pick(Self.names), interface: 0, at: now)
      // What an interface said before it went, it may say when it comes.
      lastMulticast = [:]
    }
    settle()
  }

  private mutating func receive(_ bytes: [UInt8]) {
    let flags = program.byte()
    engine.receive(
      ReceivedPacket(
        bytes: bytes, source: flags & 1 == 0 ? [192, 0, 2, 200] : [203, 0, 113, 1],
        port: flags & 2 == 0 ? multicastDNSPort : 4000,
        link: Link(interface: 2 + UInt32(flags >> 2 & 1), family: .ipv4),
        isMulticast: flags & 8 == 0), at: now)
  }

  private mutating func message() -> Message {
    var message = Message()
    let flags = program.byte()
    message.isResponse = flags & 1 == 0
    message.isTruncated = flags & 2 != 0
    for _ in 0..<Int(flags >> 2 & 3) {
      let types: [RecordType] = [.any, .ptr, .srv, .txt, .a, .aaaa]
      message.questions.append(
        Question(program.pick(Self.names), program.pick(types), wantsUnicast: program.bool()))
    }
    for _ in 0..<Int(flags >> 4 & 7) { message.answers.append(record()) }
    if flags & 0x80 != 0 { message.authorities.append(record()) }
    return message
  }

  private mutating func record() -> Record {
    let (name, other) = (program.pick(Self.names), program.pick(Self.names))
    let data: [RecordData] = [
      .ptr(other), .srv(priority: 0, weight: 0, port: 1, target: other), .txt([0]), .a([192, 0, 2, program.byte()]),
      .cname(other), .nsec(next: name, types: [.a]), .opaque(RecordType(rawValue: 99), []),
    ]
    return Record(
      name, program.pick(data), timeToLive: program.pick([120, 0, 1, 10, 60, 4500, .max]), flushesCache: program.bool())
  }

  /// Lets time pass, with all that becomes due.
  mutating func pass(_ time: Duration) {
    let end = now + time
    var steps = 0
    while let next = engine.next, next <= end {
      now = max(now, next)
      settle()
      steps += 1
      check(steps < 100_000, "what is due never ends")
    }
    now = end
  }

  private mutating func settle() {
    engine.advance(to: now)
    check(engine.next.map { $0 > now } ?? true, "something due is not done")
    check(engine.memory.bytes <= Engine.memoryLimit, "more memory than it may have")
    for event in engine.takeEvents() {
      if case .conflict(let id) = event { services.removeAll { $0 == id } }
    }
    for transmission in engine.takeTransmissions() {
      guard let message = try? Message(transmission.bytes) else { fatalError("a packet that nobody can read") }
      check(message.isResponse || !message.questions.isEmpty || !message.answers.isEmpty, "a packet without a word")
      guard message.isResponse, transmission.destination == .group else { continue }
      for record in message.answers + message.additionals {
        let said = Said(name: record.name, data: record.data)
        if record.timeToLive == 0 {
          lastMulticast[transmission.link]?[said] = nil
          continue
        }
        if let last = lastMulticast[transmission.link]?[said] {
          // A probe is answered after a quarter of a second (RFC 6762 §6).
          check(now - last >= .milliseconds(250), "multicast too often: \(record)")
        }
        lastMulticast[transmission.link, default: [:]][said] = now
      }
    }
  }
}

/// Steele, Lea and Flood's generator: chance that is the same in every run.
private struct Dice: RandomNumberGenerator {
  var state: UInt64 = 1

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
