extension Engine {
  // MARK: Asking

  /// Begins to ask. Its events come until it is cancelled, or with `resolved`, which is the last.
  public mutating func start(_ operation: Operation, at now: Moment) -> OperationID {
    let id = OperationID(value: draw())
    operations[id] = operation
    for key in operation.keys { want(key, for: id, at: now) }
    for index in places.keys.sorted() where operation.concerns(index) { report(known: id, operation, index, at: now) }
    return id
  }

  public mutating func cancel(_ id: OperationID) {
    guard let operation = operations.removeValue(forKey: id) else { return }
    for key in operation.keys {
      interested[key]?.remove(id)
      if interested[key]?.isEmpty == true { interested[key] = nil }
      for index in Array(places.keys) where operation.concerns(index) { unwant(key, on: index) }
    }
  }

  /// Has everything of an instance asked for again: it did not answer where it says it is. What nobody speaks for
  /// within ten seconds is gone (RFC 6762 §10.4).
  public mutating func reconfirm(_ instance: DomainName, interface: UInt32, at now: Moment) {
    guard let type = instance.parent else { return }
    for index in Array(places.keys) where interface == 0 || interface == index {
      places[index]?.cache.doubt(RecordKey(name: type, type: .ptr), { $0 == .ptr(instance) }, at: now)
      places[index]?.cache.doubt(RecordKey(name: instance, type: .srv), at: now)
      places[index]?.cache.doubt(RecordKey(name: instance, type: .txt), at: now)
      for link in links(of: index) {
        for key in [RecordKey(name: type, type: .ptr), RecordKey(name: instance, type: .srv)] {
          speakers[link]?.querier.renew(key, at: now)
        }
      }
    }
  }

  private mutating func want(_ key: RecordKey, for id: OperationID, at now: Moment) {
    guard let operation = operations[id], interested[key, default: []].insert(id).inserted else { return }
    for index in Array(places.keys) where operation.concerns(index) { want(key, on: index, at: now) }
  }

  private mutating func want(_ key: RecordKey, on index: UInt32, at now: Moment) {
    let count = (places[index]?.wanted[key] ?? 0) + 1
    places[index]?.wanted[key] = count
    guard count == 1 else { return }
    for link in links(of: index) { speakers[link]?.querier.begin(key, at: now) }
  }

  private mutating func unwant(_ key: RecordKey, on index: UInt32) {
    guard let count = places[index]?.wanted[key] else { return }
    places[index]?.wanted[key] = count > 1 ? count - 1 : nil
    guard count == 1 else { return }
    places[index]?.askedByOthers[key] = nil
    for link in links(of: index) { speakers[link]?.querier.end(key) }
  }

  /// Has an interface that came asked for all that is wanted.
  mutating func wantAll(on index: UInt32, at now: Moment) {
    for (key, ids) in interested {
      for id in ids where operations[id]?.concerns(index) == true { want(key, on: index, at: now) }
    }
  }

  // MARK: Telling

  /// Tells a new operation what is known already.
  private mutating func report(known id: OperationID, _ operation: Operation, _ index: UInt32, at now: Moment) {
    guard let cache = places[index]?.cache else { return }
    switch operation {
    case .browse(let type, _):
      for record in cache.records(RecordKey(name: type, type: .ptr), at: now) {
        tell(.added(record), id, index, at: now)
      }
    case .resolve: tryToResolve(id, index, at: now)
    case .addresses(let host, _):
      for type in [RecordType.a, .aaaa] {
        for record in cache.records(RecordKey(name: host, type: type), at: now) {
          tell(.added(record), id, index, at: now)
        }
      }
    }
  }

  /// Tells whom it concerns what has changed on an interface.
  mutating func digest(_ index: UInt32, at now: Moment) {
    for change in places[index]?.cache.takeChanges() ?? [] {
      let record =
        switch change {
        case .added(let record), .removed(let record): record
        }
      for id in (interested[record.key] ?? []).sorted(by: { $0.value < $1.value })
      where operations[id]?.concerns(index) == true {
        tell(change, id, index, at: now)
      }
    }
  }

  private mutating func tell(_ change: Cache.Change, _ id: OperationID, _ index: UInt32, at now: Moment) {
    switch (operations[id], change) {
    case (.browse, .added(let record)):
      if let instance = record.instance { events.append(.found(id, instance: instance, interface: index)) }
    case (.browse, .removed(let record)):
      if let instance = record.instance { events.append(.lost(id, instance: instance, interface: index)) }
    case (.resolve, .added): tryToResolve(id, index, at: now)
    case (.addresses, .added(let record)):
      switch record.data {
      case .a(let address), .aaaa(let address): events.append(.address(id, address, interface: index))
      default: break
      }
    default: break
    }
  }

  private mutating func tryToResolve(_ id: OperationID, _ index: UInt32, at now: Moment) {
    guard case .resolve(let instance, _)? = operations[id], let cache = places[index]?.cache else { return }
    let (srv, txt) = (
      cache.records(RecordKey(name: instance, type: .srv), at: now).first?.data,
      cache.records(RecordKey(name: instance, type: .txt), at: now).first?.data
    )
    guard case .srv(_, _, let port, let target)? = srv, case .txt(let strings)? = txt else { return }
    let addresses = [RecordType.a, .aaaa].flatMap { type in
      cache.records(RecordKey(name: target, type: type), at: now).compactMap { record -> [UInt8]? in
        switch record.data {
        case .a(let address), .aaaa(let address): address
        default: nil
        }
      }
    }
    cancel(id)
    events.append(
      .resolved(id, Resolution(host: target, port: port, txt: strings, interface: index, addresses: addresses)))
  }
}

extension Operation {
  func concerns(_ index: UInt32) -> Bool { interface == 0 || interface == index }
}

extension Record {
  /// The instance that a pointer of a type names (RFC 6763 §4.1); `nil` where it names something else.
  fileprivate var instance: DomainName? {
    guard case .ptr(let target) = data, target.parent == name else { return nil }
    return target
  }
}
