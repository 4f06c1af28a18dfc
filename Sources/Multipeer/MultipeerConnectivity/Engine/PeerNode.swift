import BumpDiscovery
package import BumpMultipeer
import Foundation
import NIOCore
import Synchronization

/// What all sessions, advertisers and browsers of a process share: one port, one discovery, and the connections whose
/// purpose is not known yet. A peer belongs to the node that was current when the peer was made. So do its sessions,
/// advertisers and browsers.
package final class PeerNode: @unchecked Sendable {
  static let shared = PeerNode(NetworkEnvironment())

  /// The node of the peers that a task makes, and that the code called by the task makes.
  @TaskLocal package static var local: PeerNode?
  private static let placed = Mutex<PeerNode?>(nil)

  /// Sets the node of the peers made from now on; `nil` restores the shared node.
  package static func place(_ node: PeerNode?) { placed.withLock { $0 = node } }

  /// The node of a peer that is made now.
  static var current: PeerNode { local ?? placed.withLock(\.self) ?? shared }

  /// The most connections that belong to no session yet. Beyond that, each new one displaces the oldest of the host
  /// that has the most: a host that opens many displaces its own.
  static let mostAwaited = 256

  let environment: any PeerEnvironment
  /// The injected faults; `nil` for none.
  let faults: (any PeerFaults)?
  /// The key by which each peer of this process shows that it is the one of before.
  let key = IdentityKey()
  private let lock = NSLock()
  /// Held while the port is bound.
  private let listening = NSLock()
  private var port: UInt16?
  private var awaited: [IncomingLink] = []
  /// Connections of members whose tickets no session knows yet, since their introduction is still to come.
  private var early: [[UInt8]: IncomingLink] = [:]
  private var advertisers: [PeerID: [WeakReference]] = [:]
  private var browsers: [ObjectIdentifier: WeakReference] = [:]
  private var sessions: [ObjectIdentifier: WeakReference] = [:]
  private var replaced: (any Discovery)?
  private var endsAtExit = false

  package init(_ environment: any PeerEnvironment, faults: (any PeerFaults)? = nil) {
    (self.environment, self.faults) = (environment, faults)
  }

  /// The time by the clock of all links.
  var now: Moment { environment.now }

  /// The time limits of links.
  var times: LinkTimes { faults?.times ?? LinkTimes() }

  /// The discovery that a test has set, or that of the environment.
  var discovery: any Discovery {
    get async {
      if let replaced = lock.withLock({ replaced }) { return replaced }
      return await environment.discovery
    }
  }

  func browse(_ type: ServiceType, for peer: PeerID) async -> AsyncThrowingStream<BrowseEvent, any Error> {
    if let replaced = lock.withLock({ replaced }) { return replaced.browse(type) }
    return await environment.browse(type, for: peer)
  }

  func use(_ discovery: any Discovery) { lock.withLock { replaced = discovery } }

  func networks() -> LocalNetworks { environment.networks }

  /// Makes a new peer; `nil` if the name is not valid.
  func peer(named name: String) -> Peer? {
    var generator = environment.random
    return Peer(id: environment.identity(for: name) ?? PeerID(using: &generator), name: name)
  }

  /// Returns a peer's instance name.
  package static func instanceName(of peer: PeerID) -> String { PeerInfo.instanceName(of: peer) }

  // MARK: Queues and tasks

  /// Runs a closure on a queue, such as the call of a delegate's method. Peers that it makes belong to this node.
  func run(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    environment.begin()
    queue.async {
      Self.$local.withValue(self, operation: body)
      self.environment.end()
    }
  }

  /// Runs a closure in a task.
  @discardableResult
  func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    environment.begin()
    return Task {
      await body()
      self.environment.end()
    }
  }

  // MARK: Advertisers, browsers and sessions

  func add(_ advertiser: Advertiser) {
    let isFirst = lock.withLock { () -> Bool in
      advertisers[advertiser.peer.id, default: []].append(WeakReference(advertiser))
      defer { endsAtExit = true }
      return !endsAtExit
    }
    // If the process exits without `stop`, its advertisements are withdrawn too.
    if isFirst {
      atexit {
        PeerNode.shared.end()
        PeerNode.placed.withLock(\.self)?.end()
      }
    }
  }

  func remove(_ advertiser: Advertiser) {
    lock.withLock {
      let left = advertisers[advertiser.peer.id]?.filter { $0.value != nil && $0.value !== advertiser } ?? []
      advertisers[advertiser.peer.id] = left.isEmpty ? nil : left
    }
  }

  func add(_ browser: Browser) {
    lock.withLock { browsers[ObjectIdentifier(browser)] = WeakReference(browser) }
  }

  func remove(_ browser: Browser) { lock.withLock { browsers[ObjectIdentifier(browser)] = nil } }

  /// Makes each browser that has found this peer check whether it is still there: its connection broke.
  func doubt(_ peer: PeerID) {
    let all = lock.withLock { browsers.values.compactMap { $0.value as? Browser } }
    for browser in all { browser.doubt(peer) }
  }

  func add(_ session: SessionEngine) {
    lock.withLock {
      sessions = sessions.filter { $0.value.value != nil }
      sessions[ObjectIdentifier(session)] = WeakReference(session)
    }
  }

  /// Returns the sessions of a peer.
  func sessions(of peer: Peer) -> [SessionEngine] {
    lock.withLock { sessions.values.compactMap { $0.value as? SessionEngine } }.filter { $0.terms.peer == peer }
  }

  private func end() {
    let all = lock.withLock { advertisers.values.joined().compactMap { $0.value as? Advertiser } }
    for advertiser in all { advertiser.stop() }
  }

  // MARK: Connections

  /// Returns the port on which this process accepts connections. The first call begins to listen.
  ///
  /// - Throws: an error if no port can be had.
  func listeningPort() throws -> UInt16 {
    // Not under the lock of the node: an event loop that waits for it would never bind the port.
    try listening.withLock {
      if let port = lock.withLock({ self.port }) { return port }
      let port = try environment.listen { [weak self] in self?.accepted($0) }
      lock.withLock { self.port = port }
      return port
    }
  }

  private func accepted(_ connection: any PeerConnection) {
    guard let route = connection.route else { return connection.close() }
    let link = IncomingLink(connection, route, self)
    let displaced = lock.withLock {
      defer { awaited.append(link) }
      guard awaited.count >= Self.mostAwaited else { return nil as IncomingLink? }
      let counts = Dictionary(grouping: awaited, by: \.host).mapValues(\.count)
      let most = counts.values.max()
      return awaited.first { counts[$0.host] == most }
    }
    displaced?.displace()
    link.begin()
  }

  func remove(_ link: IncomingLink) {
    lock.withLock {
      awaited.removeAll { $0 === link }
      early = early.filter { $0.value !== link }
    }
  }

  func advertiser(_ id: PeerID) -> Advertiser? {
    lock.withLock { advertisers[id]?.last { $0.value != nil }?.value as? Advertiser }
  }

  /// Returns the session that knows a ticket. If there is none yet, `expect` informs the link later.
  func engine(for ticket: [UInt8], waiting link: IncomingLink) -> SessionEngine? {
    let engines = lock.withLock {
      early[ticket] = link
      return sessions.values.compactMap { $0.value as? SessionEngine }
    }
    guard let engine = engines.first(where: { $0.hasTicket(ticket) }) else { return nil }
    lock.withLock { early[ticket] = nil }
    return engine
  }

  /// Joins the link that waits with this ticket, if the member has connected already.
  func expect(_ ticket: [UInt8]) { lock.withLock { early.removeValue(forKey: ticket) }?.expected() }
}
