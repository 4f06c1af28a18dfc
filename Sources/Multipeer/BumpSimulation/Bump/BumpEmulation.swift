import BumpClaims
import BumpFaults
import BumpKit

/// Runs one bump of two emulated ends under a plan, on the state machines of `Sender` and `Receiver`: on one thread,
/// with a clock that advances from event to event. The same plan gives the same timeline.
final class BumpEmulation {
  /// The name of the instance that leads nowhere.
  static let ghost = "S (2)"
  private static let sender = "S"
  private static let receiver = "R"
  private static let latency: Duration = .milliseconds(1)
  /// How long discovery takes to find a sender, and to resolve it.
  private static let finding: Duration = .milliseconds(20)
  private static let resolving: Duration = .milliseconds(5)
  /// How long a store takes to make a claim durable.
  private static let writing: Duration = .milliseconds(4)
  /// The time of day at the start: 2025-01-01, the same in each run.
  private static let unixTime: Int64 = 1_735_689_600

  private struct Wire {
    /// The bytes from the receiver, which opens connections, and those to it.
    var flows: [FaultyFlow]
    var isClosed = [false, false]
    var isDead = false
  }

  private enum Event {
    case start(isSender: Bool)
    case advertised, found(String), resolved(String)
    case connected(Int), connectFailed(Int)
    case deliver(Int, toReceiver: Bool, [UInt8])
    case ended(Int, atReceiver: Bool)
    case cut(Int, ByteFault.Way)
    case decided(Int), stored(Int, VerifiedClaim), released(Int), releasedForLink
  }

  private let plan: FaultPlan
  private var send: EmulatedSender
  private var receive: EmulatedReceiver
  private var eventQueue = EventQueue<Event>()
  private var wires: [Int: Wire] = [:]
  private var connections = 0
  private var isListening = true
  private var now: Duration = .zero
  private var recorder = TimelineRecorder()
  private var chances: SplitMix64
  /// The claims in the receiver's store.
  private(set) var stored: [ClaimID] = []
  private(set) var sendOutcome: SendOutcome?
  private(set) var receiveOutcome: ReceiveOutcome?

  /// - Throws: never in practice: the values of both ends are valid.
  init(_ plan: FaultPlan) throws {
    self.plan = plan
    chances = plan.stream(Self.receiver, "times")
    send = try EmulatedSender(random: Self.random(plan, Self.sender), unixTime: Self.unixTime)
    receive = try EmulatedReceiver(random: Self.random(plan, Self.receiver), unixTime: Self.unixTime)
  }

  /// Returns random bytes from a stream of the plan.
  private static func random(_ plan: FaultPlan, _ peer: String) -> RandomBytes {
    let box = StreamBox(plan.stream(peer, "random"))
    return RandomBytes { box.bytes($0) }
  }

  func run() -> SimulatedTimeline {
    eventQueue.add(.start(isSender: true), at: .zero)
    eventQueue.add(.start(isSender: false), at: .zero)
    while true {
      let deadlines = [sendOutcome == nil ? send.deadline : nil, receiveOutcome == nil ? receive.deadline : nil]
      let deadline = deadlines.compactMap(\.self).min()
      guard let next = [deadline, eventQueue.next].compactMap(\.self).min() else { break }
      now = max(now, next)
      if let deadline, deadline <= now, deadline <= eventQueue.next ?? deadline {
        if let due = deadlines[0], due <= now { handle(EmulatedSender.Input.deadline) }
        if let due = deadlines[1], due <= now { handle(EmulatedReceiver.Input.deadline) }
      } else if let event = eventQueue.take() {
        handle(event)
      }
    }
    return SimulatedTimeline(plan: plan, peers: [Self.sender, Self.receiver], lines: recorder.lines)
  }

  // MARK: Events

  private func handle(_ event: Event) {
    switch event {
    case .start(let isSender): start(isSender)
    case .advertised: handle(EmulatedSender.Input.advertised)
    case .found(let name): if isListening { handle(.found(name, interface: 1)) }
    case .resolved(let name): handle(.resolved(name, host: name))
    case .connected(let id):
      guard wires[id] != nil else { return }
      handle(EmulatedSender.Input.opened(id))
      handle(EmulatedReceiver.Input.connected(id))
    case .connectFailed(let id): handle(EmulatedReceiver.Input.connectFailed(id))
    case .deliver(let id, let toReceiver, let bytes):
      guard let wire = wires[id], !wire.isDead, !wire.isClosed[toReceiver ? 0 : 1] else { return }
      if toReceiver {
        handle(EmulatedReceiver.Input.received(id, bytes))
      } else {
        handle(EmulatedSender.Input.received(id, bytes))
      }
    case .ended(let id, let atReceiver): ended(id, atReceiver)
    case .cut(let id, let ends):
      guard let wire = wires[id], !wire.isDead, wire.isClosed == [false, false] else { return }
      wires[id]?.isDead = true
      recorder.add(.note, Self.receiver, "note", "the connection is cut", at: now)
      if ends != .toOpener { ended(id, true) }
      if ends != .fromOpener { ended(id, false) }
    case .decided(let id): handle(.decided(id, true))
    case .stored(let id, let claim):
      let isNew = !stored.contains(claim.claim.id)
      if isNew { stored.append(claim.claim.id) }
      handle(.stored(id, isNew ? .stored : .duplicate))
    case .released(let id): handle(EmulatedSender.Input.released(id))
    case .releasedForLink: handle(EmulatedSender.Input.releasedForLink)
    }
  }

