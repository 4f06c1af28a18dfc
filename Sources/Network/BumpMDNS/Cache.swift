/// The records received on one network interface (RFC 6762 §5.2, §10), within a memory limit.
///
/// When it is full, it evicts the record that was received longest ago: a responder that announces now is alive.
struct Cache {
  enum Change: Hashable {
    case added(Record)
    case removed(Record)
  }

  /// Limits against forged records.
  enum Limits {
    /// The longest time to live, in seconds: the longest that RFC 6762 §10 recommends.
    static let timeToLive: UInt32 = 4500
    /// Records of one name and type, except PTR: a host has a handful of them.
    static let uniqueSet = 32
    /// About how many bytes an entry takes besides its name and data, including its places in the indexes and queues. A
    /// measured value.
    static let overhead = 880
  }

  private struct Entry {
    var record: Record
    /// When the record was last received.
    var heard: Moment
    var timeToLive: Duration
    var expires: Moment
    /// When the entry is due next: for a refresh question, or for expiry.
    var next: Moment
    /// How many of the four refresh questions have been due.
    var step = 0
    /// Whether the record was received again since `next` was set. Then no refresh question is sent at `next`, but a
    /// later time is set. Most records are received again long before.
    var isRenewed = false
    /// Whether the record was last received in a legacy answer (§6.7).
    var isBrief: Bool
    /// The stamp of the entry's valid element in `order`.
    var stamp: UInt64
  }

  private typealias ID = UInt64

  /// The memory limit, in bytes.
  private(set) var budget: Int
  private(set) var size = 0
  private var entries: [ID: Entry] = [:]
  private var sets: [RecordKey: [RecordData: ID]] = [:]
  /// The number of SRV records by the host that they name.
  private var targets: [DomainName: Int] = [:]
  /// The number of PTR records of subtypes by the instance that they name.
  private var listed: [DomainName: Int] = [:]
  private var agenda = TimerQueue<ID>()
  /// The entries in the order in which they were last received.
  private var order: [(id: ID, stamp: UInt64)] = []
  private var orderStart = 0
  private var counter: UInt64 = 0
  private var changes: [Change] = []
  /// Cleared when a record is removed or about to be, since the same packet would then have news again.
  private var recent = RecentAnswers()

  init(budget: Int) { self.budget = budget }

  var count: Int { entries.count }
  /// The number of queue elements, valid or not.
  var queued: Int { agenda.count + order.count }

  /// When `advance` is due next.
  var next: Moment? { agenda.next }

  /// Removes and returns the changes since the last call.
  mutating func takeChanges() -> [Change] {
    defer { changes = [] }
    return changes
  }

  // MARK: Reading

  /// Returns the records of a set with their remaining time to live, the last received first.
  func records(_ key: RecordKey, at now: Moment) -> [Record] {
    (sets[key] ?? [:]).values.compactMap { entries[$0] }.filter { $0.expires > now }
      .sorted { ($0.heard, $0.stamp) > ($1.heard, $1.stamp) }
      .map { $0.record.with(timeToLive: ($0.expires - now).wholeSeconds) }
  }

  /// Returns up to `count` records of a set with more than half of their time to live left: known answers (§7.1).
  ///
  /// It skips those of legacy answers: their time to live is capped, so their responders would not take them for known.
  func knownAnswers(_ key: RecordKey, at now: Moment, atMost count: Int) -> [Record] {
    (sets[key] ?? [:]).values.lazy.compactMap { entries[$0] }
      .filter { !$0.isBrief && $0.expires - now > $0.timeToLive / 2 }
      .prefix(count).map { $0.record.with(timeToLive: ($0.expires - now).wholeSeconds, flushesCache: false) }
  }

  /// Whether any record of a set is known.
  func knows(_ key: RecordKey) -> Bool { sets[key] != nil }

  func contains(_ record: Record) -> Bool { sets[record.key]?[record.data] != nil }

