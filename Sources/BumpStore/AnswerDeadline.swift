import GRDB

/// Until when the receiver of a released claim may still take it, by both clocks of the machine. Where they disagree, the
/// later counts: a clock that is set must not give the claim to somebody else.
struct AnswerDeadline {
  /// What the receiver may take to store a claim that came in its last moment, in seconds: `Times.storing`, and the commit.
  static let margin: Int64 = 5
  /// An answer is waited for an hour at most.
  private static let longest: Int64 = 3600 + margin

  /// By the clock since the boot. After another boot, the full time once more: how long the machine was off is not known. Some
  /// containers have an id for each of their starts, while their clock is the machine's and goes on.
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

  /// In seconds since 1970.
  let unix: Int64
  /// `nil` in what an older bump has stored.
  private let boot: Boot?

  /// - Parameter limit: how long the receiver may still take it, and its answer is waited for.
  init(_ limit: Duration, from now: ClockReading) {
    let (whole, attoseconds) = limit.components
    let seconds = min(whole + (attoseconds > 0 ? 1 : 0) + Self.margin, Self.longest)
    unix = now.unix + seconds
    boot = Boot(id: now.bootID, deadline: now.sinceBoot + seconds, seconds: seconds)
  }

  /// - Returns: `nil` where there is none: a store that only an older bump has written, on a read-only mount, lacks columns.
  init?(_ row: Row) throws {
    guard row.hasColumn("deadline"), let unix: Int64 = try row.decode(forColumn: "deadline") else { return nil }
    self.unix = unix
    guard row.hasColumn("flight"), let seconds: Int64 = try row.decode(forColumn: "flight"),
      let deadline: Int64 = try row.decode(forColumn: "bootDeadline")
    else {
      boot = nil
      return
    }
    boot = Boot(id: try row.decode(forColumn: "boot"), deadline: deadline, seconds: seconds)
  }

  /// The columns `deadline`, `boot`, `bootDeadline` and `flight`.
  var arguments: StatementArguments { [unix, boot?.id, boot?.deadline, boot?.seconds] }

  /// When that is, by the time of day that the clock shows now; `nil` where it has passed.
  ///
  /// Where the clock of the day was set back, it is as far ahead as that: what is left of the time cannot be known.
  func end(at now: ClockReading) -> Int64? {
    let end = max(unix, now.unix + (boot?.left(at: now) ?? 0))
    return end > now.unix ? end : nil
  }
}
