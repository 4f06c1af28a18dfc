/// The schedule of questions on one link (RFC 6762 §5.2, §7.3).
struct Querier {
  private struct Schedule {
    /// The question's number, counted from the first question of this querier.
    var number: Int
    var next: Moment
    /// The interval between the next question and the one after it.
    var interval: Duration
    /// How many times the question was due.
    var asked = 0
    /// When the question was last due, by the schedule or additionally.
    var last: Moment?
    /// Whether the next question must not be skipped.
    var mustAsk = false
    /// Whether the question may be left to other hosts for as long as they send it.
    var isQuiet = false
    /// Whether another host's question replaced the last one.
    var wasSpared = false
  }

  /// A question that is due.
  struct Due: Hashable {
    var key: RecordKey
    /// Whether to send the question from the stack's own port.
    var isDirect: Bool
    /// Whether to send the question from port 5353, so that all hosts receive it and its answers.
    var isForAll = true
    /// Whether the question is skipped if an earlier one was answered. Hosts that did not receive the earlier one are
    /// found by the question after three seconds, which is never skipped.
    var isOptional = false
  }

  /// How a question begins.
  enum QueryStart {
    /// From the stack's own port at once, and then from port 5353 if that was not answered.
    case direct
    /// `Timing.questionForAll` later, since another link of the interface, which shares the cache, has begun directly.
    case following
    /// From port 5353 at once, since some of the records are known: other instances may have appeared since.
    case forAll
    /// After a second, in which another host may send the question, and never from the stack's own port.
    case quiet
  }

  private var schedules: [RecordKey: Schedule] = [:]
  private var begun = 0
  /// Additional questions outside the schedule.
  private var extra: [RecordKey: Moment] = [:]
  /// The message ids of questions from the stack's own port, and until when their answers are accepted.
  private var numbers: [UInt16: Moment] = [:]

  /// When the first of the questions is due.
  private var firstDue: Moment?
  /// When the sent packets no longer exceed the rate of one in `Timing.questionInterval`.
  private var paid = Moment.zero
  /// The bytes of all sent packets of questions, minus those of all packets of other hosts.
  private var excess = 0

  /// When questions are sent next. While too many packets were sent, questions that are due wait and share the next
  /// packets.
  var next: Moment? { firstDue.map { max($0, paid - Timing.questionCredit) } }

  private mutating func updateNext() {
    firstDue = [schedules.values.lazy.map(\.next).min(), extra.values.lazy.map { $0 }.min()].compactMap { $0 }.min()
  }

  /// Starts to ask a question: from the stack's own port at once (`Deviation.firstQuestionFromAnotherPort`), from port
  /// 5353 after `Timing.questionForAll`, then after 1, 2, 4 … s, and finally once an hour. The caller skips the first
  /// two from port 5353 if an earlier one was answered.
  mutating func begin(_ key: RecordKey, _ beginning: QueryStart = .direct, at now: Moment) {
    guard schedules[key] == nil else { return }
    begun += 1
    let (wait, asked): (Duration, Int) =
      switch beginning {
      case .direct: (.zero, 0)
      case .following: (Timing.questionForAll, 1)
      case .forAll: (.zero, 1)
      case .quiet: (Timing.firstInterval, Timing.directQuestions)
      }
    schedules[key] = Schedule(
      number: begun, next: now + wait, interval: Timing.firstInterval, asked: asked, mustAsk: beginning == .forAll,
      isQuiet: beginning == .quiet)
    firstDue = min(firstDue ?? now + wait, now + wait)
  }

  mutating func end(_ key: RecordKey) {
    schedules[key] = nil
    extra[key] = nil
    updateNext()
  }

  /// Sends one additional question for records that are about to expire (§5.2), unless the question was sent or is due
  /// within a second.
  mutating func refresh(_ key: RecordKey, at now: Moment) {
    guard let schedule = schedules[key], schedule.next - now >= .seconds(1),
      schedule.last.map({ now - $0 >= .seconds(1) }) ?? true
    else { return }
    renew(key, at: now)
  }

  /// Sends the question to all hosts now, if only the first one was sent: what it asks for did not fit into an answer.
  mutating func askAll(_ key: RecordKey, at now: Moment) {
    guard var schedule = schedules[key], schedule.asked == 1 else { return }
    (schedule.next, schedule.mustAsk) = (now, true)
    schedules[key] = schedule
    updateNext()
  }

  /// Sends one additional question for records that are in doubt (§10.4), at the earliest a second after the last one
  /// (§5.2), however many of these records there are.
  mutating func renew(_ key: RecordKey, at now: Moment) {
    guard let schedule = schedules[key] else { return }
    let moment = max(now, schedule.last.map { $0 + Timing.firstInterval } ?? now)
    guard extra[key].map({ $0 > moment }) ?? true else { return }
    extra[key] = moment
    updateNext()
  }

