import BumpDiscovery
import BumpMultipeer
import BumpNoise
import Crypto
import Foundation
import NIOCore

/// The answer of a program that accepts an invitation with a session.
struct Acceptance: Sendable {
  let engine: SessionEngine
  /// How many times the program had disconnected the session when it accepted.
  let disconnects: Int
}

/// Drives one session: its mesh, and the traffic of its members. One lock guards everything, so a program may call from
/// any thread. Events for the program go to its queue, in order.
final class SessionEngine: @unchecked Sendable {
  /// An event for the program of a session.
  enum News: Sendable {
    case state(Peer, MemberState)
    case certificates(LinkID, Peer, [[UInt8]])
    case message(Peer, [UInt8])
    case stream(Peer, name: String, UncheckedSendable<IncomingStream>)
    case resourceBegan(Peer, IncomingResource)
    case resourceEnded(Peer, IncomingResource, (any Error)?)
  }

  private struct Held {
    let connection: any PeerConnection
    var peer: Peer?
  }

  /// The messages, streams and resources in transit between this end and one member.
  struct Traffic {
    var outbox = Outbox()
    /// Whether the member has broken the protocol: nothing of it counts any more.
    var isExpelled = false
    /// An unreliable message that waits, by a fault, for the next one to overtake it.
    var overtaken: [UInt8]?
    var inbox = Inbox()
    var incomingStreams: [TransferID: IncomingStream] = [:]
    var outgoingStreams: [TransferID: OutgoingStream] = [:]
    var incomingResources: [TransferID: IncomingResource] = [:]
    var outgoingResources: [TransferID: OutgoingResource] = [:]
  }

  /// The key by which a thread knows on which session's queue it runs.
  private static let place = DispatchSpecificKey<ObjectIdentifier>()

  let terms: Terms
  let lock = NSRecursiveLock()
  let node: PeerNode
  let queue: DispatchQueue
  private let deliver: @Sendable (News) -> Void
  private var mesh: Mesh
  /// The inputs that the mesh has not handled yet.
  private var inputs: [Mesh.Input] = []
  private(set) var isHandling = false
  /// The members to send to once the outputs of the mesh are performed.
  var waiting: Set<Peer> = []
  private var held: [LinkID: Held] = [:]
  private var backlog = Backlog<Peer>()
  var traffic: [Peer: Traffic] = [:]
  var ownDiscovery = OwnDiscovery()
  /// How to find the addresses of an invited peer.
  private var places: [LinkID: @Sendable () async -> [SocketAddress]] = [:]
  private var nextLink: LinkID = 0
  /// Whether faults have been applied to the mesh, or there are none.
  private var isPlanned = false
  /// How many connections this session has opened, or accepted by an invitation. Members that joined with a ticket do
  /// not count.
  private var connections = 0
  /// How many times the program has disconnected the session.
  private var disconnects = 0
  private var timer: (task: any Scheduling, due: Moment)?
  /// Connected members that a fault has reported to the program as not connected.
  private var falselyDropped: Set<Peer> = []

  /// - Parameter deliver: called on the queue with each event.
  init(
    _ terms: Terms, of node: PeerNode, on queue: DispatchQueue, deliver: @escaping @Sendable (News) -> Void
  ) {
    (self.terms, self.node, self.queue, self.deliver) = (terms, node, queue, deliver)
    mesh = Mesh(terms: terms, key: node.key, times: node.times)
    queue.setSpecific(key: Self.place, value: ObjectIdentifier(self))
    node.add(self)
  }

  var connectedPeers: [Peer] { lock.withLock { mesh.connectedPeers.filter { !falselyDropped.contains($0) } } }
  /// Whether this end is receiving a resource.
  var receivesResource: Bool { lock.withLock { traffic.values.contains { !$0.incomingResources.isEmpty } } }

  // MARK: Calls of the program

