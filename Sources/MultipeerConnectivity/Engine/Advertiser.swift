import BumpDiscovery
import BumpMultipeer
import Foundation

/// Announces a peer, and passes invitations on.
final class Advertiser: @unchecked Sendable {
  /// How long `stop` waits until browsers are told: a send of a packet or two.
  private static let farewell: DispatchTimeInterval = .milliseconds(250)

  let peer: Peer
  private let node: PeerNode
  private let info: PeerInfo
  private let type: ServiceType
  private let queue: DispatchQueue
  private let onInvitation: @Sendable (Invitation, @escaping @Sendable (SessionEngine?) -> Void) -> Void
  private let onFailure: @Sendable (any Error) -> Void
  private let lock = NSLock()
  private var task: Task<Void, Never>?
  /// The one of before, which ends.
  private var previous: Task<Void, Never>?
  private var starts = 0

  init(
    _ peer: Peer, _ info: PeerInfo, _ type: ServiceType, of node: PeerNode, on queue: DispatchQueue,
    onInvitation: @escaping @Sendable (Invitation, @escaping @Sendable (SessionEngine?) -> Void) -> Void,
    onFailure: @escaping @Sendable (any Error) -> Void
  ) {
    (self.peer, self.info, self.type, self.node, self.queue) = (peer, info, type, node, queue)
    (self.onInvitation, self.onFailure) = (onInvitation, onFailure)
  }

  deinit { task?.cancel() }

  /// A repeated start does nothing.
  func start() {
    lock.withLock {
      guard task == nil else { return }
      starts += 1
      if let refusal = node.faults?.begins(.advertising, peer) {
        return refusal.code.map { onFailure(NSError(refusalOfDiscovery: $0)) } ?? ()
      }
      node.add(self)
      // The discovery ends this, when it has begun.
      node.surroundings.begin()
      // The name is free again once the one of before has ended.
      task = Task { [node, peer, info, type, previous, starts, weak self] in
        await previous?.value
        do {
          let port = try node.listeningPort()
          let service = Advertisement(
            name: PeerInfo.instanceName(of: peer.id), type: type, port: port, txt: info.record)
          for try await _ in await node.discovery.advertise(service) {}
        } catch {
          if !Task.isCancelled { self?.failed(error, start: starts) }
        }
      }
    }
  }

  /// Ends, and waits a moment until browsers are told: the process may be about to end.
  func stop() {
    let ending = lock.withLock {
      defer { task = nil }
      if let task { previous = task }
      node.remove(self)
      if task != nil { node.faults?.ends(.advertising, peer) }
      return task
    }
    guard let ending else { return }
    ending.cancel()
    let isTold = DispatchSemaphore(value: 0)
    node.task { [node] in
      await ending.value
      await node.discovery.settle()
      isTold.signal()
    }
    _ = isTold.wait(timeout: .now() + Self.farewell)
  }

  func invited(_ invitation: Invitation, answer: @escaping @Sendable (SessionEngine?) -> Void) {
    guard let faults = node.faults else {
      return node.run(on: queue) { [onInvitation] in onInvitation(invitation, answer) }
    }
    let isBusy = node.sessions(of: peer).contains(where: \.receivesResource)
    guard faults.arrives(at: peer, isBusy: isBusy) else { return }
    let earliest = node.now + faults.delay(ofAnswerBy: peer)
    node.run(on: queue) { [node, peer, onInvitation] in
      onInvitation(invitation) { engine in
        node.surroundings.schedule(at: earliest, for: peer.id) { answer(engine) }
      }
    }
  }

  /// After a failure it can be started again.
  private func failed(_ error: any Error, start: Int) {
    let isCurrent = lock.withLock {
      guard task != nil, start == starts else { return false }
      task = nil
      node.remove(self)
      node.faults?.ends(.advertising, peer)
      return true
    }
    if isCurrent { onFailure(NSError(error)) }
  }
}

extension NSError {
  /// An error of discovery, as Apple's framework reports it: NSNetServices's codes for a name that is taken, and for all
  /// others, with the cause beneath.
  convenience init(_ error: any Error) {
    let isTaken = (error as? DiscoveryError)?.code == .nameTaken
    self.init(
      domain: "NSNetServicesErrorDomain", code: isTaken ? -72001 : -72000,
      userInfo: [NSLocalizedDescriptionKey: "\(error)", NSUnderlyingErrorKey: error])
  }

  /// The error of a host that may not use its network.
  convenience init(refusalOfDiscovery code: Int) {
    self.init(
      domain: "NSNetServicesErrorDomain", code: code,
      userInfo: [NSLocalizedDescriptionKey: "SIMULATED: discovery is refused with \(code)"])
  }
}
