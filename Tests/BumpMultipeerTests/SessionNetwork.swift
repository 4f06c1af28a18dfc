import BumpMultipeer
import BumpNoise
import Crypto
import Samples

/// Several sessions on one network in memory: what one sends the other gets in order, one piece at a time, at the moment
/// that the test gives. Same seed, same run.
final class SessionNetwork {
  /// What a program is told, in order.
  enum Told: Equatable, CustomStringConvertible {
    case state(MemberState)
    case invited
    case certificates([[UInt8]])
    case frame(LinkFrame)

    var description: String {
      switch self {
      case .state(let state): "\(state)"
      case .invited: "invited"
      case .certificates(let chain): "certificates \(chain.count)"
      case .frame(let frame): "\(frame)"
      }
    }
  }

  /// How a program answers.
  struct Program {
    var accepts: Bool? = true
    var judges: Bool? = true
    /// Whether it can be reached.
    var isReachable = true
  }

  private struct Node {
    var mesh: Mesh
    let key: IdentityKey
    var program = Program()
    var accepted: [LinkID: (link: Link, route: Route)] = [:]
    /// Members who have come before their introduction.
    var early: [LinkID: [UInt8]] = [:]
    var nextLink = 0
    /// Links whose certificates its program has not judged yet.
    var unjudged: [LinkID] = []
    var told: [(peer: String, Told)] = []
    let host: HostAddress
    /// Peers on one machine see each other at 127.0.0.1.
    let machine: UInt8
  }

  /// One end of a connection.
  struct End: Hashable {
    let node: String
    let link: LinkID
  }

  private enum Event {
    case bytes(End, [UInt8])
    case closed(End)
  }

  private var nodes: [String: Node] = [:]
  private var other: [End: End] = [:]
  private var events: [Event] = []
  private var generator: SplitMix64
  private(set) var now: Moment = .zero
  /// All bytes that were sent, by sender and receiver.
  private(set) var wire: [(from: String, to: String, bytes: [UInt8])] = []
  /// Where connections were opened to on a member's word.
  private(set) var introductions: [(from: String, to: String, HostAddress)] = []
  /// Changes what is sent, or drops it.
  var tamper: ((_ from: String, _ to: String, _ bytes: [UInt8]) -> [UInt8]?)?

  /// Whether all that is on its way to one end comes at once.
  var isJoining = false
  /// Whether connections that are opened hang.
  var isHeld = false

  init(seed: UInt64 = 1) { generator = SplitMix64(seed: seed) }

  /// A peer whose identity begins with a byte: lower bytes are lower identities.
  static func peer(_ name: String, _ first: UInt8) -> Peer {
    guard let id = PeerID([first] + [UInt8](repeating: 0, count: 15)), let peer = Peer(id: id, name: name) else {
      preconditionFailure("a peer of a test")
    }
    return peer
  }

  /// - Parameter key: the key of its process; `nil` for that of the peer that had this name, or a new one.
  func add(
    _ peer: Peer, _ preference: EncryptionPreference = .required, certificates: [[UInt8]] = [], session: UInt8 = 1,
    machine: UInt8? = nil, port: UInt16? = nil, times: LinkTimes = LinkTimes(), key: IdentityKey? = nil,
    as name: String? = nil
  ) {
    let last = machine ?? UInt8(nodes.count + 1)
    guard
      let id = PeerID([UInt8](repeating: session, count: 16)),
      let host = HostAddress(address: [10, 0, 0, last], port: 7000)
    else { preconditionFailure("a host of a test") }
    let terms = Terms(
      peer: peer, session: id, preference: preference, port: port ?? host.port, certificates: certificates)
    let name = name ?? peer.name
    let key = key ?? nodes[name]?.key ?? IdentityKey()
    nodes[name] = Node(
      mesh: Mesh(terms: terms, key: key, times: times), key: key, host: nodes[name]?.host ?? host, machine: last)
  }

  func program(of name: String, _ change: (inout Program) -> Void) {
    guard var node = nodes[name] else { return }
    change(&node.program)
    nodes[name] = node
  }

  func told(_ name: String) -> [String] { nodes[name]?.told.map { "\($0.peer) \($0.1)" } ?? [] }
  func frames(_ name: String) -> [LinkFrame] {
    nodes[name]?.told.compactMap { if case .frame(let frame) = $0.1 { frame } else { nil } } ?? []
  }
  func connected(_ name: String) -> [String] { nodes[name]?.mesh.connectedPeers.map(\.name).sorted() ?? [] }
  func forget() { for name in nodes.keys { nodes[name]?.told = [] } }
  var connections: Int { other.count / 2 }

