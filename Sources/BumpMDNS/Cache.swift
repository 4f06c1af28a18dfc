/// What was heard on one network interface (RFC 6762 §5.2, §10), within a bound of memory.
///
/// When it is full, what was last heard of longest ago makes room: who announces now is alive.
struct Cache {
  enum Change: Hashable {
    case added(Record)
    case removed(Record)
  }

  /// Bounds against those who forge records.
  enum Limits {
    /// In seconds; the longest that RFC 6762 §10 speaks of.
    static let timeToLive: UInt32 = 4500
    /// Records of one name and a type of which a host has a handful: all but PTR.
    static let uniqueSet = 32
    /// About how many bytes an entry takes beside its name and data: measured, with all that finds it and queues it.
    static let overhead = 880
  }

  private struct Entry {
    var record: Record
    /// When it was last heard of.
    var heard: Moment
    var timeToLive: Duration
    var expires: Moment
    /// The next moment at which something is to be done: a question, or its end.
    var next: Moment
    /// How many of the four questions before its end have been due.
    var step = 0
    /// Which place in `order` holds.
    var stamp: UInt64
  }

  private typealias ID = UInt64

  /// About how many bytes it may hold.
  private(set) var budget: Int
  private(set) var size = 0
  private var entries: [ID: Entry] = [:]
  private var sets: [RecordKey: [RecordData: ID]] = [:]
  /// How many SRV records name a host.
  private var targets: [DomainName: Int] = [:]
  private var agenda = Agenda<ID>()
  /// In the order in which they were last heard of.
  private var order: [(id: ID, stamp: UInt64)] = []
  private var orderStart = 0
  private var counter: UInt64 = 0
  private var changes: [Change] = []

  init(budget: Int) { self.budget = budget }

  var count: Int { entries.count }
  /// How much is queued beside the records themselves.
  var queued: Int { agenda.count + order.count }

  /// The next moment at which `advance` has something to do.
  var next: Moment? { agenda.next }

  /// What has changed since this was last called.
  mutating func takeChanges() -> [Change] {
    defer { changes = [] }
    return changes
  }

  // MARK: Reading

  /// The records of a set with the seconds they have left, the one heard of last first.
  func records(_ key: RecordKey, at now: Moment) -> [Record] {
    (sets[key] ?? [:]).values.compactMap { entries[$0] }.filter { $0.expires > now }
      .sorted { ($0.heard, $0.stamp) > ($1.heard, $1.stamp) }
      .map { $0.record.with(timeToLive: ($0.expires - now).wholeSeconds) }
  }

  /// Up to `count` records of a set that have more than half of their time left: known answers (§7.1).
  func knownAnswers(_ key: RecordKey, at now: Moment, atMost count: Int) -> [Record] {
    (sets[key] ?? [:]).values.lazy.compactMap { entries[$0] }.filter { $0.expires - now > $0.timeToLive / 2 }
      .prefix(count).map { $0.record.with(timeToLive: ($0.expires - now).wholeSeconds, flushesCache: false) }
  }

  func contains(_ record: Record) -> Bool { sets[record.key]?[record.data] != nil }

  /// Whether a record says that the set is empty (§6.1).
  func denies(_ key: RecordKey, at now: Moment) -> Bool {
    records(RecordKey(name: key.name, type: .nsec), at: now).contains { record in
      guard case .nsec(_, let types) = record.data else { return false }
      return !types.contains(key.type)
    }
  }

  /// Whether an SRV record names this host.
  func isTarget(_ host: DomainName) -> Bool { targets[host] != nil }

  // MARK: Writing

  /// Takes what was heard.
  ///
  /// - Parameter isBrief: whether its time to live was cut short for us (§6.7), and shortens none that is known.
  mutating func insert(
    _ record: Record, at now: Moment, isBrief: Bool = false, using random: inout some RandomNumberGenerator
  ) {
    if let id = sets[record.key]?[record.data] {
      // A goodbye: one second is left (§10.1).
      if record.timeToLive == 0 { return expire(id, at: now + .seconds(1)) }
      guard var entry = entries[id] else { return }
      let timeToLive = Duration.seconds(Int64(min(record.timeToLive, Limits.timeToLive)))
      if isBrief, entry.expires >= now + timeToLive { return }
      entry.record.timeToLive = record.timeToLive
      (entry.heard, entry.timeToLive, entry.expires, entry.step) = (now, timeToLive, now + timeToLive, 0)
      entry.next = Self.refresh(entry, using: &random)
      entry.stamp = remember(id)
      entries[id] = entry
      agenda.add(id, at: entry.next)
    } else if record.timeToLive > 0 {
      if record.data.type != .ptr { makeRoom(in: record.key) }
      counter += 1
      let (id, timeToLive) = (counter, Duration.seconds(Int64(min(record.timeToLive, Limits.timeToLive))))
      var entry = Entry(
        record: record, heard: now, timeToLive: timeToLive, expires: now + timeToLive, next: now, stamp: 0)
      entry.next = Self.refresh(entry, using: &random)
      entry.stamp = remember(id)
      entries[id] = entry
      sets[record.key, default: [:]][record.data] = id
      if case .srv(_, _, _, let target) = record.data { targets[target, default: 0] += 1 }
      size += Self.size(of: record)
      agenda.add(id, at: entry.next)
      changes.append(.added(record))
      evict(to: budget)
    }
    tidy()
  }

