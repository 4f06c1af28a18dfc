import BumpWire

/// The sessions that others wait for: attempts at the digits, and senders that take too long.
extension ReceiverBump {
  /// Whether somebody may compare digits, here or at the other end, which we cannot know. A `keepReceiving` that asks
  /// nobody could not go on if attempts counted; it shows no digits.
  var showsDigits: Bool { policy.asks || !policy.keeps }

  /// Whether `attempts` counts: not with a code, since every attempt is a guess at it, and `tried` counts those.
  var countsAttempts: Bool { showsDigits && credential.mode != .code }

  /// Sends NOISE_1 to the next sender that waits for an attempt. Pauses connecting while other senders wait, except in a
  /// receive that goes on: there, further senders are told their places.
  mutating func beginAttempt(at now: Moment) -> [Action] {
    guard countsAttempts else { return connector.resume(at: now).map(Action.connector) }
    var actions: [Action] = []
    if let next = attempts.next(at: now) {
      actions += forward(.proceed, to: next, at: now)
      if attempts.isSpent, !policy.keeps {
        // The session of the last attempt may finish.
        actions +=
          stopSearching(.interference, at: now) + dismiss(.busy, at: now) { $0.isOpening && $0.dueSince == nil }
      }
    }
    // Another session of the same host may have had an attempt meanwhile.
    for id in attempts.line { actions += deferIfSpent(id, at: now) }
    actions += tellSpent(at: now)
    guard attempts.isFree || policy.keeps else {
      connector.pause()
      return actions
    }
    return actions + connector.resume(at: now).map(Action.connector)
  }

  /// Reports once that all attempts are used and until when the receive pauses.
  mutating func tellSpent(at now: Moment) -> [Action] {
    guard attempts.isSpent, attempts.outstanding == nil, let end = attempts.forgetting, end != toldUntil else {
      return []
    }
    toldUntil = end
    let (declined, failed) = attempts.results
    return [.event(.paused(declined: declined, failed: failed, seconds: Int((end - now).components.seconds)))]
  }

  /// Ends a session that waits if its sender may have no attempt now, and reports for how long. The connection alone
  /// tells the sender that somebody is here.
  mutating func deferIfSpent(_ id: ConnectionID, at now: Moment) -> [Action] {
    guard let connection = connections[id], !attempts.mayAttempt(connection.sender, connection.peer.host),
      let end = attempts.readmission(of: connection.sender, connection.peer.host)
    else { return [] }
    let seconds = (end - now).components
    let event = ReceiveEvent.deferred(
      name: connection.sender.instanceName, peer: connection.peer.name,
      seconds: Int(seconds.seconds) + (seconds.attoseconds > 0 ? 1 : 0))
    guard let removed = remove(id) else { return [] }
    attempts.ended(id, isGivenBack: false, isDeclined: false, at: now)
    let outputs = connector.sessionEnded(connection.sender, .never, at: now)
    // A sender that was lost meanwhile is found again if it comes back.
    if connector.isNear(connection.sender) { deferred[connection.sender] = connection.peer.host }
    return removed.actions + [.event(event)] + outputs.map(Action.connector)
  }

  /// Tries the senders that were held back and may have an attempt now.
  mutating func readmit(at now: Moment) -> [Action] {
    let ids = deferred.filter { attempts.mayAttempt($0.key, $0.value) }.map(\.key)
    guard phase.closing == nil, !ids.isEmpty else { return [] }
    for id in ids { deferred[id] = nil }
    return connector.readmit(ids, at: now).map(Action.connector)
  }

  /// Whether another sender has made an offer, or waits to make one.
  var isAnotherWaiting: Bool {
    if !queue.isEmpty { return true }
    guard countsAttempts, phase.closing == nil, !attempts.isSpent else { return false }
    return attempts.hasWaiting || connector.reachable.contains { attempts.isFresh($0) }
  }

  /// The session that others wait for, and since when we wait for its offer or claim.
  var awaited: (id: ConnectionID, since: Moment)? {
    guard let id = chosen ?? attempts.outstanding else { return nil }
    return connections[id]?.session.dueSince.map { (id, $0) }
  }

  /// When others stop waiting for that session.
  var yieldDeadline: Moment? {
    guard let awaited, isAnotherWaiting else { return nil }
    // A sender on a host that did not answer before gets no extra time while another host's offer waits.
    let isLast = isSilent(awaited.id) && queue.contains { !isSilent($0) }
    return isLast ? awaited.since : awaited.since + Times.grace
  }

  /// The session whose offer is decided next: the first one in the queue, offers from silent hosts last.
  var nextInQueue: ConnectionID? { queue.first { !isSilent($0) } ?? queue.first }

  func isSilent(_ id: ConnectionID) -> Bool {
    connections[id]?.peer.place.map { connector.silent.contains($0) } ?? false
  }

  /// Notes whether the sender of an ended session did not answer. A received claim clears its host.
  mutating func noteSilence(of peer: Peer, _ ending: ReceiverSession.Ending, at now: Moment) {
    guard let place = peer.place else { return }
    switch ending {
    case .received: connector.silent.remove(place)
    case .failed(.timedOut), .failed(.unansweredThere): connector.silent.add(place, at: now)
    default: break
    }
  }

  /// Lets another sender go on if the current one does not answer. The current session stays open until its time limit:
  /// if its claim comes, or is on its way, it is taken.
  mutating func yieldTurn(at now: Moment) -> [Action] {
    guard let awaited, let end = yieldDeadline, now >= end, let connection = connections[awaited.id] else {
      return []
    }
    if let place = connection.peer.place, now >= awaited.since + Times.grace { connector.silent.add(place, at: now) }
    attempts.yieldTurn(awaited.id, at: now)
    if chosen == awaited.id { chosen = nil }
    guard !connection.hasGivenWay else { return [] }
    connections[awaited.id]?.hasGivenWay = true
    return connector.sessionEnded(connection.sender, .never, at: now).map(Action.connector)
  }
}
