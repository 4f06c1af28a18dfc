import BumpDiscovery
import Foundation
import Lab
import NIOCore
import Synchronization

@testable import MultipeerConnectivity

/// Discovery within this process: found at once, at the loopback address.
final class LoopbackDiscovery: Discovery {
  private struct Key: Hashable {
    let type: String
    let name: String
  }

  private struct State {
    var services: [Key: Advertisement] = [:]
    var browsers: [Int: (type: String, feed: AsyncThrowingStream<BrowseEvent, any Error>.Continuation)] = [:]
    var next = 0
    /// Instances that somebody has looked for again.
    var doubted: [String] = []
  }

  /// The one of all tests: types keep them apart.
  static let shared = {
    let discovery = LoopbackDiscovery()
    PeerNode.shared.use(discovery)
    return discovery
  }()

  /// A type that cannot be used on this stage.
  static let broken = "no-network"

  let backend = "loopback"
  private let state = ObservedValue(State())
  /// Delivers the events to browsers, in order and without the lock: yielding takes a lock of the browsing task, under which
  /// that task's cancellation takes the lock here.
  private let news = DispatchQueue(label: "loopback discovery")

  private func tell(_ event: BrowseEvent, _ type: String, in state: State) {
    for browser in state.browsers.values where browser.type == type {
      news.async { browser.feed.yield(event) }
    }
  }

  func advertise(_ service: Advertisement) -> AsyncThrowingStream<String, any Error> {
    AsyncThrowingStream { continuation in
      let key = Key(type: service.type.description, name: service.name)
      let isRefused = state.change { state in
        guard !key.type.contains(Self.broken), state.services[key] == nil else { return true }
        state.services[key] = service
        tell(.found(Self.instance(key)), key.type, in: state)
        return false
      }
      if isRefused { return continuation.finish(throwing: DiscoveryError(.nameTaken, "taken")) }
      continuation.onTermination = { [self] _ in
        state.change { state in
          state.services[key] = nil
          tell(.lost(Self.instance(key)), key.type, in: state)
        }
      }
    }
  }

  func browse(_ type: ServiceType, subtype: ServiceSubtype?) -> AsyncThrowingStream<BrowseEvent, any Error> {
    AsyncThrowingStream { continuation in
      let type = type.description
      if type.contains(Self.broken) { return continuation.finish(throwing: DiscoveryError(.unavailable, "none")) }
      let id = state.change { state in
        state.next += 1
        state.browsers[state.next] = (type, continuation)
        for key in state.services.keys where key.type == type {
          news.async { continuation.yield(.found(Self.instance(key))) }
        }
        return state.next
      }
      continuation.onTermination = { [state] _ in state.change { $0.browsers[id] = nil } }
    }
  }

  func resolve(_ instance: ServiceInstance) async throws -> ResolvedService {
    let key = Key(type: instance.type, name: instance.name)
    guard let service = state.value.services[key] else { throw DiscoveryError(.failed, "nobody answers") }
    return ResolvedService(host: "loopback.local.", port: service.port, txt: service.txt, interface: instance.interface)
  }

  func addresses(of service: ResolvedService) -> AsyncThrowingStream<SocketAddress, any Error> {
    AsyncThrowingStream { continuation in
      if let address = try? SocketAddress(ipAddress: "127.0.0.1", port: Int(service.port)) {
        continuation.yield(address)
      }
    }
  }

  func reconfirm(_ instance: ServiceInstance) { state.change { $0.doubted.append(instance.name) } }

  /// Waits until somebody has looked for an instance again.
  func doubted(_ name: String) async throws { try await state.wait { $0.doubted.contains(name) ? () : nil } }

  /// Announces what no program of ours would.
  func forge(_ type: String, _ name: String, txt: [UInt8]) {
    guard let type = try? ServiceType(type) else { return }
    state.change { state in
      let key = Key(type: type.description, name: name)
      state.services[key] = Advertisement(name: name, type: type, port: 9, txt: TXTRecord(bytes: txt))
      tell(.found(Self.instance(key)), key.type, in: state)
    }
  }

  /// Reports an instance on an interface, or that it is gone there.
  func report(_ type: String, _ name: String, on interface: UInt32, isFound: Bool) {
    guard let type = try? ServiceType(type) else { return }
    let instance = ServiceInstance(name: name, type: type.description, interface: interface)
    state.change { tell(isFound ? .found(instance) : .lost(instance), instance.type, in: $0) }
  }

  private static let loopback = (try? System.enumerateDevices())?.first { $0.name == "lo" }?.interfaceIndex ?? 1

  private static func instance(_ key: Key) -> ServiceInstance {
    ServiceInstance(name: key.name, type: key.type, interface: UInt32(loopback))
  }
}

/// The players of one test, who see nobody else's. It holds them: a player that is used no more in a test may be gone before
/// the test's end, and with it what it has not sent yet.
final class PlayerGroup: Sendable {
  private static let count = Atomic(0)

