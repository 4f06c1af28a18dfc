/// The schedule of answers and announcements on one link (RFC 6762 §6, §7, §8.3, §10.1).
struct Responder {
  /// A record that is scheduled to be multicast.
  private struct Pending {
    var record: Record
    var due: Moment
    /// Whether the record must not be sent earlier, since it was multicast recently (§6).
    var isHeldBack: Bool
    /// Whether to send the record even if another host sends the same one.
    var isAnnouncement: Bool
  }

  /// An answer that waits for more known answers of the same host (§7.2).
  private struct Held {
    var records: [Record]
    var due: Moment
    var deadline: Moment
  }

  private struct Asker: Hashable {
    var address: [UInt8]
    var port: UInt16
  }

  private struct Identity: Hashable {
    var name: DomainName
    var data: RecordData
    init(_ record: Record) { (name, data) = (record.name, record.data) }
  }

  /// The most answers that wait for known answers at once.
  private static let mostHeld = 32

  private var pending: [Identity: Pending] = [:]
  private var held: [Asker: Held] = [:]
  private var lastMulticast: [Identity: Moment] = [:]

  /// When `packets` is due next.
  private(set) var next: Moment?

  private mutating func updateNext() {
    next = [pending.values.lazy.map(\.due).min(), held.values.lazy.map(\.due).min()].compactMap { $0 }.min()
  }

  // MARK: Questions

  /// Processes a query, and schedules the multicast answers.
  ///
  /// - Returns: the unicast answers to send at once.
  mutating func take(
    _ query: Message, from arrival: ReceivedPacket, _ zone: Zone, at now: Moment,
    using random: inout some RandomNumberGenerator
  ) -> [UInt8]? {
    let asker = Asker(address: arrival.source, port: arrival.port)
    if var waiting = held[asker] { more(query, from: asker, &waiting, at: now, using: &random) }
    guard !query.questions.isEmpty else { return nil }
    var asked: Set<RecordKey> = []
    let questions = query.questions.filter { asked.insert($0.key).inserted }
    let own = questions.map { ($0, zone.answers(to: $0.key)) }.filter { !$0.1.isEmpty }
    // Most questions are for other hosts: their known answers need not be read.
    guard !own.isEmpty else { return nil }
    let known = KnownAnswers(query.answers)
    let answers = own.map { question, records in (question, records.filter { !known.hold($0.record) }) }
    let all = answers.flatMap(\.1)
    guard !all.isEmpty else { return nil }
    if arrival.port != multicastDNSPort { return legacy(query, all.map(\.record), zone) }

    // A probing host must learn at once that the name is taken (§8.1).
    let isProbe = !query.authorities.isEmpty
    if query.isTruncated, !isProbe {
      hold(all.map(\.record), for: asker, at: now, using: &random)
      return nil
    }
    // Unique records are sent at once (§6), shared ones after a delay (`Deviation.loneAnswerSoon`).
    let delay: Duration =
      isProbe || all.allSatisfy(\.isUnique)
      ? .zero : random.duration(in: pending.isEmpty ? Timing.loneDelay : Timing.sharedDelay)
    var direct: [Record] = []
    for (question, records) in answers {
      for record in records.map(\.record) {
        if question.wantsUnicast {
          direct.append(record)
          // No multicast if the record was multicast recently (§5.4); otherwise `Deviation.unicastBesideMulticast`. A
          // probe is always answered by multicast too: a process that shares the asking host's port could take the
          // unicast.
          let quarter = Duration.seconds(Int64(record.timeToLive)) / 4
          if !isProbe, let last = lastMulticast[Identity(record)], now - last < quarter { continue }
        }
        schedule(record, at: now + delay, now, isDefence: isProbe)
      }
    }
    updateNext()
    return direct.isEmpty ? nil : reply(direct, zone)
  }

