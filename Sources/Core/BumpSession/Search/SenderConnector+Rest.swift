import BumpDiscovery

/// The end of a turn without an answer: the sender pauses, and may still be resolved meanwhile.
extension SenderConnector {
  mutating func rest(_ sender: inout TrackedSender, _ id: SenderID, at now: Moment) -> [Output] {
    if !sender.addresses.connections.isEmpty { note(id, at: sender.addresses.shown?.description, .connectTimedOut) }
    let outputs = sender.isResolving && sender.addresses.isEmpty ? linger(sender, id) : stop(&sender, id)
    sender.rounds += 1
    active.remove(id)
    sender.phase = .resting(until: schedule.rest(id, round: sender.rounds, at: now))
    return outputs
  }

  /// Continues to resolve a sender after its turn. If too many are resolved in this way, stops the one that was for the
  /// longest time. Stopping costs a daemon as much as starting, and would keep a daemon busier that is already too busy
  /// to answer in time.
  mutating func linger(_ sender: TrackedSender, _ id: SenderID) -> [Output] {
    lingering.append((id, sender.order))
    guard lingering.count > Self.maximumLingering else { return [] }
    let (first, order) = lingering.removeFirst()
    guard var longest = senders[first], longest.order == order, !active.contains(first) else { return [] }
    let outputs = stop(&longest, first)
    senders[first] = longest
    return outputs
  }

  /// Keeps the state of a sender, unless the sender has gone and cannot be tried again. A long search does not keep
  /// senders that have gone and are done either.
  mutating func note(_ sender: TrackedSender, as id: SenderID) {
    let isGone = isGone(sender, id)
    switch sender.phase {
    case .resting where isGone, .done where isGone && isLong: senders[id] = nil
    default: senders[id] = sender
    }
  }

  mutating func stop(_ sender: inout TrackedSender, _ id: SenderID) -> [Output] {
    let (wasResolving, tries) = sender.stop()
    for connection in tries { owners[connection] = nil }
    return (wasResolving ? [.stopResolving(id)] : []) + tries.map { .cancelConnecting($0) }
  }
}