  /// Invites a peer that a browser has found.
  ///
  /// - Parameter addresses: returns the peer's addresses, the likeliest first.
  func invite(
    _ peer: Peer, context: [UInt8]?, timeout: Duration, at addresses: @escaping @Sendable () async -> [SocketAddress]
  ) {
    lock.withLock {
      let fate = node.faults?.fate(ofInvitationBy: terms.peer, to: peer, timeout: timeout)
      for end in [fate?.falseEnd, fate?.isToNobody == true ? timeout : nil].compactMap(\.self) {
        later(end) { if $0.traffic[peer] == nil { $0.tell(.state(peer, .notConnected)) } }
      }
      if fate?.isToNobody == true { return }
      let id = newLink()
      places[id] = addresses
      handle(.invite(id, peer, context: context, timeout: fate?.timeout ?? timeout))
    }
  }

  /// The answer of a program that accepts an invitation with this session now.
  var acceptance: Acceptance { lock.withLock { Acceptance(engine: self, disconnects: disconnects) } }

  func judged(_ id: LinkID, _ isTaken: Bool) {
    let faults = node.faults
    guard let isTaken = faults == nil ? isTaken : faults?.verdict(isTaken, of: terms.peer) else { return }
    lock.withLock { handle(.judged(id, isTaken)) }
  }

  func disconnect() {
    lock.withLock {
      disconnects += 1
      ownDiscovery.attempts = [:]
      handle(.disconnect)
    }
  }

  /// Sends a message to each of these members.
  ///
  /// - Throws: the peers that are not connected. Then nothing is sent to anybody.
  func send(_ message: [UInt8], to peers: [Peer], isReliable: Bool) throws(NotConnected) {
    lock.lock()
    defer { lock.unlock() }
    let missing = peers.filter { traffic[$0] == nil || falselyDropped.contains($0) }
    guard missing.isEmpty else { throw NotConnected(peers: missing) }
    // A peer that is listed twice gets the message once.
    for (place, peer) in peers.enumerated() where !peers[..<place].contains(peer) {
      // An unreliable message that would wait is dropped.
      guard isReliable || hasRoom(peer) else { continue }
      add(message, for: peer, isReliable: isReliable)
      pump(peer)
    }
  }

  private func add(_ message: [UInt8], for peer: Peer, isReliable: Bool) {
    guard !isReliable, let faults = node.faults, var overtaken = traffic[peer].map(\.overtaken) else {
      traffic[peer]?.outbox.add(message, isReliable: isReliable)
      return
    }
    for message in faults.unreliable(message, overtaken: &overtaken) {
      traffic[peer]?.outbox.add(message, isReliable: false)
    }
    traffic[peer]?.overtaken = overtaken
  }

  struct NotConnected: Error {
    let peers: [Peer]
  }

  // MARK: Events of connections

  func hasTicket(_ ticket: [UInt8]) -> Bool { lock.withLock { mesh.membership(ticket: ticket) != nil } }

  func accepted(
    _ acceptance: Acceptance, _ link: Link, _ invitation: Invitation, _ connection: any PeerConnection, _ route: Route
  ) {
    lock.withLock {
      // The program has accepted, and then disconnected before this came in order with the connection's events.
      guard acceptance.disconnects == disconnects else { return connection.close() }
      let id = newLink()
      connections += 1
      hold(connection, as: id)
      handle(.accepted(id, link, invitation, route))
    }
  }

  func joined(_ link: Link, ticket: [UInt8], _ connection: any PeerConnection, _ route: Route) {
    lock.withLock {
      let id = newLink()
      hold(connection, as: id)
      handle(.joined(id, link, ticket: ticket, route))
    }
  }

  /// Reports to a program that the invitation which it accepted is over.
  func missed(_ peer: Peer) {
    lock.withLock {
      guard traffic[peer] == nil else { return }
      tell(.state(peer, .connecting))
      tell(.state(peer, .notConnected))
    }
  }

  /// Applies faults to the mesh before its first link or ticket. Only then do the faults know whether the peer
  /// advertises or browses.
  func plan() {
    guard !isPlanned else { return }
    isPlanned = true
    guard let faults = node.faults else { return }
    mesh = Mesh(terms: faults.terms(terms), key: node.key, times: faults.times, room: faults.room(of: terms.peer))
  }