  /// Returns a legacy answer (§6.7), with the question and its id, and times to live of at most ten seconds. The TC bit
  /// says that some answers did not fit (RFC 1035 §4.1.1).
  private func legacy(_ query: Message, _ records: [Record], _ zone: Zone) -> [UInt8] {
    var writer = MessageWriter(id: query.id, isResponse: true, isLegacy: true)
    for question in query.questions {
      _ = writer.add(Question(question.name, question.type), limit: PacketLimits.usual)
    }
    let brief = { (record: Record) in record.with(timeToLive: min(record.timeToLive, 10), flushesCache: false) }
    var once: Set<Identity> = []
    for record in records where once.insert(Identity(record)).inserted {
      if !writer.add(brief(record), to: .answers, limit: PacketLimits.usual) { writer.isTruncated = true }
    }
    for record in zone.additionals(to: records) {
      _ = writer.add(brief(record), to: .additionals, limit: PacketLimits.usual)
    }
    return writer.finished
  }

  private func reply(_ records: [Record], _ zone: Zone) -> [UInt8] {
    var writer = MessageWriter(isResponse: true)
    var once: Set<Identity> = []
    for record in records where once.insert(Identity(record)).inserted {
      _ = writer.add(record, to: .answers, limit: PacketLimits.usual)
    }
    for record in zone.additionals(to: records) { _ = writer.add(record, to: .additionals, limit: PacketLimits.usual) }
    return writer.finished
  }

  // MARK: More known answers

  private mutating func hold(
    _ records: [Record], for asker: Asker, at now: Moment, using random: inout some RandomNumberGenerator
  ) {
    guard held.count < Self.mostHeld || held[asker] != nil else { return }
    let due = now + random.duration(in: Timing.truncatedDelay)
    // At most four seconds in total, however many known answers a host sends.
    let deadline = held[asker]?.deadline ?? now + .seconds(4)
    held[asker] = Held(
      records: (held[asker]?.records ?? []) + records.filter { held[asker]?.records.contains($0) != true },
      due: min(due, deadline), deadline: deadline)
    updateNext()
  }

  private mutating func more(
    _ query: Message, from asker: Asker, _ waiting: inout Held, at now: Moment,
    using random: inout some RandomNumberGenerator
  ) {
    let known = KnownAnswers(query.answers)
    waiting.records.removeAll(where: known.hold)
    if query.isTruncated { waiting.due = min(now + random.duration(in: Timing.truncatedDelay), waiting.deadline) }
    held[asker] = waiting.records.isEmpty ? nil : waiting
    updateNext()
  }

  // MARK: Others' answers

  /// Processes a record from another host that is identical to one of ours.
  mutating func hear(_ record: Record, ofOurs own: Record, at now: Moment) {
    let identity = Identity(own)
    if record.timeToLive < own.timeToLive / 2 {
      // The shorter time to live would make other hosts drop the record too early: send ours (§6.6).
      schedule(own, at: now, now)
    } else if let waiting = pending[identity], !waiting.isAnnouncement, record.timeToLive >= own.timeToLive {
      // Duplicate answer suppression (§7.4).
      pending[identity] = nil
      lastMulticast[identity] = now
    }
    updateNext()
  }

  // MARK: Announcing

  /// Announces records: multicasts them unasked (§8.3).
  mutating func announce(_ records: [Record], at now: Moment) {
    for record in records {
      schedule(record, at: now, now)
      pending[Identity(record)]?.isAnnouncement = true
    }
    updateNext()
  }

  /// Returns goodbyes for the records that were multicast before (§10.1), by this responder or, with `isOfAnother`, by
  /// another one on this host.
  mutating func goodbye(_ records: [Record], isOfAnother: Bool = false) -> [[UInt8]] {
    let known = records.filter { record in
      let identity = Identity(record)
      pending[identity] = nil
      for asker in held.keys { held[asker]?.records.removeAll { $0.isSame(as: record) } }
      // Other hosts may have the record that lists the types too. Without a goodbye it is not multicast again within a
      // second, if such a service is published anew (§6).
      guard record.name != PublishedService.types else { return false }
      return lastMulticast.removeValue(forKey: identity) != nil || isOfAnother
    }
    updateNext()
    return packets(known.map { $0.with(timeToLive: 0) }, additionals: [])
  }

