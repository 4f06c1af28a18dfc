import BumpMultipeer
import Foundation

/// Messages, streams and resources.
extension SessionEngine {
  /// Sends the frames queued for a member, as long as its connection takes them. Call it under the lock.
  func pump(_ peer: Peer) {
    guard !isHandling else { return _ = waiting.insert(peer) }
    while hasRoom(peer), let step = traffic[peer]?.outbox.next() {
      switch step {
      case .send(let frame): handle(.send(peer, frame))
      case .read(let id):
        guard let resource = traffic[peer]?.outgoingResources[id] else { break }
        if let stop = node.faults?.resourceStop, resource.isSent(percent: stop) { break }
        resource.read()
      }
    }
  }

  /// Handles a frame from a member. Expels the member if the frame breaks the protocol. Call it under the lock.
  func took(_ frame: LinkFrame, from peer: Peer) {
    guard traffic[peer]?.isExpelled == false else { return }
    do {
      guard let event = try traffic[peer]?.inbox.handle(frame) else { return }
      try traffic[peer]?.outbox.check(event)
      took(event, from: peer)
    } catch {
      traffic[peer]?.isExpelled = true
      handle(.expel(peer))
    }
  }

  private func took(_ event: Inbox.Event, from peer: Peer) {
    switch event {
    case .message(let bytes, _): tell(.message(peer, bytes))
    case .stream(let id, let name):
      let stream = IncomingStream(
        onRead: { [weak self] count in self?.read(count, of: id, from: peer) },
        onWait: { [weak self] begins in self?.wait(begins, for: peer) },
        onClose: { [weak self] in self?.stop(id, from: peer) })
      traffic[peer]?.incomingStreams[id] = stream
      tell(.stream(peer, name: name, UncheckedSendable(stream)))
    case .resource(let id, let name, let size):
      let resource = IncomingResource(name: name, size: size) { [weak self] in self?.stop(id, from: peer) }
      traffic[peer]?.incomingResources[id] = resource
      tell(.resourceBegan(peer, resource))
    case .part(let id, let bytes):
      traffic[peer]?.incomingStreams[id]?.received(bytes)
      guard let resource = traffic[peer]?.incomingResources[id], !resource.write(bytes) else { return }
      // The disk may be full. The rest of the resource is of no use.
      end(id, from: peer, with: MCError(.unknown, "The file cannot be written."))
      stop(id, from: peer)
    case .end(let id):
      traffic[peer]?.incomingStreams.removeValue(forKey: id)?.ended()
      guard traffic[peer]?.incomingResources[id] != nil else { return }
      end(id, from: peer, with: nil)
      traffic[peer]?.outbox.say(.transfer(id, .received))
      pump(peer)
    case .cancelled(let id):
      traffic[peer]?.incomingStreams.removeValue(forKey: id)?.ended(MCError(.cancelled))
      end(id, from: peer, with: MCError(.cancelled))
    case .stopped(let id):
      traffic[peer]?.outbox.stopped(id)
      traffic[peer]?.outgoingStreams.removeValue(forKey: id)?.ended(nil)
      traffic[peer]?.outgoingResources.removeValue(forKey: id)?.ended(MCError(.cancelled))
    case .credit(let id, let count):
      traffic[peer]?.outbox.credit(count, of: id)
      traffic[peer]?.outgoingStreams[id]?.hasRoom(for: Int(count))
      pump(peer)
    case .received(let id):
      traffic[peer]?.outgoingResources.removeValue(forKey: id)?.ended(nil)
    }
  }

  /// Ends a resource that was being received, and reports that to the program.
  private func end(_ id: TransferID, from peer: Peer, with error: (any Error)?) {
    guard let resource = traffic[peer]?.incomingResources.removeValue(forKey: id) else { return }
    resource.finish()
    tell(.resourceEnded(peer, resource, error))
  }