  private func start(_ isSender: Bool) {
    let hosts = plan.hosts(of: isSender ? .advertiser : .browser)
    let senders = plan.hosts(of: .advertiser)
    if isSender {
      recorder.add(.call, Self.sender, "send", "send 1.00 TEST", at: now)
      if hosts.contains(.noDiscovery) { return handle(EmulatedSender.Input.discoveryLost) }
      eventQueue.add(.advertised, at: now + Self.latency)
    } else {
      recorder.add(.call, Self.receiver, "receive", "receive", at: now)
      if hosts.contains(.noDiscovery) { return handle(EmulatedReceiver.Input.discoveryLost) }
      if senders.contains(.noDiscovery) { return }
      if senders.contains(.secondEntry) { eventQueue.add(.found(Self.ghost), at: now + Self.finding / 2) }
      eventQueue.add(.found(Self.sender), at: now + Self.finding)
    }
  }

  private func ended(_ id: Int, _ atReceiver: Bool) {
    guard wires[id]?.isClosed[atReceiver ? 0 : 1] == false else { return }
    wires[id]?.isClosed[atReceiver ? 0 : 1] = true
    if atReceiver { handle(EmulatedReceiver.Input.closed(id)) } else { handle(EmulatedSender.Input.closed(id)) }
  }

  private func close(_ id: Int, isReceiver: Bool) {
    let side = isReceiver ? 0 : 1
    guard let wire = wires[id], !wire.isClosed[side] else { return }
    wires[id]?.isClosed[side] = true
    guard !wire.isDead, !wire.flows[side].hidesTheEnd else { return }
    for case .bytes(let bytes, let due) in wires[id]?.flows[side].ended(at: now) ?? [] {
      eventQueue.add(.deliver(id, toReceiver: !isReceiver, bytes), at: due + Self.latency)
    }
    eventQueue.add(.ended(id, atReceiver: !isReceiver), at: wire.flows[side].settled(at: now) + Self.latency)
  }

  private func transmit(_ bytes: [UInt8], _ id: Int, isReceiver: Bool) {
    let side = isReceiver ? 0 : 1
    guard let wire = wires[id], !wire.isDead, !wire.isClosed[side] else { return }
    for arrival in wires[id]?.flows[side].sent(bytes, at: now) ?? [] {
      switch arrival {
      case .bytes(let bytes, let due):
        eventQueue.add(.deliver(id, toReceiver: !isReceiver, bytes), at: due + Self.latency)
      case .cut(let due, let ends): eventQueue.add(.cut(id, ends), at: due + Self.latency)
      }
    }
  }

  // MARK: The two ends

  private func handle(_ input: EmulatedSender.Input) {
    for output in send.handle(input, at: now) {
      switch output {
      case .send(let bytes, let id): transmit(bytes, id, isReceiver: false)
      case .close(let id): close(id, isReceiver: false)
      case .stopListening: isListening = false
      case .release(let id): eventQueue.add(.released(id), at: now + Self.writing)
      case .releaseForLink: eventQueue.add(.releasedForLink, at: now + Self.writing)
      case .event(let event): tell(Self.sender, SimulatedWords.of(event))
      case .finish(let outcome):
        sendOutcome = outcome
        tell(Self.sender, SimulatedWords.of(outcome))
      }
    }
  }

  private func handle(_ input: EmulatedReceiver.Input) {
    for output in receive.handle(input, at: now) {
      switch output {
      // The entry that leads nowhere is resolved too: its record is in a cache.
      case .resolve(let name): eventQueue.add(.resolved(name), at: now + Self.resolving)
      case .connect(let id, let host): connect(id, host)
      case .cancelConnecting: break
      case .send(let bytes, let id): transmit(bytes, id, isReceiver: true)
      case .close(let id): close(id, isReceiver: true)
      case .ask(let id): ask(id)
      case .store(let id, let claim): eventQueue.add(.stored(id, claim), at: now + Self.writing)
      case .event(let event): tell(Self.receiver, SimulatedWords.of(event))
      case .finish(let outcome):
        receiveOutcome = outcome
        tell(Self.receiver, SimulatedWords.of(outcome))
      }
    }
  }

  private func connect(_ id: Int, _ host: String) {
    // A host that is gone does not answer. The receiver's own deadline ends the attempt.
    guard host == Self.sender else { return }
    guard isListening else { return eventQueue.add(.connectFailed(id), at: now + Self.latency * 2) }
    connections += 1
    let connection = FaultyFlow.Connection(number: connections)
    wires[id] = Wire(flows: [true, false].map { FaultyFlow(plan, connection, isFromOpener: $0) })
    eventQueue.add(.connected(id), at: now + Self.latency * 2)
  }

  private func ask(_ id: Int) {
    var delay = Duration.seconds(1)
    for case .slow(let range) in plan.programs(of: .browser) { delay = chances.draw(range) }
    eventQueue.add(.decided(id), at: now + delay)
  }

  private func tell(_ peer: String, _ words: SimulatedWords?) {
    guard let words else { return }
    recorder.add(.callback, peer, words.name, words.text, at: now)
  }
}

/// A stream from which a closure draws.
private final class StreamBox: @unchecked Sendable {
  // Everything happens on the emulation's one thread.
  private var stream: SplitMix64

  init(_ stream: SplitMix64) { self.stream = stream }

  func bytes(_ count: Int) -> [UInt8] { stream.bytes(count) }
}
