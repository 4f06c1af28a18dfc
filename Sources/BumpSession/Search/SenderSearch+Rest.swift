import BumpDiscovery

/// How a turn ends in which nothing answered: the sender rests, and is asked about further or not.
extension SenderSearch {
  mutating func rest(_ sender: inout SearchedSender, _ id: SenderID, at now: Moment) -> [Output] {
    if !sender.addresses.connections.isEmpty { note(id, at: sender.addresses.shown?.description, .connectTimedOut) }
    let outputs = sender.isResolving && sender.addresses.isEmpty ? linger(sender, id) : stop(&sender, id)
    sender.rounds += 1
    active.remove(id)
    sender.phase = .resting(until: resting.add(id, round: round(of: sender), at: now))
    return outputs
  }

  /// Goes on asking about a sender, in place of the one asked about longest where there are too many. To stop takes as
  /// long as to ask, and a daemon that is too busy to answer in time is kept busier by it.
  mutating func linger(_ sender: SearchedSender, _ id: SenderID) -> [Output] {
    lingering.append((id, sender.order))
    guard lingering.count > Self.maximumLingering else { return [] }
    let (first, order) = lingering.removeFirst()
    guard var longest = senders[first], longest.order == order, !active.contains(first) else { return [] }
    let outputs = stop(&longest, first)
    senders[first] = longest
    return outputs
  }

  /// Keeps what has become of a sender, but not of one that is gone and could not be tried again; in a long search not of
  /// one that is done either.
  mutating func note(_ sender: SearchedSender, as id: SenderID) {
    let isGone = isGone(sender, id)
    switch sender.phase {
    case .resting where isGone, .done where isGone && isLong: senders[id] = nil
    default: senders[id] = sender
    }
  }

  mutating func stop(_ sender: inout SearchedSender, _ id: SenderID) -> [Output] {
    let (wasResolving, tries) = sender.stop()
    for connection in tries { owners[connection] = nil }
    return (wasResolving ? [.stopResolving(id)] : []) + tries.map { .cancelConnecting($0) }
  }
}
