/// The clocks of a link: when to send a ping, and when a time limit is over.
struct LinkClocks: Sendable {
  private let times: LinkTimes
  /// Until when an invited peer may answer; `nil` for a link that invites nobody.
  private var answerEnd: Moment?
  private var heardAt: Moment
  /// The last time until which this end had not read.
  private var unreadUntil: Moment
  private var pingedAt: Moment
  private var answeredAt: Moment?
  private var end: Moment?

  init(_ times: LinkTimes, at now: Moment) {
    self.times = times
    (heardAt, pingedAt, unreadUntil) = (now, now, now)
    end = now + times.opening
  }

  var deadline: Moment {
    let next = min(silentAt, max(heardAt, pingedAt) + times.ping)
    return end.map { min($0, next) } ?? next
  }

  private var silentAt: Moment { max(heardAt, unreadUntil) + times.silence }

  func isSilent(at now: Moment) -> Bool { now >= silentAt }
  func isOver(at now: Moment) -> Bool { end.map { now >= $0 } ?? false }

  /// Returns whether a ping is due. If so, the next one is due later.
  mutating func shouldPing(at now: Moment) -> Bool {
    guard now >= max(heardAt, pingedAt) + times.ping else { return false }
    pingedAt = now
    return true
  }

  /// Returns whether to answer a ping: one a second is a sign of life. Whoever sends many and reads none would fill this
  /// end's memory with the answers.
  mutating func shouldAnswerPing(at now: Moment) -> Bool {
    guard answeredAt.map({ now >= $0 + .seconds(1) }) ?? true else { return false }
    answeredAt = now
    return true
  }

  mutating func heard(at now: Moment) { heardAt = now }
  mutating func isUnread(at now: Moment) { unreadUntil = now }
  /// Limits an invitation, with the opening of its link.
  mutating func invites(until limit: Moment) {
    answerEnd = limit
    end = end.map { min($0, limit) }
  }

  mutating func waitsForAnswer() { end = answerEnd }
  mutating func negotiates(at now: Moment) { end = now + times.negotiation }
  /// Removes the time limit: only silence ends the link now.
  mutating func settles() { end = nil }
}
