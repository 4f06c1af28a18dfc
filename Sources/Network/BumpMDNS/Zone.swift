/// The records for which this host is the responder on one interface.
struct Zone {
  private var names: [DomainName: [LocalRecord]] = [:]
  /// The replies to legacy questions (RFC 6762 §6.7), by the digests of the questions without their ids. Many hosts
  /// send the same question, and the reply depends on nothing else.
  private var replies: [Int: [UInt8]] = [:]
  /// The most replies that are remembered. Beyond that number all are forgotten, which costs only time.
  private static let mostReplies = 16

  mutating func add(_ records: [LocalRecord]) {
    replies = [:]
    for own in records { names[own.record.name, default: []].append(own) }
  }

  /// Removes the records of a service.
  ///
  /// - Returns: the removed records that no other service shares.
  mutating func remove(_ id: ServiceID, _ records: [LocalRecord]) -> [Record] {
    replies = [:]
    return records.compactMap { own in
      let name = own.record.name
      names[name]?.removeAll { $0.owner == id && $0.record.data == own.record.data }
      let isLeft = names[name]?.contains { $0.record.data == own.record.data } == true
      if names[name]?.isEmpty == true { names[name] = nil }
      return isLeft ? nil : own.record
    }
  }

  func own(_ name: DomainName) -> [LocalRecord] { names[name] ?? [] }

  /// Returns the answers to a question: the records of the name and type, each once, or an NSEC record if the name is
  /// unique and has no records of the type (RFC 6762 §6.1).
  func answers(to key: RecordKey) -> [LocalRecord] {
    let all = own(key.name)
    var seen: Set<RecordData> = []
    let answers = all.filter {
      (key.type == .any || $0.record.data.type == key.type) && seen.insert($0.record.data).inserted
    }
    return answers.isEmpty ? denial(key.name).map { [$0] } ?? [] : answers
  }

  // MARK: Legacy replies

  /// Returns the reply that was sent to this legacy question before, with the id of this one.
  func reply(toRepeated digest: Int, id: ArraySlice<UInt8>) -> [UInt8]? {
    replies[digest].map { Array(id) + $0.dropFirst(id.count) }
  }

  mutating func remember(reply: [UInt8], to digest: Int) {
    if replies.count >= Self.mostReplies { replies = [:] }
    replies[digest] = reply
  }

  /// Returns the NSEC record of a unique name.
  private func denial(_ name: DomainName) -> LocalRecord? {
    let all = own(name)
    guard let first = all.first, all.allSatisfy(\.isUnique) else { return nil }
    let types = Set(all.map(\.record.data.type.rawValue)).sorted().map(RecordType.init(rawValue:))
    return LocalRecord(
      record: Record(name, .nsec(next: name, types: types), timeToLive: Service.timeToLive, flushesCache: true),
      isUnique: true, owner: first.owner)
  }

  /// Returns the additional records that save the querying host its next questions (RFC 6763 §12), each once.
  func additionals(to answers: [Record]) -> [Record] {
    var additionals: [Record] = []
    var seen: Set<RecordKey> = Set(answers.map(\.key))
    func add(_ name: DomainName, _ type: RecordType) {
      let key = RecordKey(name: name, type: type)
      guard seen.insert(key).inserted else { return }
      additionals += self.answers(to: key).map(\.record).filter { $0.data.type == type || !answers.contains($0) }
    }
    // Continues over added records: added SRV records name hosts too.
    var index = 0
    while index < answers.count + additionals.count {
      let record = index < answers.count ? answers[index] : additionals[index - answers.count]
      index += 1
      switch record.data {
      // A pointer of the list of types names a type, not an instance.
      case .ptr(let target) where record.name != PublishedService.types:
        add(target, .srv)
        add(target, .txt)
      case .srv(_, _, _, let target):
        add(target, .a)
        add(target, .aaaa)
      // A and AAAA records go together (RFC 6762 §6.2).
      case .a: add(record.name, .aaaa)
      case .aaaa: add(record.name, .a)
      default: break
      }
    }
    var once: Set<Record> = []
    return additionals.filter { once.insert($0).inserted }
  }
}
