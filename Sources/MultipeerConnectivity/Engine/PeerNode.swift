import BumpDiscovery
package import BumpMultipeer
import Foundation
import NIOCore
import Synchronization

/// What all sessions, advertisers and browsers of a process share: one port, one discovery, and the connections whose
/// purpose is not known yet. A peer belongs to the node of its making, and all that is made with it, too.
package final class PeerNode: @unchecked Sendable {
  static let shared = PeerNode(NetworkSurroundings())

  /// The node of the peers that a task makes, and what it calls.
  @TaskLocal package static var local: PeerNode?
  private static let placed = Mutex<PeerNode?>(nil)

  /// Puts the peers that are made from now on elsewhere; `nil` puts them where they belong.
  package static func place(_ node: PeerNode?) { placed.withLock { $0 = node } }

  /// The node of a peer that is made now.
  static var current: PeerNode { local ?? placed.withLock(\.self) ?? shared }

  /// Connections that no session has yet. Beyond that each new one takes the place of the oldest from the host that has
  /// most of them: whoever opens many displaces its own.
  static let mostAwaited = 256

  let surroundings: any Surroundings
  /// What goes wrong on purpose; `nil` for nothing.
  let faults: (any PeerFaults)?
  private let lock = NSLock()
  private var port: UInt16?
  private var awaited: [AwaitedLink] = []
  /// Members who have come before their introduction.
  private var early: [[UInt8]: AwaitedLink] = [:]
  private var advertisers: [PeerID: [WeakReference]] = [:]
  private var browsers: [ObjectIdentifier: WeakReference] = [:]
  private var sessions: [ObjectIdentifier: WeakReference] = [:]
  private var replaced: (any Discovery)?
  private var endsAtExit = false

  package init(_ surroundings: any Surroundings, faults: (any PeerFaults)? = nil) {
    (self.surroundings, self.faults) = (surroundings, faults)
  }

  /// The time that all links are measured by.
  var now: Moment { surroundings.now }

  /// How long links wait.
  var times: LinkTimes { faults?.times ?? LinkTimes() }

  /// What finds peers: what a test has set, or that of the surroundings.
  var discovery: any Discovery {
    get async {
      if let replaced = lock.withLock({ replaced }) { return replaced }
      return await surroundings.discovery
    }
  }

  func browse(_ type: ServiceType, for peer: PeerID) async -> AsyncThrowingStream<BrowseEvent, any Error> {
    if let replaced = lock.withLock({ replaced }) { return replaced.browse(type) }
    return await surroundings.browse(type, for: peer)
  }

  func use(_ discovery: any Discovery) { lock.withLock { replaced = discovery } }

  func networks() -> LocalNetworks { surroundings.networks }

  /// A new peer.
  func peer(named name: String) -> Peer? {
    var generator = surroundings.random
    return Peer(id: surroundings.identity(for: name) ?? PeerID(using: &generator), name: name)
  }

  /// A peer's instance name.
  package static func instanceName(of peer: PeerID) -> String { PeerInfo.instanceName(of: peer) }

  // MARK: Elsewhere

  /// Runs something on a queue: a delegate's method, say. Peers that it makes are of this node.
  func run(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    surroundings.begin()
    queue.async {
      Self.$local.withValue(self, operation: body)
      self.surroundings.end()
    }
  }

  /// Runs something in a task.
  @discardableResult
  func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    surroundings.begin()
    return Task {
      await body()
      self.surroundings.end()
    }
  }

  // MARK: Who is here

  func add(_ advertiser: Advertiser) {
    let isFirst = lock.withLock { () -> Bool in
      advertisers[advertiser.peer.id, default: []].append(WeakReference(advertiser))
      defer { endsAtExit = true }
      return !endsAtExit
    }
    // A process that ends without a stop is not announced any longer, either.
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

  /// A peer's connection broke off: whoever has found it looks again whether it is there.
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

  /// The sessions of a peer.
  func sessions(of peer: Peer) -> [SessionEngine] {
    lock.withLock { sessions.values.compactMap { $0.value as? SessionEngine } }.filter { $0.terms.peer == peer }
  }

  private func end() {
    let all = lock.withLock { advertisers.values.joined().compactMap { $0.value as? Advertiser } }
    for advertiser in all { advertiser.stop() }
  }

  // MARK: Connections

  /// The port on which this process takes connections, from the first call on.
  ///
  /// - Throws: where no port can be had.
  func listeningPort() throws -> UInt16 {
    try lock.withLock {
      if let port { return port }
      let port = try surroundings.listen { [weak self] in self?.accepted($0) }
      self.port = port
      return port
    }
  }

  private func accepted(_ connection: any PeerConnection) {
    guard let route = connection.route else { return connection.close() }
    let link = AwaitedLink(connection, route, self)
    let displaced = lock.withLock {
      defer { awaited.append(link) }
      guard awaited.count >= Self.mostAwaited else { return nil as AwaitedLink? }
      let counts = Dictionary(grouping: awaited, by: \.host).mapValues(\.count)
      let most = counts.values.max()
      return awaited.first { counts[$0.host] == most }
    }
    displaced?.displace()
    link.begin()
  }

  func remove(_ link: AwaitedLink) {
    lock.withLock {
      awaited.removeAll { $0 === link }
      early = early.filter { $0.value !== link }
    }
  }

  func advertiser(_ id: PeerID) -> Advertiser? {
    lock.withLock { advertisers[id]?.last { $0.value != nil }?.value as? Advertiser }
  }

  /// The session that a ticket is for. Without one, `expect` comes back to the link.
  func engine(for ticket: [UInt8], waiting link: AwaitedLink) -> SessionEngine? {
    let engines = lock.withLock {
      early[ticket] = link
      return sessions.values.compactMap { $0.value as? SessionEngine }
    }
    guard let engine = engines.first(where: { $0.hasTicket(ticket) }) else { return nil }
    lock.withLock { early[ticket] = nil }
    return engine
  }

  /// A session has a ticket: the member may be here already.
  func expect(_ ticket: [UInt8]) { lock.withLock { early.removeValue(forKey: ticket) }?.expected() }
}
