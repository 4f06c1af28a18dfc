/// Which session goes on while others wait: draws of digits, and senders that give way.
extension ReceiverBump {
  /// Whether somebody may compare digits: here, or at the other end, which we cannot know. Where a code or a key tells who
  /// is there, they tell nothing more. A receive that goes on and asks nobody could not go on so; it shows no digits.
  var countsDraws: Bool { credential == .none && (policy.asks || !policy.keeps) }

  /// Lets the next welcomed sender see our key, and nobody be connected to while others wait for theirs.
  mutating func draw(at now: Moment) -> [Action] {
    guard countsDraws, !isFinished else { return search.resume(at: now).map(Action.search) }
    var actions: [Action] = []
    if let next = draws.next(at: now) {
      actions += forward(.proceed, to: next, at: now)
      if draws.isSpent, !policy.keeps {
        // The last one may finish.
        actions +=
          stopSearching(.interference, at: now) + dismiss(.busy, at: now) { $0.isOpening && $0.owedSince == nil }
      }
    }
    actions += tellSpent(at: now)
    guard draws.isFree else {
      search.pause()
      return actions
    }
    return actions + search.resume(at: now).map(Action.search)
  }

  /// Says once that nobody is met for a while, in a search that goes on after that.
  mutating func tellSpent(at now: Moment) -> [Action] {
    guard draws.isSpent, draws.outstanding == nil, let end = draws.forgetting, end != toldUntil else { return [] }
    toldUntil = end
    return [.event(.interference(seconds: Int((end - now).components.seconds)))]
  }

  /// Whether another sender has an offer, or waits to make one.
  var isAnotherWaiting: Bool {
    if !queue.isEmpty { return true }
    guard countsDraws, closing == nil, !draws.isSpent else { return false }
    return draws.hasWaiting || search.reachable.contains { draws.isFresh($0) }
  }

  /// The session that others wait for, and since when it owes us something.
  var debtor: (id: ConnectionID, since: Moment)? {
    guard let id = chosen ?? draws.outstanding else { return nil }
    return sessions[id]?.session.owedSince.map { (id, $0) }
  }

  /// When that session gives way.
  var wayDeadline: Moment? {
    guard let debtor, isAnotherWaiting else { return nil }
    return debtor.since + Times.grace
  }

  /// A sender that does not go on gives way to one that waits. Its session lives on until its time is up: should its claim
  /// come, or be on its way, it is taken.
  mutating func giveWay(at now: Moment) -> [Action] {
    guard let debtor, let end = wayDeadline, now >= end, let sender = sessions[debtor.id]?.sender else { return [] }
    draws.giveWay(debtor.id, at: now)
    if chosen == debtor.id { chosen = nil }
    guard outstayed.insert(debtor.id).inserted else { return [] }
    return search.sessionEnded(sender, .never, at: now).map(Action.search)
  }
}