  /// Returns whether an NSEC record says that the set is empty (§6.1).
  func denies(_ key: RecordKey, at now: Moment) -> Bool {
    records(RecordKey(name: key.name, type: .nsec), at: now).contains { record in
      guard case .nsec(_, let types) = record.data else { return false }
      return !types.contains(key.type)
    }
  }

  /// Returns whether a set is known completely, with no record about to expire or in doubt, so that a question is not
  /// needed (§7.1). Only the unique sets of a host arrive completely. The type tells which they are: an answer by
  /// unicast does not have the cache-flush bit (§6.7).
  func isComplete(_ key: RecordKey) -> Bool {
    guard [RecordType.srv, .txt, .a, .aaaa].contains(key.type), let set = sets[key], !set.isEmpty else { return false }
    return set.values.allSatisfy { entries[$0]?.step == 0 }
  }

  /// Returns whether an SRV record names this host.
  func isTarget(_ host: DomainName) -> Bool { targets[host] != nil }

  /// Returns whether a subtype lists this instance. A type's instances are recognized by their names alone.
  func isListed(_ instance: DomainName) -> Bool { listed[instance] != nil }

  /// Returns whether the same answer was received a moment ago and its records are all still cached.
  func isRepeated(_ digest: Int, at now: Moment) -> Bool { recent.contain(digest, at: now) }

  // MARK: Writing

  /// Remembers an answer whose records are all cached.
  mutating func remember(answer digest: Int, at now: Moment) { recent.insert(digest, at: now) }

  /// Inserts or refreshes a received record.
  ///
  /// - Parameter isBrief: whether the time to live was capped for a legacy answer (§6.7), and so must not shorten a
  ///   known one.
  mutating func insert(
    _ record: Record, at now: Moment, isBrief: Bool = false, using random: inout some RandomNumberGenerator
  ) {
    if let id = sets[record.key]?[record.data] {
      // A goodbye: the record expires in one second (§10.1).
      if record.timeToLive == 0 { return expire(id, at: now + .seconds(1)) }
      guard var entry = entries[id] else { return }
      let timeToLive = Duration.seconds(Int64(min(record.timeToLive, Limits.timeToLive)))
      if isBrief, entry.expires >= now + timeToLive { return }
      entry.record.timeToLive = record.timeToLive
      (entry.heard, entry.timeToLive, entry.expires, entry.step) = (now, timeToLive, now + timeToLive, 0)
      entry.isBrief = isBrief
      entry.stamp = remember(id)
      if entry.next <= Self.earliestRefresh(entry) {
        entry.isRenewed = true
        entries[id] = entry
      } else {
        plan(id, &entry, using: &random)
      }
    } else if record.timeToLive > 0 {
      if record.data.type != .ptr { makeRoom(in: record.key) }
      counter += 1
      let (id, timeToLive) = (counter, Duration.seconds(Int64(min(record.timeToLive, Limits.timeToLive))))
      var entry = Entry(
        record: record, heard: now, timeToLive: timeToLive, expires: now + timeToLive, next: now,
        isBrief: isBrief, stamp: remember(id))
      plan(id, &entry, using: &random)
      sets[record.key, default: [:]][record.data] = id
      if case .srv(_, _, _, let target) = record.data { targets[target, default: 0] += 1 }
      if let instance = record.instanceOfSubtype { listed[instance, default: 0] += 1 }
      size += Self.size(of: record)
      changes.append(.added(record))
      evict(to: budget)
    }
    tidy()
  }

  /// Applies the cache-flush bit: records of the set that were received more than a second ago expire in one second
  /// (§10.2).
  ///
  /// It ignores PTR records: the relevant ones are shared, and have no cache-flush bit.
  mutating func flush(_ key: RecordKey, at now: Moment) {
    guard key.type != .ptr else { return }
    for id in (sets[key] ?? [:]).values {
      guard let entry = entries[id], now - entry.heard > .seconds(1) else { continue }
      expire(id, at: now + .seconds(1))
    }
  }

