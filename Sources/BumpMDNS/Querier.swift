/// What is asked on one link, and when (RFC 6762 §5.2, §7.3).
struct Querier {
  private struct Schedule {
    var next: Moment
    /// Between the next question and the one after it.
    var interval: Duration
    /// How often it was asked.
    var asked = 0
    /// Somebody else asked instead of us the last time.
    var wasSpared = false
  }

  /// A question that is due.
  struct Due: Hashable {
    var key: RecordKey
    /// Whether it is asked from a port of our own as well.
    var isDirect: Bool
  }

  private var schedules: [RecordKey: Schedule] = [:]
  /// Asked once more, beside the schedule.
  private var extra: [RecordKey: Moment] = [:]
  /// The numbers of questions from a port of our own, and until when their answers are taken.
  private var numbers: [UInt16: Moment] = [:]

  private(set) var next: Moment?

  private mutating func reckon() {
    next = [schedules.values.lazy.map(\.next).min(), extra.values.lazy.map { $0 }.min()].compactMap { $0 }.min()
  }

  /// Asks from now on: at once (`Deviation.firstQuestionUndelayed`), after 1, 2, 4 … s, at last once an hour.
  mutating func begin(_ key: RecordKey, at now: Moment) {
    guard schedules[key] == nil else { return }
    schedules[key] = Schedule(next: now, interval: Timing.firstInterval)
    next = min(next ?? now, now)
  }

  mutating func end(_ key: RecordKey) {
    schedules[key] = nil
    extra[key] = nil
    reckon()
  }

  /// Asks once more, for records that are about to expire or in doubt (§5.2, §10.4).
  mutating func renew(_ key: RecordKey, at moment: Moment) {
    guard schedules[key] != nil, extra[key].map({ $0 > moment }) ?? true else { return }
    extra[key] = moment
    reckon()
  }

  /// Takes note of somebody else's question.
  ///
  /// Where ours would come within a second, and knows no less, theirs is as good (§7.3). But not twice in a row: who
  /// forges questions that others do not hear could keep us silent.
  mutating func hear(_ question: Question, at now: Moment) {
    guard !question.wantsUnicast, var schedule = schedules[question.key], schedule.asked > 0, !schedule.wasSpared,
      schedule.next - now <= .seconds(1)
    else { return }
    schedule.wasSpared = true
    advance(&schedule, at: now)
    schedules[question.key] = schedule
    extra[question.key] = nil
    reckon()
  }

  private func advance(_ schedule: inout Schedule, at now: Moment) {
    schedule.next = now + schedule.interval
    schedule.interval = min(schedule.interval * 2, Timing.longestInterval)
  }

  /// Takes off what is due.
  mutating func takeDue(at now: Moment) -> [Due] {
    guard let next, next <= now else { return [] }
    var due: [Due] = []
    for (key, var schedule) in schedules where schedule.next <= now {
      due.append(Due(key: key, isDirect: schedule.asked < Timing.directQuestions))
      schedule.asked += 1
      schedule.wasSpared = false
      advance(&schedule, at: now)
      schedules[key] = schedule
      extra[key] = nil
    }
    for (key, moment) in extra where moment <= now {
      due.append(Due(key: key, isDirect: false))
      extra[key] = nil
    }
    reckon()
    return due.sorted {
      ($0.key.type.rawValue, $0.key.name.description) < ($1.key.type.rawValue, $1.key.name.description)
    }
  }

  // MARK: From a port of our own

  /// A number for a question (§6.7), whose answer is taken for a while.
  mutating func draw(at now: Moment, using random: inout some RandomNumberGenerator) -> UInt16 {
    numbers = numbers.filter { $0.value > now }
    let number = UInt16.random(in: 1...UInt16.max, using: &random)
    // A bound, although we alone ask.
    if numbers.count < 1024 { numbers[number] = now + Timing.directAnswer }
    return number
  }

  func expects(_ number: UInt16, at now: Moment) -> Bool { numbers[number].map { $0 > now } ?? false }
}

/// Questions and known answers as packets.
enum Queries {
  /// Questions with what is known of them. Known answers that do not fit follow in packets of their own, each but the last
  /// with the TC bit (RFC 6762 §7.2).
  static func packets(_ keys: [RecordKey], known: (RecordKey, _ atMost: Int) -> [Record]) -> [[UInt8]] {
    var packets: [[UInt8]] = []
    var rest = keys[...]
    while !rest.isEmpty {
      var writer = MessageWriter(isResponse: false)
      var asked: [RecordKey] = []
      // A quarter for known answers: else every question would have packets of its own.
      let limit = PacketLimits.usual * 3 / 4
      while let key = rest.first, writer.add(Question(key), limit: limit) { asked.append(rest.removeFirst()) }
      // A name of 255 bytes fits.
      guard !asked.isEmpty else { return packets }
      var room = PacketLimits.knownAnswers
      for key in asked {
        let answers = known(key, room)
        room = max(0, room - answers.count)
        for answer in answers where !writer.add(answer, to: .answers, limit: PacketLimits.usual) {
          writer.isTruncated = true
          packets.append(writer.finished)
          writer = MessageWriter(isResponse: false)
          _ = writer.add(answer, to: .answers, limit: PacketLimits.usual)
        }
      }
      packets.append(writer.finished)
    }
    return packets
  }
}
