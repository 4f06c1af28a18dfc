import GRDB

/// The time until which the receiver of a released claim may still take it, by both clocks of the machine. If the
/// clocks disagree, the later time counts: setting a clock must not give the claim to another receiver.
struct AnswerDeadline {
  /// How many seconds the receiver may need to store a claim that it received just in time: `Times.stored`.
  static let margin: Int64 = 5
  /// The longest time that a receiver may have, one hour, plus the margin.
  private static let longest: Int64 = 3600 + margin

  /// The deadline by the clock since boot. After a reboot it starts again in full, since it is unknown how long the
  /// machine was off. Some containers get a new boot id at each start, although their clock is the machine's and keeps
  /// running.
  private struct Boot {
    let id: String?
    let deadline: Int64
    let seconds: Int64

    private static func from(_ now: Int64, to end: Int64) -> Int64 {
      let (left, isOver) = end.subtractingReportingOverflow(now)
      return isOver ? 0 : min(max(left, 0), AnswerDeadline.longest)
    }

    func left(at now: ClockReading) -> Int64 {
      let left = Self.from(now.sinceBoot, to: deadline)
      if id != nil, id == now.bootID { return left }
      return max(Self.from(now.sinceBoot, to: seconds), left <= seconds ? left : 0)
    }
  }

  /// The deadline by the time of day, in seconds since 1970.
  let unix: Int64
  /// The deadline by the clock since boot.
  private let boot: Boot

  /// - Parameter limit: how long the receiver may still take the claim or answer.
  init(_ limit: Duration, from now: ClockReading) {
    let (whole, attoseconds) = limit.components
    let seconds = min(whole + (attoseconds > 0 ? 1 : 0) + Self.margin, Self.longest)
    unix = now.unix + seconds
    boot = Boot(id: now.bootID, deadline: now.sinceBoot + seconds, seconds: seconds)
  }

  /// Returns `nil` if the row has no deadline.
  init?(_ row: Row) throws {
    guard let unix: Int64 = try row.decode(forColumn: "deadline") else { return nil }
    self.unix = unix
    boot = Boot(
      id: try row.decode(forColumn: "boot"), deadline: try row.decode(forColumn: "bootDeadline"),
      seconds: try row.decode(forColumn: "flight"))
  }

  /// The columns `deadline`, `boot`, `bootDeadline` and `flight`.
  var arguments: StatementArguments { [unix, boot.id, boot.deadline, boot.seconds] }

  /// Returns the deadline by the time of day that the clock shows now; `nil` if it has passed.
  ///
  /// If the clock was set back, the deadline is that much further ahead: the time that is really left cannot be known.
  func end(at now: ClockReading) -> Int64? {
    let end = max(unix, now.unix + boot.left(at: now))
    return end > now.unix ? end : nil
  }
}
