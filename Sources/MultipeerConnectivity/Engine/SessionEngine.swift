import BumpDiscovery
import BumpMultipeer
import BumpNoise
import Crypto
import Foundation
import NIOCore

/// Drives one session: its mesh, and what its members send each other. Everything happens under one lock, so a program may
/// call from any thread; what the program is told goes to its queue, in order.
final class SessionEngine: @unchecked Sendable {
  /// What a session's program is told.
  enum News: Sendable {
    case state(Peer, MemberState)
    case certificates(LinkID, Peer, [[UInt8]])
    case message(Peer, [UInt8])
    case stream(Peer, name: String, Handover<IncomingStream>)
    case resourceBegan(Peer, IncomingResource)
    case resourceEnded(Peer, IncomingResource, (any Error)?)
  }

  private struct Held {
    let connection: any PeerConnection
    var peer: Peer?
  }

  /// What is on its way between this end and one member.
  struct Traffic {
    var outbox = Outbox()
    /// An unreliable message that the next one overtakes, on purpose.
    var overtaken: [UInt8]?
    var inbox = Inbox()
    var incomingStreams: [TransferID: IncomingStream] = [:]
    var outgoingStreams: [TransferID: OutgoingStream] = [:]
    var incomingResources: [TransferID: IncomingResource] = [:]
    var outgoingResources: [TransferID: OutgoingResource] = [:]
  }

  /// Says on which session's queue a thread is.
  private static let place = DispatchSpecificKey<ObjectIdentifier>()

  let terms: Terms
  let lock = NSRecursiveLock()
  let node: PeerNode
  let queue: DispatchQueue
  private let deliver: @Sendable (News) -> Void
  private var mesh: Mesh
  private var held: [LinkID: Held] = [:]
  private var backlog = Backlog<Peer>()
  var traffic: [Peer: Traffic] = [:]
  var ownDiscovery = OwnDiscovery()
  /// Where to look for a peer that is invited.
  private var places: [LinkID: @Sendable () async -> [SocketAddress]] = [:]
  /// Until when an invitation is taken to be on its way, though nobody is there: where a plan lets peers vanish, nobody says
  /// that they have.
  private var unanswered: [LinkID: Moment] = [:]
  private var nextLink: LinkID = 0
  /// Connections that it has had.
  private var connections = 0
  private var timer: (task: any Scheduling, due: Moment)?
  /// Members of whom the program was told that they are not connected, though they are.
  private var falselyDropped: Set<Peer> = []

  /// - Parameter deliver: called on the queue.
  init(
    _ terms: Terms, of node: PeerNode, on queue: DispatchQueue, deliver: @escaping @Sendable (News) -> Void
  ) {
    (self.terms, self.node, self.queue, self.deliver) = (terms, node, queue, deliver)
    mesh = Mesh(terms: terms, times: node.times)
    queue.setSpecific(key: Self.place, value: ObjectIdentifier(self))
    node.add(self)
  }

  var connectedPeers: [Peer] { lock.withLock { mesh.connectedPeers.filter { !falselyDropped.contains($0) } } }
  /// Whether a resource is on its way to this end.
  var receivesResource: Bool { lock.withLock { traffic.values.contains { !$0.incomingResources.isEmpty } } }

  // MARK: What the program does

