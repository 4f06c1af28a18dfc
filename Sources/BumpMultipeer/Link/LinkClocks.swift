/// When a link pings, and when it has waited long enough.
struct LinkClocks: Sendable {
  private let times: LinkTimes
  /// How long an invited peer may take to answer.
  var patience: Duration = .seconds(30)
  private var heardAt: Moment
  /// Until then this end had not read.
  private var unreadUntil: Moment
  private var pingedAt: Moment
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

  /// Whether a ping is due; then the next one is due later.
  mutating func shouldPing(at now: Moment) -> Bool {
    guard now >= max(heardAt, pingedAt) + times.ping else { return false }
    pingedAt = now
    return true
  }

  mutating func heard(at now: Moment) { heardAt = now }
  mutating func isUnread(at now: Moment) { unreadUntil = now }
  mutating func opens(at now: Moment) { end = now + times.opening }
  mutating func waitsForAnswer(at now: Moment) { end = now + patience }
  mutating func negotiates(at now: Moment) { end = now + times.negotiation }
  /// Nothing but silence ends it.
  mutating func settles() { end = nil }
}
