import BumpDiscovery
import BumpMultipeer
import Foundation

/// Announces a peer, and passes invitations to its program.
final class Advertiser: @unchecked Sendable {
  /// How long `stop` waits until browsers have been informed: the time to send a packet or two.
  private static let farewell: DispatchTimeInterval = .milliseconds(250)

  let peer: Peer
  private let node: PeerNode
  private let info: PeerInfo
  private let type: ServiceType
  private let queue: DispatchQueue
  private let onInvitation: @Sendable (Invitation, @escaping @Sendable (Acceptance?) -> Void) -> Void
  private let onFailure: @Sendable (any Error) -> Void
  private let lock = NSLock()
  private var task: Task<Void, Never>?
  /// The task of the advertisement before, which is ending.
  private var previous: Task<Void, Never>?
  private var starts = 0

  init(
    _ peer: Peer, _ info: PeerInfo, _ type: ServiceType, of node: PeerNode, on queue: DispatchQueue,
    onInvitation: @escaping @Sendable (Invitation, @escaping @Sendable (Acceptance?) -> Void) -> Void,
    onFailure: @escaping @Sendable (any Error) -> Void
  ) {
    (self.peer, self.info, self.type, self.node, self.queue) = (peer, info, type, node, queue)
    (self.onInvitation, self.onFailure) = (onInvitation, onFailure)
  }

  deinit { task?.cancel() }

  /// Starts to advertise. A repeated start does nothing.
  func start() {
    lock.withLock {
      guard task == nil else { return }
      starts += 1
      if let refusal = node.faults?.begins(.advertising, peer) {
        return refusal.code.map { onFailure(NSError(refusalOfDiscovery: $0)) } ?? ()
      }
      node.add(self)
      // The discovery calls `end` once the advertisement has begun.
      node.environment.begin()
      // The instance name is free again only when the advertisement before has ended.
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

  /// Stops advertising, and waits up to 250 ms until browsers have been informed: the process may be about to exit.
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

  func invited(_ invitation: Invitation, answer: @escaping @Sendable (Acceptance?) -> Void) {
    guard let faults = node.faults else {
      return node.run(on: queue) { [onInvitation] in onInvitation(invitation, answer) }
    }
    let isBusy = node.sessions(of: peer).contains(where: \.receivesResource)
    guard faults.arrives(at: peer, isBusy: isBusy) else { return }
    let earliest = node.now + faults.delay(ofAnswerBy: peer)
    node.run(on: queue) { [node, peer, onInvitation] in
      onInvitation(invitation) { acceptance in
        node.environment.schedule(at: earliest, for: peer.id) { answer(acceptance) }
      }
    }
  }

  /// Reports a failure. After it, the advertiser can be started again.
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
  /// Makes an error of discovery as Apple's framework reports it: with NSNetServices's code for a name that is taken,
  /// or its code for all other errors, and with the cause as the underlying error.
  convenience init(_ error: any Error) {
    let isTaken = (error as? DiscoveryError)?.code == .nameTaken
    self.init(
      domain: "NSNetServicesErrorDomain", code: isTaken ? -72001 : -72000,
      userInfo: [NSLocalizedDescriptionKey: "\(error)", NSUnderlyingErrorKey: error])
  }

  /// Makes the error of a host that may not use its network, with this code.
  convenience init(refusalOfDiscovery code: Int) {
    self.init(
      domain: "NSNetServicesErrorDomain", code: code,
      userInfo: [NSLocalizedDescriptionKey: "SIMULATED: discovery is refused with \(code)"])
  }
}