  /// Invites a peer that a browser has found.
  ///
  /// - Parameter addresses: finds where it is, the likeliest first.
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
      if node.faults != nil { unanswered[id] = node.now + timeout }
      handle(.invite(id, peer, context: context, timeout: fate?.timeout ?? timeout))
    }
  }

  func judged(_ id: LinkID, _ isTaken: Bool) {
    let faults = node.faults
    guard let isTaken = faults == nil ? isTaken : faults?.verdict(isTaken, of: terms.peer) else { return }
    lock.withLock { handle(.judged(id, isTaken)) }
  }

  func disconnect() {
    lock.withLock {
      ownDiscovery.attempts = [:]
      handle(.disconnect)
    }
  }

  /// Sends a message to each of these members.
  ///
  /// - Throws: the peers that are not connected, in which case nothing is sent to anybody.
  func send(_ message: [UInt8], to peers: [Peer], isReliable: Bool) throws(NotConnected) {
    lock.lock()
    defer { lock.unlock() }
    let missing = peers.filter { traffic[$0] == nil || falselyDropped.contains($0) }
    guard missing.isEmpty else { throw NotConnected(peers: missing) }
    // A peer that is listed twice gets it once.
    for peer in Set(peers) {
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

  // MARK: What connections bring

  func hasTicket(_ ticket: [UInt8]) -> Bool { lock.withLock { mesh.membership(ticket: ticket) != nil } }

  func accepted(_ link: Link, _ invitation: Invitation, _ connection: any PeerConnection, _ route: Route) {
    lock.withLock {
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

  /// The program accepted an invitation that is over.
  func missed(_ peer: Peer) {
    lock.withLock {
      guard traffic[peer] == nil else { return }
      tell(.state(peer, .connecting))
      tell(.state(peer, .notConnected))
    }
  }

  private func newLink() -> LinkID {
    defer { nextLink += 1 }
    if nextLink == 0, let faults = node.faults {
      mesh = Mesh(terms: faults.terms(terms), times: faults.times, room: faults.room(of: terms.peer))
    }
    return nextLink
  }

  /// In order with the connection's events.
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

  // MARK: What the program is told

  /// Tells the program, which may be slow.
  func tell(_ news: News) {
    let (peer, size) = news.cost
    apply(backlog.add(size, of: peer), to: peer)
    node.run(on: queue) { [weak self, deliver] in
      deliver(news)
      self?.taken(size, of: peer)
    }
  }

  private func taken(_ size: Int, of peer: Peer) { lock.withLock { apply(backlog.remove(size, of: peer), to: peer) } }

  /// A stream's read or write waits for a member. On the program's own queue, nothing would be taken meanwhile: so all that
  /// comes is read.
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

  func handle(_ input: Mesh.Input) {
    var generator = node.surroundings.random
    for output in mesh.handle(input, at: node.now, using: &generator) { perform(output) }
    setTimer()
  }

  /// Mostly the deadline moves away with each record. A timer that is due too early costs less than a new one each time.
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

  /// Does something later, under the lock.
  @discardableResult
  func later(_ delay: Duration, _ body: @escaping @Sendable (SessionEngine) -> Void) -> any Scheduling {
    node.surroundings.schedule(at: node.now + delay, for: terms.peer.id) { [weak self] in
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
        // It was connected before, and the program is still busy with that.
        if backlog.paused.contains(peer) { apply(.pause, to: peer) }
      }
      if state != .connecting { ownDiscovery.attempts[peer.id] = nil }
      let gone = state == .notConnected ? drop(peer) : nil
      // The program may have heard of it before.
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

  /// Whether the connection to a member takes more at the moment.
  func hasRoom(_ peer: Peer) -> Bool {
    mesh.link(to: peer).flatMap { held[$0]?.connection.hasRoom } ?? false
  }

  /// Tells the program in a while that a member is not connected, where a plan says so.
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

  /// Tries one address after the other.
  private func open(_ id: LinkID, _ peer: Peer, _ candidates: ArraySlice<SocketAddress>, _ isOfUsedSession: Bool) {
    guard let address = candidates.first else {
      node.doubt(peer.id)
      return failed(id)
    }
    let call = PeerCall(address: address, from: terms.peer.id, to: peer.id, isOfUsedSession: isOfUsedSession)
    node.surroundings.connect(call) { [weak self] connection in
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

  private func failed(_ id: LinkID) {
    lock.withLock {
      guard let end = unanswered.removeValue(forKey: id) else { return handle(.failed(id)) }
      later(end - node.now) { $0.handle(.failed(id)) }
    }
  }

  private func opened(_ id: LinkID, _ connection: any PeerConnection, _ route: Route) {
    lock.withLock {
      unanswered[id] = nil
      hold(connection, as: id)
      handle(.opened(id, route, EphemeralKey()))
    }
  }
}

extension SessionEngine.News {
  /// Whom it is of, and about how many bytes it keeps until the program has taken it.
  fileprivate var cost: (Peer, Int) {
    switch self {
    case .state(let peer, _): (peer, 0)
    case .certificates(_, let peer, let chain): (peer, chain.reduce(0) { $0 + $1.count })
    case .message(let peer, let bytes): (peer, bytes.count + 256)
    case .stream(let peer, _, _), .resourceBegan(let peer, _), .resourceEnded(let peer, _, _): (peer, 1024)
    }
  }
}
