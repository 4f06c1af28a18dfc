import BumpDiscovery
import BumpWire

/// The queue of a receive that goes on: the senders that wait while others are served are told their places.
extension ReceiverBump {
  /// Returns whether another session with a host may begin, and wait for an attempt: one host must not take the whole
  /// queue. A host that is not known, as on this machine, has no such limit.
  func hasRoom(for host: RemoteHost?) -> Bool {
    guard policy.keeps, countsAttempts, let host else { return true }
    let opening = connections.values.count { $0.peer.host == host && $0.session.isOpening }
    return opening < Int(WireLimits.places.upperBound) / 2
  }

  /// The sessions that wait, in the order in which they are served: first the offers, those from silent hosts last; then
  /// the sessions that wait for an attempt. A session that has its attempt while another offer is being decided comes
  /// between them. It is in its handshake, and cannot be told its place.
  private var line: [ConnectionID] {
    let offers = queue.filter { !isSilent($0) } + queue.filter { isSilent($0) }
    let next = chosen == nil ? nil : attempts.outstanding
    let inHandshake = [next].compactMap(\.self).filter { $0 != chosen && !queue.contains($0) }
    return offers + inHandshake + attempts.line
  }

  /// Tells the sessions that wait their places. A sender beyond the last place learns nothing, and is tried again.
  mutating func tellPlaces(at now: Moment) -> [Action] {
    guard policy.keeps else { return [] }
    if case .finished = phase { return [] }
    var actions: [Action] = []
    for (place, id) in zip(WireLimits.places, line) {
      // A session must not end here, after `advance`. The session's own `.deadline` follows at once.
      if let deadline = connections[id]?.session.deadline, deadline <= now { continue }
      actions += forward(.placed(place), to: id, at: now)
    }
    return actions + reportQueue()
  }

  /// Reports the senders that have left the queue, and those that were told that they wait.
  private mutating func reportQueue() -> [Action] {
    var actions: [Action] = []
    for id in queued.keys.sorted() where connections[id]?.session.isQueued != true {
      guard let sender = queued.removeValue(forKey: id) else { continue }
      actions.append(.event(.unqueued(sender, waiting: queued.count, hasTurn: connections[id] != nil)))
    }
    for id in line where queued[id] == nil {
      guard let connection = connections[id], connection.session.isQueued else { continue }
      let sender = QueuedSender(name: connection.sender.instanceName, peer: connection.peer.name)
      queued[id] = sender
      actions.append(.event(.queued(sender, waiting: queued.count)))
    }
    return actions
  }
}