  func invite(_ from: String, _ to: Peer, context: [UInt8]? = nil, timeout: Duration = .seconds(30)) {
    guard let id = nodes[from]?.nextLink else { return }
    nodes[from]?.nextLink += 1
    handle(from, .invite(id, to, context: context, timeout: timeout))
  }

  func disconnect(_ name: String) { handle(name, .disconnect) }
  /// The program connects to a peer with a ticket that both have by other means.
  func connect(_ name: String, _ peer: Peer, _ ticket: Ticket) {
    guard let host = nodes[peer.name]?.host else { return }
    handle(name, .connect(Introduction(peer: peer, host: host, ticket: ticket)))
  }
  func forget(_ name: String, _ peer: Peer) { handle(name, .forget(peer)) }
  func send(_ from: String, _ to: Peer, _ frame: LinkFrame) { handle(from, .send(to, frame)) }

  /// A host is gone without a word.
  func vanish(_ name: String) {
    for end in other.keys where end.node == name {
      if let twin = other.removeValue(forKey: end) { other[twin] = nil }
    }
    nodes[name]?.program.isReachable = false
  }

  /// The connections of these two break.
  func cut(_ name: String, _ other: String) {
    for (end, twin) in self.other where end.node == name && twin.node == other {
      (self.other[end], self.other[twin]) = (nil, nil)
      events += [.closed(end), .closed(twin)]
    }
  }

  /// The connections of one end break, and only this end notices.
  func lose(_ name: String) {
    for end in other.keys where end.node == name {
      if let twin = other.removeValue(forKey: end) { other[twin] = nil }
      events.append(.closed(end))
    }
  }

  /// The end of a broken connection is noticed at the other end too, on the links of these numbers.
  func notice(_ name: String, _ links: LinkID...) {
    for link in links { events.append(.closed(End(node: name, link: link))) }
  }

  /// The program judges the certificates that it has kept.
  func judge(_ name: String, _ accepts: Bool) {
    let ids = nodes[name]?.unjudged ?? []
    nodes[name]?.unjudged = []
    for id in ids { handle(name, .judged(id, accepts)) }
  }

  /// The program answers an invitation that it has kept.
  func answer(_ name: String, _ accepts: Bool) {
    for (id, kept) in nodes[name]?.accepted ?? [:] { reply(name, id, kept.link, kept.route, accepts) }
  }

  /// Passes on all that is on its way.
  func run(limit: Int = 100_000) {
    for _ in 0..<limit {
      guard !events.isEmpty else { return }
      switch events.removeFirst() {
      case .bytes(let end, var bytes):
        if isJoining {
          for case .bytes(end, let more) in events { bytes += more }
          events.removeAll { if case .bytes(end, _) = $0 { true } else { false } }
        }
        receive(end, bytes)
      case .closed(let end): closed(end)
      }
    }
    preconditionFailure("a room that does not come to rest")
  }

  /// Lets time pass, and everything happen that is due until then.
  func advance(by duration: Duration) {
    let end = now + duration
    while let next = deadlines.min(), next <= end {
      now = max(now, next)
      for name in nodes.keys.sorted() {
        handle(name, .deadline)
        for (id, kept) in nodes[name]?.accepted ?? [:] where kept.link.deadline.map({ $0 <= now }) ?? false {
          pass(name, id, .deadline)
        }
      }
      run()
    }
    now = end
  }

  private var deadlines: [Moment] {
    nodes.values.flatMap { node in
      node.accepted.values.compactMap(\.link.deadline) + [node.mesh.deadline].compactMap(\.self)
    }
  }

  private func handle(_ name: String, _ input: Mesh.Input) {
    guard var mesh = nodes[name]?.mesh else { return }
    let outputs = mesh.handle(input, at: now, using: &generator)
    nodes[name]?.mesh = mesh
    for output in outputs { perform(name, output) }
  }

