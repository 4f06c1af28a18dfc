import BumpDiscovery

/// Who of those that were found is tried at all, and when.
extension SenderSearch {
  /// A sender is not the one that is meant, by its record.
  ///
  /// - Returns: whether that is new, and what follows.
  mutating func passOver(_ id: SenderID, at now: Moment) -> (isNew: Bool, [Output]) {
    guard let sender = senders[id] else { return (false, []) }
    let isNew = !sender.isPassedOver
    senders[id]?.isPassedOver = true
    note(id, at: sender.addresses.shown?.description, .passedOver)
    return (isNew, dismiss(id, at: now))
  }

  /// A sender is not wanted.
  mutating func dismiss(_ id: SenderID, at now: Moment) -> [Output] {
    guard var sender = senders[id] else { return [] }
    if sender.isInSession { return [] }
    let outputs = stop(&sender, id)
    sender.phase = .done
    // Who is gone may come back.
    senders[id] = isGone(sender, id) ? nil : sender
    active.remove(id)
    return outputs + proceed(at: now)
  }

  /// Begins no connections until `resume`. Those that are being made go on.
  mutating func pause() { isPaused = true }

  mutating func resume(at now: Moment) -> [Output] {
    guard isPaused else { return [] }
    isPaused = false
    return proceed(at: now)
  }

  /// From now on nobody is connected to, and anybody may be later.
  mutating func hold(at now: Moment) -> [Output] {
    isHeld = true
    only = nil
    return proceed(at: now)
  }

  /// From now on these alone are tried, or anybody where nobody is named.
  mutating func release(only ids: Set<SenderID>? = nil, at now: Moment) -> [Output] {
    isHeld = false
    only = ids
    var outputs: [Output] = []
    if let ids {
      for id in active.subtracting(ids).sorted(by: { isBefore($0, $1) }) {
        guard var sender = senders[id] else { continue }
        outputs += stop(&sender, id)
        senders[id] = sender
        active.remove(id)
        enqueue(id)
      }
    }
    return outputs + proceed(at: now)
  }

  /// All that are known are tried anew, as if they had just been found.
  mutating func restart(at now: Moment) -> [Output] {
    for (id, sender) in senders.sorted(by: { $0.value.order < $1.value.order }) {
      guard sender.isDone else { continue }
      if isGone(sender, id) {
        senders[id] = nil
        continue
      }
      senders[id]?.rounds = 0
      senders[id]?.turns = 0
      senders[id]?.sessions = 0
      senders[id]?.isPassedOver = false
      enqueue(id)
    }
    isStopped = false
    return proceed(at: now)
  }

  /// Those that are done among these are tried again.
  mutating func readmit(_ ids: [SenderID], at now: Moment) -> [Output] {
    for id in ids.sorted(by: { isBefore($0, $1) }) where senders[id]?.isDone == true { enqueue(id) }
    return proceed(at: now)
  }

  /// Nobody is tried any more.
  ///
  /// - Parameter isTimeUp: whether those that are being connected to have had their time.
  mutating func stopAll(isTimeUp: Bool = false) -> [Output] {
    noteUnconnected(isTimeUp: isTimeUp)
    var outputs: [Output] = []
    for id in senders.keys {
      guard var sender = senders[id] else { continue }
      outputs += stop(&sender, id)
      if !sender.isInSession { sender.phase = .done }
      senders[id] = sender
    }
    active = []
    resting.removeAll()
    isStopped = true
    return outputs
  }
}
