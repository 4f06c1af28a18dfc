import BumpClaims
import BumpText
import CSystemCalls

/// Checks the clock, by which claims expire.
enum ClockCheck {
  /// 2026-01-01, before this program was written. A machine without a battery for its clock starts far earlier.
  private static let earliest: Int64 = 1_767_225_600
  /// The longest lifetime of a claim (`bump send --expires`), in seconds.
  private static let longestLifetime: Int64 = 365 * 86400

  /// Returns whether the clock is synchronized; `nil` if the kernel does not know.
  static func isSynchronized() -> Bool? {
    switch bump_clock_is_synchronized() {
    case 0: false
    case 1: true
    default: nil
    }
  }

  /// Judges the clock by itself.
  ///
  /// - Parameter now: Unix time.
  static func judge(isSynchronized: Bool?, now: Int64) -> Finding? {
    guard now >= earliest else {
      return .problem(
        .clock, "the clock of this machine is years behind",
        cause: "it was never set: every offer seems to last for years",
        remedy: "sudo timedatectl set-ntp true, or set it: sudo date --set '2026-12-31 18:00'")
    }
    guard let isSynchronized else { return nil }
    guard !isSynchronized else { return .ok(.clock, "the clock is synchronized") }
    return .note(
      .clock, "the clock may not be synchronized",
      cause: "no NTP client has reported that it has set the clock",
      remedy:
        "sudo timedatectl set-ntp true, or compare `date -u` on both machines. `bump doctor` compares no clocks. It "
        + "notices only if the offer of a sender without a code has expired by the clock here")
  }

  /// Compares the clock with the expiry in a sender's TXT record.
  ///
  /// The record does not contain the sender's time. So a wrong clock is found only if it is ahead so far that the offer
  /// has expired, or behind so far that the offer would last longer than any offer can.
  ///
  /// - Parameters:
  ///   - sender: the sender's name as shown to people.
  ///   - now: Unix time.
  /// - Returns: `nil` if the expiry is plausible, or if the clock here is years behind, which has a finding already.
  static func judge(_ expiry: Expiry, of sender: String, now: Int64) -> Finding? {
    guard now >= earliest else { return nil }
    let remedy = "compare `date -u` on both machines. `sudo timedatectl set-ntp true` corrects the one that is wrong"
    if expiry.hasPassed(at: now) {
      return .problem(
        .clock,
        "the offer of \(sender) ended \(LargestUnit.text(seconds: now - expiry.unixSeconds)) ago by the clock here",
        cause: "the clock of this machine is ahead, or that of the other behind, by as much at least", remedy: remedy)
    }
    let ahead = expiry.unixSeconds - now
    guard ahead > longestLifetime else { return nil }
    return .problem(
      .clock,
      "the offer of \(sender) ends in \(LargestUnit.text(seconds: ahead)) by the clock here, but none lasts longer "
        + "than a year",
      cause:
        "the clock of this machine is behind, or that of the other ahead, by "
        + "\(LargestUnit.text(seconds: ahead - longestLifetime)) at least",
      remedy: remedy)
  }
}