  private func newLink() -> LinkID {
    plan()
    defer { nextLink += 1 }
    return nextLink
  }

  /// Takes over a connection. Called in order with the connection's events.
  private func hold(_ connection: any PeerConnection, as id: LinkID) {
    held[id] = Held(connection: connection)
    connection.deliver { [weak self] event in self?.came(event, on: id) }
  }

  private func came(_ event: ConnectionEvent, on id: LinkID) {
    lock.withLock {
      switch event {
      case .received(let bytes): handle(.received(id, bytes))
      case .closed: handle(.closed(id))
      case .writable: if let peer = held[id]?.peer { pump(peer) }
      }
    }
  }

  // MARK: Events for the program

  /// Reports an event on the program's queue, and counts its bytes until the program, which may be slow, has taken it.
  func tell(_ news: News) {
    let (peer, size) = news.cost
    apply(backlog.add(size, of: peer), to: peer)
    node.run(on: queue) { [weak self, deliver] in
      deliver(news)
      self?.taken(size, of: peer)
    }
  }

  private func taken(_ size: Int, of peer: Peer) { lock.withLock { apply(backlog.remove(size, of: peer), to: peer) } }

  /// Counts a read or write of a stream that waits for a member. If it blocks the program's own queue, no event would
  /// be taken meanwhile, so the member's connection is read without a limit.
  func wait(_ begins: Bool, for peer: Peer) {
    guard DispatchQueue.getSpecific(key: Self.place) == ObjectIdentifier(self) else { return }
    lock.withLock { apply(backlog.wait(begins, for: peer), to: peer) }
  }

  private func apply(_ change: Backlog<Peer>.Change?, to peer: Peer) {
    guard let change, let id = mesh.link(to: peer), let connection = held[id]?.connection else { return }
    switch change {
    case .pause: connection.pause()
    case .resume:
      handle(.unread(id))
      connection.resume()
    }
  }

  // MARK: The mesh

  /// Handles an input, and performs what follows. An output may lead to another input, or to more to send. That comes
  /// after the outputs, which hold records that were sealed before.
  func handle(_ input: Mesh.Input) {
    inputs.append(input)
    guard !isHandling else { return }
    isHandling = true
    var generator = node.environment.random
    while !inputs.isEmpty {
      for output in mesh.handle(inputs.removeFirst(), at: node.now, using: &generator) { perform(output) }
    }
    isHandling = false
    setTimer()
    // In an order that is the same in each process.
    while let peer = waiting.min(by: { $0.id < $1.id }) {
      waiting.remove(peer)
      pump(peer)
    }
  }

  /// Sets the timer for the mesh's deadline. The deadline mostly moves away with each record: a timer that fires too
  /// early costs less than a new one each time.
  private func setTimer() {
    guard let deadline = mesh.deadline else {
      timer?.task.cancel()
      timer = nil
      return
    }
    if let timer, timer.due <= deadline { return }
    timer?.task.cancel()
    timer = (later(deadline - node.now) { $0.passDeadline() }, deadline)
  }

  /// Runs a closure later, under the lock.
  @discardableResult
  func later(_ delay: Duration, _ body: @escaping @Sendable (SessionEngine) -> Void) -> any Scheduling {
    node.environment.schedule(at: node.now + delay, for: terms.peer.id) { [weak self] in
      self?.lock.withLock { if let self { body(self) } }
    }
  }

  private func passDeadline() {
    timer = nil
    for peer in backlog.paused { if let id = mesh.link(to: peer) { handle(.unread(id)) } }
    handle(.deadline)
  }