  private func perform(_ name: String, _ output: Mesh.Output) {
    switch output {
    case .open(let id, let peer, let host):
      if let host { introductions.append((name, peer.name, host)) }
      open(name, id, peer)
    case .send(let id, let bytes): send(End(node: name, link: id), bytes)
    case .expect(let ticket):
      // Who came early is let in.
      for (id, early) in nodes[name]?.early ?? [:] where early == ticket {
        nodes[name]?.early[id] = nil
        join(name, id, ticket)
      }
    case .close(let id): close(End(node: name, link: id))
    case .state(let peer, let state): nodes[name]?.told.append((peer.name, .state(state)))
    case .certificates(let id, let peer, let chain):
      nodes[name]?.told.append((peer.name, .certificates(chain)))
      guard let judges = nodes[name]?.program.judges else { return nodes[name]?.unjudged.append(id) ?? () }
      handle(name, .judged(id, judges))
    case .frame(let peer, let frame): nodes[name]?.told.append((peer.name, .frame(frame)))
    }
  }

  private func key() -> EphemeralKey {
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    guard let key = try? EphemeralKey(rawRepresentation: bytes) else { preconditionFailure("any 32 bytes are a key") }
    return key
  }

  private func open(_ name: String, _ id: LinkID, _ peer: Peer) {
    guard !isHeld else { return }
    guard let target = nodes[peer.name], let node = nodes[name], target.program.isReachable, node.program.isReachable
    else {
      return handle(name, .failed(id))
    }
    let (near, far) = (End(node: name, link: id), End(node: peer.name, link: target.nextLink))
    nodes[peer.name]?.nextLink += 1
    other[near] = far
    other[far] = near
    nodes[peer.name]?.accepted[far.link] = (
      Link(accepted: key(), at: now), route(from: target, to: node)
    )
    handle(name, .opened(id, route(from: node, to: target), key()))
  }

  private func route(from node: Node, to other: Node) -> Route {
    guard node.machine == other.machine, let own = HostAddress(address: [127, 0, 0, 1], port: 7000) else {
      return Route(local: node.host, remote: other.host)
    }
    return Route(local: own, remote: own)
  }

  private func send(_ end: End, _ bytes: [UInt8]) {
    guard let twin = other[end] else { return }
    guard let sent = tamper.map({ $0(end.node, twin.node, bytes) }) ?? bytes else { return }
    wire.append((end.node, twin.node, sent))
    events.append(.bytes(twin, sent))
  }

  private func close(_ end: End) {
    guard let twin = other.removeValue(forKey: end) else { return }
    other[twin] = nil
    events.append(.closed(twin))
  }

  private func receive(_ end: End, _ bytes: [UInt8]) {
    if nodes[end.node]?.accepted[end.link] != nil { return pass(end.node, end.link, .received(bytes)) }
    handle(end.node, .received(end.link, bytes))
  }

  private func closed(_ end: End) {
    if nodes[end.node]?.accepted[end.link] != nil { return pass(end.node, end.link, .closed) }
    handle(end.node, .closed(end.link))
  }

  /// A connection that is no session's yet.
  private func pass(_ name: String, _ id: LinkID, _ input: Link.Input) {
    guard let kept = nodes[name]?.accepted[id] else { return }
    var link = kept.link
    let outputs = link.handle(input, at: now)
    nodes[name]?.accepted[id]?.link = link
    for output in outputs {
      switch output {
      case .send(let bytes): send(End(node: name, link: id), bytes)
      case .invited(let invitation):
        nodes[name]?.told.append((invitation.from.name, .invited))
        if let accepts = nodes[name]?.program.accepts { reply(name, id, link, kept.route, accepts) }
      case .lookUp(let ticket):
        if nodes[name]?.mesh.membership(ticket: ticket) != nil {
          join(name, id, ticket)
        } else {
          nodes[name]?.early[id] = ticket
        }
      case .ended:
        nodes[name]?.accepted[id] = nil
        nodes[name]?.early[id] = nil
        close(End(node: name, link: id))
      default: preconditionFailure("a link that is no session's yet does nothing else")
      }
    }
  }

  private func reply(_ name: String, _ id: LinkID, _ link: Link, _ route: Route, _ accepts: Bool) {
    guard let invitation = link.invitation else { return }
    guard accepts else { return pass(name, id, .answered(nil)) }
    nodes[name]?.accepted[id] = nil
    handle(name, .accepted(id, link, invitation, route))
  }

  private func join(_ name: String, _ id: LinkID, _ ticket: [UInt8]) {
    guard let (link, route) = nodes[name]?.accepted.removeValue(forKey: id) else { return }
    handle(name, .joined(id, link, ticket: ticket, route))
  }
}