  /// Puts the records of a set in doubt: they expire in ten seconds unless they are received again (§10.4). After five
  /// seconds a question for them is due.
  ///
  /// - Returns: whether any of them was not in doubt before.
  @discardableResult
  mutating func doubt(
    _ key: RecordKey, _ holds: (RecordData) -> Bool = { _ in true }, unheardSince moment: Moment? = nil, at now: Moment
  ) -> Bool {
    var isNews = false
    for (data, id) in sets[key] ?? [:] where holds(data) {
      guard var entry = entries[id], entry.expires > now + Timing.doubt,
        moment.map({ entry.heard < $0 }) ?? true
      else { continue }
      (entry.expires, entry.step) = (now + Timing.doubt, 3)
      plan(id, &entry, at: now + Timing.doubt / 2)
      recent.removeAll()
      isNews = true
    }
    return isNews
  }

  /// Changes the memory limit.
  mutating func limit(to budget: Int) {
    self.budget = budget
    evict(to: budget)
  }

  mutating func removeAll() {
    for id in Array(entries.keys) { remove(id) }
  }

  /// Removes expired records.
  ///
  /// - Returns: the sets with a record that has used 80, 85, 90 or 95 % of its time to live, to be refreshed (§5.2).
  mutating func advance(to now: Moment, using random: inout some RandomNumberGenerator) -> Set<RecordKey> {
    var due: Set<RecordKey> = []
    while let (moment, id) = agenda.popDue(at: now) {
      guard var entry = entries[id], entry.next == moment else { continue }
      if entry.expires <= now {
        remove(id)
        continue
      }
      if !entry.isRenewed {
        due.insert(entry.record.key)
        entry.step += 1
      }
      plan(id, &entry, using: &random)
    }
    return due
  }

  // MARK: Time

  /// Returns when the next refresh question may be due: after 80, 85, 90 or 95 % of the time to live (§5.2).
  private static func earliestRefresh(_ entry: Entry) -> Moment {
    entry.expires - entry.timeToLive * (20 - 5 * entry.step) / 100
  }

  /// Plans the next refresh question, up to 2 % of the time to live later (§5.2); after the fourth, the expiry.
  private mutating func plan(_ id: ID, _ entry: inout Entry, using random: inout some RandomNumberGenerator) {
    let next =
      entry.step < 4
      ? Self.earliestRefresh(entry) + random.duration(in: .zero...entry.timeToLive / 50) : entry.expires
    plan(id, &entry, at: next)
  }

  private mutating func plan(_ id: ID, _ entry: inout Entry, at moment: Moment) {
    (entry.next, entry.isRenewed) = (moment, false)
    entries[id] = entry
    agenda.add(id, at: moment)
  }

  private mutating func expire(_ id: ID, at moment: Moment) {
    guard var entry = entries[id], moment < entry.expires else { return }
    (entry.expires, entry.step) = (moment, 4)
    plan(id, &entry, at: moment)
    recent.removeAll()
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
    if let instance = entry.record.instanceOfSubtype {
      listed[instance] = listed[instance].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
    size -= Self.size(of: entry.record)
    changes.append(.removed(entry.record))
    recent.removeAll()
  }

  /// Removes invalid queue elements once they are the majority, so that a repeated record costs no memory.
  private mutating func tidy() {
    let limit = 2 * entries.count + 64
    if order.count > limit + entries.count {
      order = order[orderStart...].filter { entries[$0.id]?.stamp == $0.stamp }
      orderStart = 0
    }
    if agenda.count > limit + entries.count { agenda.keep { moment, id in entries[id]?.next == moment } }
  }
}

extension Record {
  /// The instance that a pointer of a subtype names; `nil` for a pointer of a type, and any other record.
  fileprivate var instanceOfSubtype: DomainName? {
    guard case .ptr(let target) = data, target.parent != name else { return nil }
    return instance
  }
}
