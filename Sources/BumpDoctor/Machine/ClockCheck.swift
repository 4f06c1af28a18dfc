import BumpWire
import CClock

/// Whether claims expire here when they do elsewhere.
enum ClockCheck {
  /// Before this program was written: 2026-01-01. A machine without a battery for its clock begins far earlier.
  private static let earliest: Int64 = 1_767_225_600
  /// The longest lifetime that `bump send --expires` gives a claim, in seconds.
  private static let longestLifetime: Int64 = 365 * 86400

  /// Whether something keeps the clock in step; `nil` where the kernel does not say.
  static func isSynchronized() -> Bool? {
    switch bump_clock_is_synchronized() {
    case 0: false
    case 1: true
    default: nil
    }
  }

  /// - Parameter now: Unix time.
  static func judge(isSynchronized: Bool?, now: Int64) -> Finding? {
    guard now >= earliest else {
      return .problem(
        .clock, "the clock of this machine is years behind", cause: "it was never set: every offer looks far away",
        mend: "sudo timedatectl set-ntp true, or set it: sudo date --set '2026-12-31 18:00'")
    }
    guard let isSynchronized else { return nil }
    guard !isSynchronized else { return .ok(.clock, "the clock is kept in step") }
    return .note(
      .clock, "nothing says that the clock is kept in step",
      cause: "no NTP client has set it, or it keeps that to itself",
      mend: "sudo timedatectl set-ntp true; beside a sender that waits, `bump doctor` compares the two clocks")
  }

  /// Compares the clock with what a sender's record says of the end of its offer. That is not what time it is there:
  /// only clocks that are so far apart that a receiver here would decline are told.
  ///
  /// - Parameters:
  ///   - sender: how the sender is shown.
  ///   - now: Unix time.
  /// - Returns: `nil` where nothing shows, or the clock here is known to be wrong by itself.
  static func judge(_ expiry: Expiry, of sender: String, now: Int64) -> Finding? {
    guard now >= earliest else { return nil }
    let mend = "compare `date -u` on both machines; sudo timedatectl set-ntp true mends the one that is wrong"
    if expiry.hasPassed(at: now) {
      return .problem(
        .clock, "the offer of \(sender) ended \(span(now - expiry.unixSeconds)) ago by the clock here",
        cause: "the clock of this machine is ahead, or that of the other behind, by as much at least", mend: mend)
    }
    let ahead = expiry.unixSeconds - now
    guard ahead > longestLifetime else { return nil }
    return .problem(
      .clock, "the offer of \(sender) ends in \(span(ahead)) by the clock here, but none lasts longer than a year",
      cause:
        "the clock of this machine is behind, or that of the other ahead, by \(span(ahead - longestLifetime)) at least",
      mend: mend)
  }

  /// A time in its greatest unit.
  static func span(_ seconds: Int64) -> String {
    let units: [(Int64, String)] = [(86400, "day"), (3600, "hour"), (60, "minute"), (1, "second")]
    guard let (size, name) = units.first(where: { seconds >= $0.0 }) else { return "0 seconds" }
    let count = seconds / size
    return "\(count) \(name)\(count == 1 ? "" : "s")"
  }
}