  /// Processes the same question from another host.
  ///
  /// It replaces our next question if that is due within a second (§7.3), but never two in a row: forged questions that
  /// other hosts do not receive could otherwise silence this one. A quiet question may be silenced. It is delayed by a
  /// random time: of many hosts that have received the same question, the first that sends it again spares the others.
  ///
  /// - Parameters:
  ///   - isTruncated: whether more known answers follow (§7.2). A quiet question does not wait for them.
  ///   - isAsGood: whether the other host knows no more than this one. Evaluated only when needed, since it takes long.
  mutating func hear(
    _ question: Question, isTruncated: Bool, isAsGood: @autoclosure () -> Bool, at now: Moment,
    using random: inout some RandomNumberGenerator
  ) {
    guard !question.wantsUnicast, var schedule = schedules[question.key], schedule.asked > 0,
      schedule.isQuiet || !(schedule.wasSpared || isTruncated), schedule.next - now <= .seconds(1), isAsGood()
    else { return }
    if schedule.isQuiet {
      schedule.next = now + random.duration(in: Timing.quietDelay)
      schedules[question.key] = schedule
      return updateNext()
    }
    schedule.wasSpared = true
    // It replaced the first question to all hosts.
    if schedule.asked == 1 { schedule.asked = 2 }
    advance(&schedule, at: now)
    schedules[question.key] = schedule
    extra[question.key] = nil
    updateNext()
  }

  private func advance(_ schedule: inout Schedule, at now: Moment) {
    guard schedule.asked > 1 else { return schedule.next = now + Timing.questionForAll }
    schedule.next = now + schedule.interval
    schedule.interval = min(schedule.interval * 2, Timing.longestInterval)
  }

  /// Removes and returns the due questions, by type and then in the order in which they were begun. This order is the
  /// same in every run, and does not compare a flood of names byte by byte.
  mutating func takeDue(at now: Moment) -> [Due] {
    guard let next, next <= now else { return [] }
    var due: [(type: UInt16, number: Int, question: Due)] = []
    func take(_ schedule: Schedule, _ question: Due) {
      due.append((question.key.type.rawValue, schedule.number, question))
    }
    for (key, var schedule) in schedules where schedule.next <= now {
      take(
        schedule,
        Due(
          key: key, isDirect: schedule.asked < Timing.directQuestions, isForAll: schedule.asked > 0,
          isOptional: schedule.asked < Timing.optionalQuestions && !schedule.mustAsk))
      schedule.asked += 1
      schedule.last = now
      schedule.mustAsk = false
      schedule.wasSpared = false
      advance(&schedule, at: now)
      schedules[key] = schedule
      extra[key] = nil
    }
    for (key, moment) in extra where moment <= now {
      if let schedule = schedules[key] { take(schedule, Due(key: key, isDirect: false)) }
      schedules[key]?.last = now
      extra[key] = nil
    }
    updateNext()
    return due.sorted { ($0.type, $0.number) < ($1.type, $1.number) }.map(\.question)
  }

  /// Counts packets that were sent. Once they are longer than what was received and `PacketLimits.questionAllowance`,
  /// only one a second may follow, beyond twice that one in four seconds, then one in nine, and so on: so nobody can make
  /// this host send much more than they send themselves, however long it looks for others.
  mutating func sent(_ packets: [[UInt8]], at now: Moment) {
    paid = max(paid, now)
    for packet in packets {
      excess += packet.count
      let times = excess / PacketLimits.questionAllowance
      paid += times > 0 ? Timing.firstInterval * (times * times) : Timing.questionInterval
    }
    paid = min(paid, now + Timing.longestSilence)
  }

  /// Counts a packet of another host.
  mutating func heard(_ packet: [UInt8]) { excess -= packet.count }

  // MARK: Questions from the stack's own port

  /// Draws a message id for a question from the stack's own port (§6.7), and accepts answers to it for a while.
  mutating func draw(at now: Moment, using random: inout some RandomNumberGenerator) -> UInt16 {
    numbers = numbers.filter { $0.value > now }
    let number = UInt16.random(in: 1...UInt16.max, using: &random)
    // A limit for safety: only this process adds ids.
    if numbers.count < 1024 { numbers[number] = now + Timing.directAnswer }
    return number
  }

  func expects(_ number: UInt16, at now: Moment) -> Bool { numbers[number].map { $0 > now } ?? false }
}

/// Encodes questions and known answers as packets.
enum Queries {
  /// Returns packets with the questions and their known answers. Known answers that do not fit follow in further
  /// packets; each packet but the last has the TC bit (RFC 6762 §7.2).
  ///
  /// - Parameter id: the message id of the next packet.
  static func packets(
    _ keys: [RecordKey], id: () -> UInt16 = { 0 }, known: (RecordKey, _ atMost: Int) -> [Record] = { _, _ in [] }
  ) -> [[UInt8]] {
    var packets: [[UInt8]] = []
    var rest = keys[...]
    while !rest.isEmpty {
      var writer = MessageWriter(id: id(), isResponse: false)
      var asked: [RecordKey] = []
      // Leaves a quarter for known answers: otherwise every question would need its own packets.
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