  /// Leaves one second to all of a set that was heard more than a second ago (§10.2).
  ///
  /// Not for PTR: those that concern us are shared, and have no such bit.
  mutating func flush(_ key: RecordKey, at now: Moment) {
    guard key.type != .ptr else { return }
    for id in (sets[key] ?? [:]).values {
      guard let entry = entries[id], now - entry.heard > .seconds(1) else { continue }
      expire(id, at: now + .seconds(1))
    }
  }

  /// Leaves ten seconds to records that are in doubt; who speaks for them before keeps them (§10.4). After half of it they
  /// are due to be asked for.
  ///
  /// - Returns: whether there are any that were not in doubt before.
  @discardableResult
  mutating func doubt(
    _ key: RecordKey, _ holds: (RecordData) -> Bool = { _ in true }, unheardSince moment: Moment? = nil, at now: Moment
  ) -> Bool {
    var isNews = false
    for (data, id) in sets[key] ?? [:] where holds(data) {
      guard var entry = entries[id], entry.expires > now + Timing.doubt,
        moment.map({ entry.heard < $0 }) ?? true
      else { continue }
      (entry.expires, entry.next, entry.step) = (now + Timing.doubt, now + Timing.doubt / 2, 3)
      entries[id] = entry
      agenda.add(id, at: entry.next)
      isNews = true
    }
    return isNews
  }

  /// Sets the bound anew.
  mutating func limit(to budget: Int) {
    self.budget = budget
    evict(to: budget)
  }

  mutating func removeAll() {
    for id in Array(entries.keys) { remove(id) }
  }

  /// Lets go of what has expired.
  ///
  /// - Returns: the sets that have a record with 80, 85, 90 or 95 % of its time gone: who needs them asks (§5.2).
  mutating func advance(to now: Moment, using random: inout some RandomNumberGenerator) -> Set<RecordKey> {
    var due: Set<RecordKey> = []
    while let (moment, id) = agenda.popDue(at: now) {
      guard var entry = entries[id], entry.next == moment else { continue }
      if entry.expires <= now {
        remove(id)
        continue
      }
      due.insert(entry.record.key)
      entry.step += 1
      entry.next = Self.refresh(entry, using: &random)
      entries[id] = entry
      agenda.add(id, at: entry.next)
    }
    return due
  }

  // MARK: Time

  /// The moment of the next question: 80, 85, 90 and 95 % of the time to live, and up to 2 % more (§5.2); then its end.
  private static func refresh(_ entry: Entry, using random: inout some RandomNumberGenerator) -> Moment {
    guard entry.step < 4 else { return entry.expires }
    let heard = entry.expires - entry.timeToLive
    let part = entry.timeToLive * (80 + 5 * entry.step) / 100
    return heard + part + random.duration(in: .zero...entry.timeToLive / 50)
  }

  private mutating func expire(_ id: ID, at moment: Moment) {
    guard var entry = entries[id], moment < entry.expires else { return }
    (entry.expires, entry.next, entry.step) = (moment, moment, 4)
    entries[id] = entry
    agenda.add(id, at: moment)
  }

  // MARK: Bounds

  private static func size(of record: Record) -> Int {
    Limits.overhead + 2 * record.name.wire.count + record.data.footprint
  }

  private mutating func makeRoom(in key: RecordKey) {
    guard let set = sets[key], set.count >= Limits.uniqueSet else { return }
    if let oldest = set.values.min(by: { (entries[$0]?.stamp ?? 0) < (entries[$1]?.stamp ?? 0) }) { remove(oldest) }
  }

  private mutating func evict(to budget: Int) {
    while size > budget, orderStart < order.count {
      let (id, stamp) = order[orderStart]
      orderStart += 1
      if entries[id]?.stamp == stamp { remove(id) }
    }
  }

  private mutating func remember(_ id: ID) -> UInt64 {
    counter += 1
    order.append((id, counter))
    return counter
  }

  private mutating func remove(_ id: ID) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    let key = entry.record.key
    sets[key]?[entry.record.data] = nil
    if sets[key]?.isEmpty == true { sets[key] = nil }
    if case .srv(_, _, _, let target) = entry.record.data {
      targets[target] = targets[target].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
    size -= Self.size(of: entry.record)
    changes.append(.removed(entry.record))
  }

  /// Forgets what is void in the queues once it is most of them, so that repeating a record costs no memory.
  private mutating func tidy() {
    let limit = 2 * entries.count + 64
    if order.count > limit + entries.count {
      order = order[orderStart...].filter { entries[$0.id]?.stamp == $0.stamp }
      orderStart = 0
    }
    if agenda.count > limit + entries.count { agenda.keep { moment, id in entries[id]?.next == moment } }
  }
}