  private func read(_ count: Int, of id: TransferID, from peer: Peer) {
    lock.withLock {
      guard let frame = traffic[peer]?.inbox.consumed(count, of: id) else { return }
      traffic[peer]?.outbox.say(frame)
      pump(peer)
    }
  }

  private func stop(_ id: TransferID, from peer: Peer) {
    lock.withLock {
      traffic[peer]?.incomingStreams[id] = nil
      end(id, from: peer, with: MCError(.cancelled))
      guard let frame = traffic[peer]?.inbox.stop(id) else { return }
      traffic[peer]?.outbox.say(frame)
      pump(peer)
    }
  }

  /// Ends the streams of a member that is gone, before its state is reported. Call it under the lock.
  func drop(_ peer: Peer) -> Traffic? {
    guard let gone = traffic.removeValue(forKey: peer) else { return nil }
    let error = Self.gone(peer)
    for stream in inOrder(gone.incomingStreams) { stream.ended(error) }
    for stream in inOrder(gone.outgoingStreams) { stream.ended(error) }
    return gone
  }

  /// Returns transfers in the order in which they were opened: that of a dictionary differs in each process.
  private func inOrder<Transfer>(_ transfers: [TransferID: Transfer]) -> [Transfer] {
    transfers.sorted { $0.key < $1.key }.map(\.value)
  }

  private static func gone(_ peer: Peer) -> MCError { MCError(.notConnected, "Peers (\(peer.name)) not connected") }

  /// Ends the resources of a member that is gone, after its state was reported. Call it under the lock.
  func drop(resourcesOf gone: Traffic, _ peer: Peer) {
    let error = Self.gone(peer)
    for resource in inOrder(gone.outgoingResources) { resource.ended(error) }
    for resource in inOrder(gone.incomingResources) {
      resource.finish()
      tell(.resourceEnded(peer, resource, error))
    }
  }

  // MARK: Calls of the program

  /// Opens a stream to a member; `nil` if the member is not connected.
  func openStream(_ name: String, to peer: Peer) -> OutgoingStream? {
    lock.withLock {
      guard let id = traffic[peer]?.outbox.openStream(name) else { return nil }
      let stream = OutgoingStream(
        send: { [weak self] bytes in self?.write(bytes, to: id, of: peer) },
        onWait: { [weak self] begins in self?.wait(begins, for: peer) },
        onClose: { [weak self] in self?.close(id, to: peer) })
      traffic[peer]?.outgoingStreams[id] = stream
      pump(peer)
      return stream
    }
  }

  private func write(_ bytes: [UInt8], to id: TransferID, of peer: Peer) {
    lock.withLock {
      traffic[peer]?.outbox.write(bytes, to: id)
      pump(peer)
    }
  }

  private func close(_ id: TransferID, to peer: Peer) {
    lock.withLock {
      traffic[peer]?.outgoingStreams[id] = nil
      traffic[peer]?.outbox.end(id)
      pump(peer)
    }
  }

  /// Begins to send a resource to a member; `false` if the member is not connected.
  func open(_ resource: OutgoingResource, to peer: Peer) -> Bool {
    lock.withLock {
      guard let id = traffic[peer]?.outbox.openResource(resource.name, size: resource.size) else { return false }
      traffic[peer]?.outgoingResources[id] = resource
      resource.begin { [weak self] event in self?.read(event, of: id, to: peer) }
      pump(peer)
      return true
    }
  }

  private func read(_ event: OutgoingResource.Event, of id: TransferID, to peer: Peer) {
    lock.withLock {
      guard traffic[peer]?.outgoingResources[id] != nil else { return }
      switch event {
      case .part(let bytes): traffic[peer]?.outbox.part(bytes, of: id)
      case .end: traffic[peer]?.outbox.end(id)
      case .failed(let error):
        traffic[peer]?.outbox.cancel(id)
        traffic[peer]?.outgoingResources.removeValue(forKey: id)?.ended(error)
      }
      pump(peer)
    }
  }
}
