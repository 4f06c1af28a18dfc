import BumpFaults
import BumpMultipeer
import BumpNoise
import BumpWire
import Crypto

/// Runs emulated programs under a plan, on the state machines of multipeer sessions: on one thread, with a clock that
/// advances from event to event. The same plan gives the same timeline.
final class MultipeerEmulation {
  /// One end of a connection.
  struct End: Hashable {
    let peer: Int
    let link: LinkID
  }

  /// A connection of two ends. The first end opened it.
  struct Wire {
    let ends: [End]
    /// The bytes from the opener, and those to it.
    var flows: [FaultyFlow]
    var isClosed = [false, false]
    /// Whether a cut or a return from the background has ended the connection: no more bytes arrive.
    var isDead = false
  }

  enum Event {
    case deliver(wire: Int, end: Int, [UInt8])
    case ended(wire: Int, end: Int)
    case cut(wire: Int, ByteFault.Way)
    case opened(peer: Int, LinkID, target: Int)
    case failed(peer: Int, LinkID)
    case report(peer: Int, FaultyView<String>.Report)
    case act(peer: Int, Act)
  }

  /// An action of a program or an event on its host, at its time.
  enum Act {
    case start, retry, answer(LinkID, from: String), leave(session: Int)
    case beat(session: Int, to: PeerID, left: Int)
    case pump(session: Int, PeerID)
    case browseAnew, stopDiscovery, advertiseAnew
    case timeOutFalsely(target: String), dropFalsely(session: Int, PeerID)
    case vanish, leaveForeground(noticed: Duration, returns: Duration), beNoticed, enterForeground
  }

  /// How long bytes take from one host to the other, and discovery takes to find a service.
  static let latency: Duration = .milliseconds(1)
  static let finding: Duration = .milliseconds(20)

  let plan: FaultPlan
  let scene: EmulatedScene
  var peers: [EmulatedPeer] = []
  var eventQueue = EventQueue<Event>()
  var wires: [Wire] = []
  var places: [End: (wire: Int, end: Int)] = [:]
  /// How many connections each pair has had.
  var counts: [Set<Int>: Int] = [:]
  var now: Moment = .zero
  var recorder = TimelineRecorder()
  var keys: SplitMix64
  var tickets: SplitMix64
  var traffic: SplitMix64
  var chances: SplitMix64
  let times: LinkTimes
  /// The outputs of the state machines that are still to be performed.
  var outputs: [(peer: Int, session: Int, Mesh.Output)] = []
  var isDraining = false
  /// Whether the plan has no effect yet, while the full session is made before the run begins.
  var isPreparing = false

  init(_ plan: FaultPlan) {
    self.plan = plan
    scene = EmulatedScene.of(plan)
    keys = plan.stream("links", "keys")
    tickets = plan.stream("links", "tickets")
    traffic = plan.stream("programs", "traffic")
    chances = plan.stream("programs", "times")
    var times = LinkTimes()
    times.negotiation = plan.time(.negotiation) ?? times.negotiation
    times.silence = plan.time(.silence) ?? times.silence
    self.times = times
    add("A", .browser, scene.a)
    add("B", .advertiser, scene.b)
    if let third = scene.c { add("C", .both, third.program) }
  }

  /// Runs the scene of the plan.
  func run() -> SimulatedTimeline {
    if plan.programs(of: .advertiser).contains(.isFull) { fill() }
    let names = recorder.origin == .zero ? peers.map(\.name) : ["A", "B"]
    for (index, peer) in peers.enumerated() where names.contains(peer.name) {
      let delay = peer.name == "C" ? scene.c?.from ?? .zero : .zero
      eventQueue.add(.act(peer: index, .start), at: now + delay)
    }
    advance(to: now + scene.length)
    return SimulatedTimeline(plan: plan, peers: names, lines: recorder.lines)
  }

  @discardableResult
  func add(_ name: String, _ side: FaultSide, _ program: EmulatedProgram) -> Int {
    var program = program
    for fault in plan.programs(of: side) {
      switch fault {
      case .noEncryption: program.preference = .none
      case .certificateUnanswered: program.certificates = .keepsSilent
      case .certificateRefused: program.certificates = .refuses
      case .waits: program.invites = .never
      case .slow(let span): program.answersAfter = chances.draw(span)
      case .isFull, .infoTooBig, .nameTooLong: break
      }
    }
    var identities = plan.stream(name, "identity")
    guard
      let id = PeerID(identities.bytes(PeerID.length)), let peer = Peer(id: id, name: name),
      let host = HostAddress(address: [192, 0, 2, UInt8(peers.count + 1)], port: 7000)
    else { preconditionFailure("16 bytes are an identity, and four an address") }
    peers.append(EmulatedPeer(name, side, peer, host, program, plan))
    renewSession(peers.count - 1)
    return peers.count - 1
  }

  /// Makes a new session for a program.
  func renewSession(_ index: Int) {
    let peer = peers[index]
    guard let id = PeerID(keys.bytes(PeerID.length)) else { preconditionFailure("16 bytes are an identity") }
    let preference: EncryptionPreference = peer.program.preference == .none ? .none : .required
    let terms = Terms(peer: peer.peer, session: id, preference: preference, port: peer.host.port)
    peer.sessions.append(
      EmulatedSession(
        mesh: Mesh(terms: terms, key: peer.key, times: times, firstLink: -1 - 1000 * peer.sessions.count)))
  }

  func key() -> EphemeralKey {
    guard let key = try? EphemeralKey(rawRepresentation: keys.bytes(32)) else {
      preconditionFailure("any 32 bytes are a key")
    }
    return key
  }

  // MARK: Time

  func advance(to end: Moment) {
    while true {
      let deadline = peers.compactMap(\.deadline).min()
      guard let next = [deadline, eventQueue.next].compactMap(\.self).min(), next <= end else { break }
      now = max(now, next)
      if let deadline, deadline <= now, deadline <= eventQueue.next ?? deadline {
        passDeadlines()
      } else if let event = eventQueue.take() {
        handle(event)
      }
    }
    now = end
  }

  private func passDeadlines() {
    for (index, peer) in peers.enumerated() where peer.deadline.map({ $0 <= now }) ?? false {
      for session in peer.sessions.indices where peer.sessions[session].mesh.deadline.map({ $0 <= now }) ?? false {
        handle(index, session, .deadline)
      }
      for id in peer.awaited.keys.sorted() where peer.awaited[id]?.link.deadline.map({ $0 <= now }) ?? false {
        pass(index, id, .deadline)
      }
    }
  }

  private func handle(_ event: Event) {
    switch event {
    case .deliver(let wire, let end, let bytes): deliver(wire, end, bytes)
    case .ended(let wire, let end): ended(wire, end)
    case .cut(let wire, let ends): cut(wire, ends)
    case .opened(let peer, let link, let target): opened(peer, link, target)
    case .failed(let peer, let link):
      if let session = peers[peer].owners[link] { handle(peer, session, .failed(link)) }
    case .report(let peer, let report): if peers[peer].runs { reported(peer, report) }
    case .act(let peer, let act): self.act(peer, act)
    }
  }

  /// Records a call of a delegate.
  func tell(_ index: Int, _ name: String, _ text: String) {
    recorder.add(.callback, peers[index].name, name, text, at: now)
  }

  /// Records a call that a program makes.
  func call(_ index: Int, _ name: String, _ text: String) {
    recorder.add(.call, peers[index].name, name, text, at: now)
  }

  /// Records an event that no program sees.
  func note(_ index: Int, _ text: String) { recorder.add(.note, peers[index].name, "note", text, at: now) }
}
