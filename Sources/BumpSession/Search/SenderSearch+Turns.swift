import BumpDiscovery

/// Whose turn is next: to be resolved, and then to be connected to.
extension SenderSearch {
  mutating func proceed(at now: Moment) -> [Output] {
    guard !isStopped else { return [] }
    var outputs: [Output] = []
    while let id = nextWaiting() { outputs += begin(id, at: now) }
    while let id = nextReachable() {
      senders[id]?.beginConnecting(at: now)
      connectingTurns += 1
    }
    for id in active.sorted(by: { isBefore($0, $1) }) {
      guard var sender = senders[id], sender.isConnecting else { continue }
      outputs += attempt(&sender, id, at: now)
      senders[id] = sender
    }
    return outputs
  }

  /// The next to be connected to, if there is room for it: of those that were so least often, by turns the one that was
  /// told of last and the one that was told of first. However many hosts there are that hang, each has one turn before any
  /// has two. Those of silent hosts come last, and have half of the connections at most. Nor does one address have more
  /// than one, however many names lead to it.
  func nextReachable() -> SenderID? {
    guard !isHeld, !isPaused, busy < Self.maximumConnections else { return nil }
    let isFull = busy >= Self.maximumConnections / 2
    let taken = Set(
      active.compactMap { senders[$0] }.filter(\.isConnecting)
        .flatMap { $0.addresses.connections.values + [$0.addresses.shown].compactMap(\.self) })
    let candidates = reachable.compactMap { id in
      senders[id].flatMap { sender in
        sender.addresses.shown.map(taken.contains) == true
          ? nil : (id: id, isLast: isSilent(sender), turns: sender.turns, order: sender.order)
      }
    }
    let takesLast = connectingTurns.isMultiple(of: 2)
    return candidates.filter { !$0.isLast || !isFull }.min { left, right in
      (left.isLast ? 1 : 0, left.turns, takesLast ? right.order : left.order)
        < (right.isLast ? 1 : 0, right.turns, takesLast ? left.order : right.order)
    }?.id
  }

  /// Whether the address that would be tried next is a silent host's.
  private func isSilent(_ sender: SearchedSender) -> Bool {
    sender.addresses.shown.map { silent.contains($0.host) } ?? false
  }

  mutating func enqueue(_ id: SenderID) {
    guard let sender = senders[id] else { return }
    senders[id]?.phase = .waiting
    waiting.add(id, order: sender.order, round: round(of: sender))
  }

  /// Takes the next whose turn it is, if there is room for it.
  mutating func nextWaiting() -> SenderID? {
    guard resolvingCount < Self.maximumResolving else { return nil }
    return waiting.next(
      where: { [only] entry in only?.contains(entry.id) ?? true },
      unless: { [senders] entry in
        guard let sender = senders[entry.id], case .waiting = sender.phase else { return true }
        return sender.order != entry.order
      })
  }

  func isBefore(_ left: SenderID, _ right: SenderID) -> Bool {
    guard let left = senders[left], let right = senders[right] else { return false }
    return (left.rounds, right.order) < (right.rounds, left.order)
  }

  func round(of sender: SearchedSender) -> Int { min(sender.rounds, lastRound) }

  mutating func begin(_ id: SenderID, at now: Moment) -> [Output] {
    guard var sender = senders[id] else { return [] }
    defer { senders[id] = sender }
    // Asked anew rather than further: a question that was lost is not repeated for a second.
    let outputs = stop(&sender, id)
    active.insert(id)
    sender.begin(isGiven: id == .peer, at: now)
    // A peer that was given has no routes.
    return outputs + sender.routes.map { .resolve(id, $0) }
  }

  /// Tries the next address, where it is due.
  mutating func attempt(_ sender: inout SearchedSender, _ id: SenderID, at now: Moment) -> [Output] {
    guard let endpoint = sender.addresses.next(at: now) else { return [] }
    let connection = next()
    owners[connection] = id
    sender.addresses.started(connection, at: now)
    return [.connect(connection, endpoint)]
  }

  /// Connections that are being made or held.
  var busy: Int { active.count { senders[$0]?.isConnecting == true } + inSession }

  var resolvingCount: Int {
    active.count { senders[$0].map { $0.isResolving && !$0.isReachable } == true }
  }

  /// Whether nobody announces it any more.
  func isGone(_ sender: SearchedSender, _ id: SenderID) -> Bool { sender.routes.isEmpty && id != .peer }

  func isWanted(_ id: SenderID) -> Bool { only?.contains(id) ?? true }

  mutating func next() -> Int {
    counter += 1
    return counter
  }
}