  let type: String
  private let node: PeerNode
  private let players = Mutex<[Player]>([])

  /// - Parameter node: where its players are.
  init(on node: PeerNode = .shared) {
    self.node = node
    node.use(LoopbackDiscovery.shared)
    type = "stage-\(Self.count.wrappingAdd(1, ordering: .relaxed).newValue)"
  }

  func player(
    _ name: String, _ preference: MCEncryptionPreference = .required, identity: [Any]? = nil,
    info: [String: String]? = nil
  ) -> Player {
    let player = visitor(name, preference, identity: identity, info: info)
    players.withLock { $0.append(player) }
    return player
  }

  /// A player that the stage does not hold.
  func visitor(
    _ name: String, _ preference: MCEncryptionPreference = .required, identity: [Any]? = nil,
    info: [String: String]? = nil
  ) -> Player {
    Player(name, type, preference, identity, info, on: node)
  }

  /// The first invites the second, and both are connected.
  func connect(_ first: Player, _ second: Player) async throws {
    second.advertiser.startAdvertisingPeer()
    first.browser.startBrowsingForPeers()
    first.invite(try await first.found(second))
    try await first.saw("\(second.name) connected")
    try await second.saw("\(first.name) connected")
  }
}

/// A program with one session, an advertiser and a browser, which writes down what it is told.
final class Player: NSObject, @unchecked Sendable {
  /// How it answers invitations.
  enum Answer { case accept, decline, acceptWithoutSession, keep, twice }

  struct Received: Sendable {
    var name: String
    var bytes: [UInt8]?
    var permissions: Int?
    var path: String?
  }

  let name: String
  let id: MCPeerID
  let session: MCSession
  let advertiser: MCNearbyServiceAdvertiser
  let browser: MCNearbyServiceBrowser
  private var sentinel: Sentinel?

  /// What it was told, in order: `bob connecting`, `bob says hello`.
  private let log = ObservedValue<[String]>([])
  private let peers = ObservedValue<[String: UncheckedSendable<MCPeerID>]>([:])
  private let kept = ObservedValue<[UncheckedSendable<(Bool, MCSession?) -> Void>]>([])
  private let files = ObservedValue<[Received]>([])
  private let streams = ObservedValue<[UncheckedSendable<InputStream>]>([])
  private let progresses = ObservedValue<[UncheckedSendable<Progress>]>([])
  let settings = Mutex(
    (answer: Answer.accept, judges: true as Bool?, slow: nil as DispatchSemaphore?, moves: nil as URL?))

  init(
    _ name: String, _ type: String, _ preference: MCEncryptionPreference, _ identity: [Any]?,
    _ info: [String: String]?, on node: PeerNode = .shared
  ) {
    self.name = name
    // Other tests of this process may have placed the peers that they make elsewhere.
    id = PeerNode.$local.withValue(node) { MCPeerID(displayName: name) }
    session = MCSession(peer: id, securityIdentity: identity, encryptionPreference: preference)
    advertiser = WatchedAdvertiser(peer: id, discoveryInfo: info, serviceType: type)
    browser = WatchedBrowser(peer: id, serviceType: type)
    super.init()
    session.delegate = self
    advertiser.delegate = self
    browser.delegate = self
  }

  deinit { session.disconnect() }

  /// Counts this player and its objects as they go: four in all. Of a session its queue goes last.
  func watch(_ gone: ObservedValue<Int>) {
    sentinel = Sentinel(gone)
    (advertiser as? WatchedAdvertiser)?.sentinel = Sentinel(gone)
    (browser as? WatchedBrowser)?.sentinel = Sentinel(gone)
    session.engine.queue.setSpecific(key: Sentinel.key, value: Sentinel(gone))
  }

  func note(_ text: String) { log.change { $0.append(text) } }

  /// Writes down what it is told, and where it is told that it should not be.
  private func hear(_ text: String) {
    if Thread.isMainThread { note("the main thread is used") }
    note(text)
  }
  var told: [String] { log.value }
  /// What it was told of the states of peers.
  var states: [String] {
    told.filter { ["connecting", "connected", "notConnected"].contains($0.split(separator: " ").last) }
  }

  /// Waits until it was told something, so many times.
  func saw(_ text: String, times: Int = 1) async throws {
    try await withTimeout(.hang, "\(name): \(text), of \(told)") { [log] in
      try await log.wait { log in log.count { $0 == text } >= times ? () : nil }
    }
  }

  func found(_ other: Player) async throws -> MCPeerID {
    try await withTimeout(.hang, "\(name) finds \(other.name)") { [peers] in
      try await peers.wait { $0[other.name] }
    }.value
  }

  func invite(_ peer: MCPeerID, context: String? = nil, timeout: TimeInterval = 60) {
    browser.invitePeer(peer, to: session, withContext: context.map { Data($0.utf8) }, timeout: timeout)
  }