  private func perform(_ output: Mesh.Output) {
    switch output {
    case .open(let id, let peer, let host): open(id, peer, host)
    case .expect(let ticket): node.expect(ticket)
    case .send(let id, let bytes): held[id]?.connection.send(bytes)
    case .close(let id): held.removeValue(forKey: id)?.connection.close()
    case .certificates(let id, let peer, let chain):
      held[id]?.peer = peer
      tell(.certificates(id, peer, chain))
    case .state(let peer, let state):
      if state == .connected {
        traffic[peer] = Traffic()
        // The member was connected before, and the program has not taken all of those events.
        if backlog.paused.contains(peer) { apply(.pause, to: peer) }
      }
      if state != .connecting { ownDiscovery.attempts[peer.id] = nil }
      let gone = state == .notConnected ? drop(peer) : nil
      // A fault may have reported this already.
      let isKnown = falselyDropped.remove(peer) != nil && state == .notConnected
      if !isKnown { tell(.state(peer, state)) }
      if state == .connected { dropFalsely(peer) }
      if let gone {
        drop(resourcesOf: gone, peer)
        node.doubt(peer.id)
      }
    case .frame(let peer, let frame): took(frame, from: peer)
    }
  }

  /// Returns whether the connection to a member has room to send now.
  func hasRoom(_ peer: Peer) -> Bool {
    mesh.link(to: peer).flatMap { held[$0]?.connection.hasRoom } ?? false
  }

  /// Reports later, if a fault plan says so, that a connected member is not connected.
  private func dropFalsely(_ peer: Peer) {
    guard let delay = node.faults?.falseDrop(of: terms.peer), let link = mesh.link(to: peer) else { return }
    later(delay) {
      guard $0.mesh.link(to: peer) == link else { return }
      $0.falselyDropped.insert(peer)
      $0.tell(.state(peer, .notConnected))
    }
  }

  private func open(_ id: LinkID, _ peer: Peer, _ host: HostAddress?) {
    let addresses = places.removeValue(forKey: id)
    let hosts = host.map { [$0] } ?? ownDiscovery.attempts[peer.id]?.hosts ?? []
    let isOfUsedSession = connections > 0
    connections += 1
    node.task { [weak self, node] in
      var candidates = await addresses?() ?? []
      if !hosts.isEmpty {
        let networks = node.networks()
        candidates += hosts.flatMap { $0.places(on: networks) }
      }
      self?.open(id, peer, candidates[...], isOfUsedSession)
    }
  }

  /// Connects to the first address that answers.
  private func open(_ id: LinkID, _ peer: Peer, _ candidates: ArraySlice<SocketAddress>, _ isOfUsedSession: Bool) {
    guard let address = candidates.first else {
      node.doubt(peer.id)
      return failed(id)
    }
    let call = PeerCall(address: address, from: terms.peer.id, to: peer.id, isOfUsedSession: isOfUsedSession)
    node.environment.connect(call) { [weak self] connection in
      guard let connection, let route = connection.route else {
        connection?.close()
        self?.open(id, peer, candidates.dropFirst(), isOfUsedSession)
        return
      }
      connection.execute { [weak self] in
        guard let self else { return connection.close() }
        self.opened(id, connection, route)
      }
    }
  }

  /// Handles a connection that cannot be made. With faults, which let peers vanish, nobody reports that to the inviting
  /// program: its invitation, whose number is not negative, ends when its time is over.
  private func failed(_ id: LinkID) {
    lock.withLock { if node.faults == nil || id < 0 { handle(.failed(id)) } }
  }

  private func opened(_ id: LinkID, _ connection: any PeerConnection, _ route: Route) {
    lock.withLock {
      hold(connection, as: id)
      handle(.opened(id, route, EphemeralKey()))
    }
  }
}

extension SessionEngine.News {
  /// The peer that the event is about, and roughly how many bytes it keeps until the program has taken it.
  fileprivate var cost: (Peer, Int) {
    switch self {
    case .state(let peer, _): (peer, 0)
    case .certificates(_, let peer, let chain): (peer, chain.reduce(0) { $0 + $1.count })
    case .message(let peer, let bytes): (peer, bytes.count + 256)
    case .stream(let peer, _, _), .resourceBegan(let peer, _), .resourceEnded(let peer, _, _): (peer, 1024)
    }
  }
}