  /// Schedules a record, or moves it to an earlier time, but never within a second of its last multicast (§6).
  private mutating func schedule(_ record: Record, at moment: Moment, _ now: Moment, isDefence: Bool = false) {
    let identity = Identity(record)
    let interval = isDefence ? Timing.defenceInterval : Timing.multicastInterval
    let earliest = lastMulticast[identity].map { $0 + interval } ?? moment
    let due = max(moment, earliest)
    if let waiting = pending[identity], waiting.due <= due { return }
    pending[identity] = Pending(
      record: record, due: due, isHeldBack: earliest > now, isAnnouncement: pending[identity]?.isAnnouncement ?? false)
  }

  // MARK: Sending

  /// Removes the due records and returns them as packets to multicast.
  mutating func packets(_ zone: Zone, at now: Moment) -> [[UInt8]] {
    for (asker, waiting) in held where waiting.due <= now {
      held[asker] = nil
      for record in waiting.records { schedule(record, at: now, now) }
    }
    defer { updateNext() }
    guard pending.values.contains(where: { $0.due <= now }) else { return [] }
    // Includes delayed records: they waited only to be aggregated (§6.4).
    let sent = pending.values.filter { $0.due <= now || !$0.isHeldBack }.map(\.record).sorted(by: Self.inOrder)
    for record in sent {
      pending[Identity(record)] = nil
      lastMulticast[Identity(record)] = now
    }
    let additionals = zone.additionals(to: sent).filter { record in
      guard let last = lastMulticast[Identity(record)] else { return true }
      return now - last >= Timing.multicastInterval
    }
    for record in additionals {
      lastMulticast[Identity(record)] = now
      if pending[Identity(record)]?.isAnnouncement == false { pending[Identity(record)] = nil }
    }
    return packets(sent, additionals: additionals)
  }

  /// Orders pointers first, then by name: the order of a dictionary differs in every run.
  private static func inOrder(_ left: Record, _ right: Record) -> Bool {
    let rank = { (record: Record) in
      [RecordType.ptr, .srv, .txt, .a, .aaaa].firstIndex(of: record.data.type) ?? 5
    }
    if rank(left) != rank(right) { return rank(left) < rank(right) }
    if left.name != right.name { return left.name.folded.lexicographicallyPrecedes(right.name.folded) }
    let rest = { (record: Record) -> [UInt8] in
      switch record.data {
      case .ptr(let name): name.folded
      case .a(let address), .aaaa(let address): address
      default: []
      }
    }
    return rest(left).lexicographicallyPrecedes(rest(right))
  }

  private func packets(_ answers: [Record], additionals: [Record]) -> [[UInt8]] {
    var packets: [[UInt8]] = []
    var writer = MessageWriter(isResponse: true)
    for record in answers where !writer.add(record, to: .answers, limit: PacketLimits.usual) {
      if !writer.isEmpty { packets.append(writer.finished) }
      writer = MessageWriter(isResponse: true)
      // A record that is too long for its own packet cannot be sent.
      _ = writer.add(record, to: .answers, limit: PacketLimits.oneRecord)
    }
    // Additional records that do not fit are left out: the receiver asks for them.
    for record in additionals { _ = writer.add(record, to: .additionals, limit: PacketLimits.usual) }
    return writer.isEmpty ? packets : packets + [writer.finished]
  }
}

/// The known answers in a query (RFC 6762 §7.1).
struct KnownAnswers {
  private var times: [RecordKey: [RecordData: UInt32]] = [:]

  init(_ records: [Record]) {
    for record in records { times[record.key, default: [:]][record.data] = record.timeToLive }
  }

  /// Returns whether the querying host knows a record with at least half of its time to live left.
  func hold(_ record: Record) -> Bool {
    guard let time = times[record.key]?[record.data] else { return false }
    return time >= record.timeToLive / 2
  }
}