  /// Whether it has kept an invitation that it has not answered.
  var hasKept: Bool { !kept.value.isEmpty }

  /// The handler of an invitation that it has kept.
  func handler() async throws -> (Bool, MCSession?) -> Void {
    try await withTimeout(.hang) { [kept] in try await kept.wait { $0.isEmpty ? nil : $0.removeFirst() } }.value
  }

  func file() async throws -> Received {
    try await withTimeout(.hang) { [files] in try await files.wait { $0.isEmpty ? nil : $0.removeFirst() } }
  }

  func stream() async throws -> InputStream {
    try await withTimeout(.hang) { [streams] in try await streams.wait { $0.isEmpty ? nil : $0.removeFirst() } }
      .value
  }

  func progress() async throws -> Progress {
    try await withTimeout(.hang) { [progresses] in try await progresses.wait { $0.isEmpty ? nil : $0.removeFirst() }
    }.value
  }

  func send(_ text: String, to others: Player..., mode: MCSessionSendDataMode = .reliable) throws {
    try session.send(Data(text.utf8), toPeers: others.map(\.id), with: mode)
  }
}

extension Player: MCSessionDelegate {
  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    let text = ["notConnected", "connecting", "connected"][state.rawValue]
    let isListed = session.connectedPeers.contains(peerID)
    if isListed != (state == .connected) { hear("\(peerID.displayName) is listed: \(isListed)") }
    hear("\(peerID.displayName) \(text)")
  }

  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
    settings.withLock { $0.slow }?.wait()
    hear(
      "\(peerID.displayName) says \(data.count > 100 ? "\(data.count) bytes" : String(decoding: data, as: UTF8.self))")
  }

  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID
  ) {
    // Whoever waits for the stream reads what was heard.
    hear("\(peerID.displayName) streams \(streamName)")
    streams.change { $0.append(UncheckedSendable(stream)) }
  }

  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    with progress: Progress
  ) {
    hear("\(peerID.displayName) begins \(resourceName) of \(progress.totalUnitCount)")
    progresses.change { $0.append(UncheckedSendable(progress)) }
  }

  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    at localURL: URL?, withError error: (any Error)?
  ) {
    let attributes = localURL.flatMap { try? FileManager.default.attributesOfItem(atPath: $0.path) }
    let bytes = localURL.flatMap { try? Data(contentsOf: $0) }.map(Array.init)
    if let localURL, let place = settings.withLock({ $0.moves }) {
      do { try FileManager.default.moveItem(at: localURL, to: place) } catch { note("cannot move it: \(error)") }
    }
    let outcome = error.map { "fails with \(($0 as? MCError)?.code.rawValue ?? -1)" } ?? "is here"
    hear("\(peerID.displayName)'s \(resourceName) \(outcome)")
    files.change {
      $0.append(
        Received(
          name: resourceName, bytes: bytes, permissions: attributes?[.posixPermissions] as? Int, path: localURL?.path))
    }
  }

  func session(
    _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
    certificateHandler: @escaping (Bool) -> Void
  ) {
    let chain = certificate?.compactMap { ($0 as? Data).map { String(decoding: $0, as: UTF8.self) } }
    hear("\(peerID.displayName) shows \(chain?.joined(separator: "+") ?? "nothing")")
    if let judges = settings.withLock({ $0.judges }) {
      certificateHandler(judges)
      // A second word changes nothing.
      certificateHandler(!judges)
    }
  }
}

extension Player: MCNearbyServiceAdvertiserDelegate {
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?,
    invitationHandler: @escaping (Bool, MCSession?) -> Void
  ) {
    hear("\(peerID.displayName) invites with \(context.map { String(decoding: $0, as: UTF8.self) } ?? "nothing")")
    switch settings.withLock({ $0.answer }) {
    case .accept: invitationHandler(true, session)
    case .decline: invitationHandler(false, session)
    case .acceptWithoutSession: invitationHandler(true, nil)
    case .keep: kept.change { $0.append(UncheckedSendable(invitationHandler)) }
    case .twice:
      invitationHandler(true, session)
      invitationHandler(false, nil)
    }
  }

  func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error) {
    hear("advertising fails with \((error as NSError).domain) \((error as NSError).code)")
  }
}

extension Player: MCNearbyServiceBrowserDelegate {
  func browser(_ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?)
  {
    let pairs = info?.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    hear("finds \(peerID.displayName) with \(pairs?.joined(separator: ",") ?? "nothing")")
    // Last: a test that waits for the peer may then ask what was heard.
    peers.change { $0[peerID.displayName] = UncheckedSendable(peerID) }
  }

  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) { hear("loses \(peerID.displayName)") }

  func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {
    hear("browsing fails with \((error as NSError).domain) \((error as NSError).code)")
  }
}
