import BumpDiscovery

/// The order of turns: to be resolved, and then to be connected to.
extension SenderConnector {
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

  /// Returns the next sender to connect to, if there is room for a connection. Senders with the fewest turns come
  /// first. Among them, the newest and the oldest alternate. So each of any number of unresponsive hosts has one turn
  /// before any has two. Senders on silent hosts come last, and get at most half of the connections. No address gets
  /// more than one connection at a time, however many names lead to it.
  func nextReachable() -> SenderID? {
    guard !isHeld, !isPaused, busy < Self.maximumConnections else { return nil }
    let isFull = busy >= Self.maximumConnections / 2
    let connecting = active.compactMap { senders[$0] }.filter(\.isConnecting)
    let taken = Set(inSession.values).union(
      connecting.flatMap { $0.addresses.connections.values + [$0.addresses.shown].compactMap(\.self) })
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

  /// Whether the address to try next belongs to a silent host.
  private func isSilent(_ sender: TrackedSender) -> Bool {
    sender.addresses.shown.map { silent.contains($0.host) } ?? false
  }

  mutating func enqueue(_ id: SenderID) {
    guard let sender = senders[id] else { return }
    senders[id]?.phase = .waiting
    schedule.wait(
      id, order: sender.order, round: sender.rounds, among: senders.count, unless: { [senders] in isStale($0, senders) }
    )
  }

  /// Removes and returns the next sender to resolve, if there is room for it.
  mutating func nextWaiting() -> SenderID? {
    guard resolvingCount < Self.maximumResolving else { return nil }
    return schedule.next(
      where: { [only] entry in only == nil || only == entry.id }, unless: { [senders] in isStale($0, senders) })
  }

  func isBefore(_ left: SenderID, _ right: SenderID) -> Bool {
    guard let left = senders[left], let right = senders[right] else { return false }
    return (left.rounds, right.order) < (right.rounds, left.order)
  }

  mutating func begin(_ id: SenderID, at now: Moment) -> [Output] {
    guard var sender = senders[id] else { return [] }
    defer { senders[id] = sender }
    // Discovery repeats a lost query only after a second; resolving anew sends one at once.
    let outputs = stop(&sender, id)
    active.insert(id)
    sender.begin(isGiven: id == .peer, at: now)
    // A sender whose address was given has no routes.
    return outputs + sender.routes.map { .resolve(id, $0) }
  }

  /// Tries the next address, if it is due.
  mutating func attempt(_ sender: inout TrackedSender, _ id: SenderID, at now: Moment) -> [Output] {
    guard let endpoint = sender.addresses.next(at: now) else { return [] }
    let connection = next()
    owners[connection] = id
    sender.addresses.started(connection, at: now)
    return [.connect(connection, endpoint)]
  }

  /// The number of connections in use or being made.
  var busy: Int { active.count { senders[$0]?.isConnecting == true } + inSession.count }

  var resolvingCount: Int {
    active.count { senders[$0].map { $0.isResolving && !$0.isReachable } == true }
  }

  /// Whether the sender is no longer announced.
  func isGone(_ sender: TrackedSender, _ id: SenderID) -> Bool { sender.routes.isEmpty && id != .peer }

  func isWanted(_ id: SenderID) -> Bool { only == nil || only == id }

  mutating func next() -> Int {
    counter += 1
    return counter
  }
}

/// Whether an entry of the schedule is of a sender that waits no longer, or of another one of its name.
private func isStale(
  _ entry: ResolvingSchedule<SenderConnector.SenderID>.Waiting, _ senders: [SenderConnector.SenderID: TrackedSender]
) -> Bool {
  guard let sender = senders[entry.id], case .waiting = sender.phase else { return true }
  return sender.order != entry.order
}
