import BumpDiscovery

/// The senders that may be tried, and when.
extension SenderConnector {
  /// Passes a sender over because of its record.
  ///
  /// - Returns: whether the sender was not passed over before, and the outputs that follow.
  mutating func passOver(_ id: SenderID, at now: Moment) -> (isNew: Bool, [Output]) {
    guard let sender = senders[id] else { return (false, []) }
    let isNew = !sender.isPassedOver
    senders[id]?.isPassedOver = true
    note(id, at: sender.addresses.shown?.description, .passedOver)
    return (isNew, dismiss(id, at: now))
  }

  /// Tries a sender no longer.
  mutating func dismiss(_ id: SenderID, at now: Moment) -> [Output] {
    guard var sender = senders[id] else { return [] }
    if sender.isInSession { return [] }
    let outputs = stop(&sender, id)
    sender.phase = .done
    // A sender that has gone may come back.
    senders[id] = isGone(sender, id) ? nil : sender
    active.remove(id)
    return outputs + proceed(at: now)
  }

  /// Begins no new connections until `resume`. Attempts in progress continue.
  mutating func pause() { isPaused = true }

  mutating func resume(at now: Moment) -> [Output] {
    guard isPaused else { return [] }
    isPaused = false
    return proceed(at: now)
  }

  /// Begins no connections until `release`. Any sender may be tried after that.
  mutating func hold(at now: Moment) -> [Output] {
    isHeld = true
    only = nil
    return proceed(at: now)
  }

  /// Tries only this sender from now on; every sender if it is `nil`.
  mutating func release(only chosen: SenderID? = nil, at now: Moment) -> [Output] {
    isHeld = false
    only = chosen
    var outputs: [Output] = []
    if let chosen {
      for id in active.subtracting([chosen]).sorted(by: { isBefore($0, $1) }) {
        guard var sender = senders[id] else { continue }
        outputs += stop(&sender, id)
        senders[id] = sender
        active.remove(id)
        enqueue(id)
      }
    }
    return outputs + proceed(at: now)
  }

  /// Tries all known senders again, as if they had just been found.
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

  /// Tries those of these senders again that are done.
  mutating func readmit(_ ids: [SenderID], at now: Moment) -> [Output] {
    for id in ids.sorted(by: { isBefore($0, $1) }) where senders[id]?.isDone == true { enqueue(id) }
    return proceed(at: now)
  }

  /// Stops trying senders.
  ///
  /// - Parameter isTimeUp: whether connection attempts in progress have had their full time.
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
    schedule.wakeNobody()
    isStopped = true
    return outputs
  }
}
