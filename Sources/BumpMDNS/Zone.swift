/// All records that this host answers for on one interface.
struct Zone {
  private var names: [DomainName: [OwnRecord]] = [:]

  mutating func add(_ records: [OwnRecord]) {
    for own in records { names[own.record.name, default: []].append(own) }
  }

  /// Takes the records of a service out.
  ///
  /// - Returns: those that no other service has as well.
  mutating func remove(_ id: ServiceID, _ records: [OwnRecord]) -> [Record] {
    records.compactMap { own in
      let name = own.record.name
      names[name]?.removeAll { $0.owner == id && $0.record.data == own.record.data }
      let isLeft = names[name]?.contains { $0.record.data == own.record.data } == true
      if names[name]?.isEmpty == true { names[name] = nil }
      return isLeft ? nil : own.record
    }
  }

  func own(_ name: DomainName) -> [OwnRecord] { names[name] ?? [] }

  /// What answers a question: records of the name and type, each once, or, where the name is ours alone and has none of
  /// the type, a record that says so (RFC 6762 §6.1).
  func answers(to key: RecordKey) -> [OwnRecord] {
    let all = own(key.name)
    var seen: Set<RecordData> = []
    let answers = all.filter {
      (key.type == .any || $0.record.data.type == key.type) && seen.insert($0.record.data).inserted
    }
    return answers.isEmpty ? denial(key.name).map { [$0] } ?? [] : answers
  }

  /// The NSEC record of a name that is ours alone.
  private func denial(_ name: DomainName) -> OwnRecord? {
    let all = own(name)
    guard let first = all.first, all.allSatisfy(\.isUnique) else { return nil }
    let types = Set(all.map(\.record.data.type.rawValue)).sorted().map(RecordType.init(rawValue:))
    return OwnRecord(
      record: Record(name, .nsec(next: name, types: types), timeToLive: Service.timeToLive, flushesCache: true),
      isUnique: true, owner: first.owner)
  }

  /// What who hears an answer asks for next (RFC 6763 §12), each once.
  func additionals(to answers: [Record]) -> [Record] {
    var additionals: [Record] = []
    var seen: Set<RecordKey> = Set(answers.map(\.key))
    func add(_ name: DomainName, _ type: RecordType) {
      let key = RecordKey(name: name, type: type)
      guard seen.insert(key).inserted else { return }
      additionals += self.answers(to: key).map(\.record).filter { $0.data.type == type || !answers.contains($0) }
    }
    // SRV records that are added here name hosts as well.
    var index = 0
    while index < answers.count + additionals.count {
      let record = index < answers.count ? answers[index] : additionals[index - answers.count]
      index += 1
      switch record.data {
      // The list of types names no instance.
      case .ptr(let target) where record.name != Publication.types:
        add(target, .srv)
        add(target, .txt)
      case .srv(_, _, _, let target):
        add(target, .a)
        add(target, .aaaa)
      // Either goes with the other (RFC 6762 §6.2).
      case .a: add(record.name, .aaaa)
      case .aaaa: add(record.name, .a)
      default: break
      }
    }
    var once: Set<Record> = []
    return additionals.filter { once.insert($0).inserted }
  }
}
