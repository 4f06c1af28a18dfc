extension Engine {
  // MARK: Asking

  /// Starts an operation. It emits events until it is cancelled, or ends with `resolved`.
  public mutating func start(_ operation: Operation, at now: Moment) -> OperationID {
    let id = OperationID(value: draw())
    operations[id] = operation
    for key in operation.keys { want(key, for: id, at: now) }
    for index in interfaceStates.keys.sorted() where operation.concerns(index) {
      report(known: id, operation, index, at: now)
    }
    return id
  }

  /// Ends an operation. Does nothing if the operation has ended.
  public mutating func cancel(_ id: OperationID) {
    guard let operation = operations.removeValue(forKey: id) else { return }
    for key in operation.keys {
      interested[key]?.remove(id)
      if interested[key]?.isEmpty == true { interested[key] = nil }
      for index in Array(interfaceStates.keys) where operation.concerns(index) { unwant(key, on: index) }
    }
  }

  /// Asks again for all records of an instance that did not answer at its address. Records that are not received again
  /// within ten seconds are removed (RFC 6762 §10.4).
  public mutating func reconfirm(_ instance: DomainName, interface: UInt32, at now: Moment) {
    guard let type = instance.parent else { return }
    for index in Array(interfaceStates.keys) where interface == 0 || interface == index {
      let subtypes = interfaceStates[index]?.wantedSubtypes(of: type) ?? []
      let pointers = [RecordKey(name: type, type: .ptr)] + subtypes
      for key in pointers { interfaceStates[index]?.cache.doubt(key, { $0 == .ptr(instance) }, at: now) }
      interfaceStates[index]?.cache.doubt(RecordKey(name: instance, type: .srv), at: now)
      interfaceStates[index]?.cache.doubt(RecordKey(name: instance, type: .txt), at: now)
      for link in links(of: index) {
        for key in pointers + [RecordKey(name: instance, type: .srv)] {
          linkStates[link]?.querier.renew(key, at: now)
        }
      }
    }
  }

  private mutating func want(_ key: RecordKey, for id: OperationID, at now: Moment) {
    guard let operation = operations[id], interested[key, default: []].insert(id).inserted else { return }
    for index in Array(interfaceStates.keys) where operation.concerns(index) {
      want(key, on: index, isQuiet: operation.isQuiet, at: now)
    }
  }

  private mutating func want(_ key: RecordKey, on index: UInt32, isQuiet: Bool, at now: Moment) {
    let count = (interfaceStates[index]?.wanted[key] ?? 0) + 1
    interfaceStates[index]?.wanted[key] = count
    guard count == 1 else { return }
    let isKnown = interfaceStates[index]?.cache.knows(key) == true
    for (place, link) in links(of: index).enumerated() {
      linkStates[link]?.querier.begin(
        key, isQuiet ? .quiet : isKnown ? .forAll : place == 0 ? .direct : .following, at: now)
    }
  }

  private mutating func unwant(_ key: RecordKey, on index: UInt32) {
    guard let count = interfaceStates[index]?.wanted[key] else { return }
    interfaceStates[index]?.wanted[key] = count > 1 ? count - 1 : nil
    guard count == 1 else { return }
    interfaceStates[index]?.askedByOthers[key] = nil
    for link in links(of: index) { linkStates[link]?.querier.end(key) }
  }

  /// Asks for everything that operations want on a new interface.
  mutating func wantAll(on index: UInt32, at now: Moment) {
    for (key, ids) in interested {
      for id in ids {
        guard let operation = operations[id], operation.concerns(index) else { continue }
        want(key, on: index, isQuiet: operation.isQuiet, at: now)
      }
    }
  }

  // MARK: Events

  /// Emits the events of a new operation that follow from known records.
  private mutating func report(known id: OperationID, _ operation: Operation, _ index: UInt32, at now: Moment) {
    guard let cache = interfaceStates[index]?.cache else { return }
    switch operation {
    case .browse(let type, _, _):
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
    case .overhear: break
    }
  }

  /// Emits the events that follow from the changes on an interface.
  mutating func digest(_ index: UInt32, at now: Moment) {
    for change in interfaceStates[index]?.cache.takeChanges() ?? [] {
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
    guard case .resolve(let instance, _)? = operations[id], let cache = interfaceStates[index]?.cache else { return }
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

extension Engine.InterfaceState {
  /// The subtypes of a type that operations browse.
  fileprivate func wantedSubtypes(of type: DomainName) -> [RecordKey] {
    wanted.keys.filter { $0.type == .ptr && $0.name != type && $0.name.listedType == type }
  }
}

extension Record {
  /// The instance that a pointer of a type or of a subtype names (RFC 6763 §4.1, §7.1); `nil` if it names something
  /// else.
  var instance: DomainName? {
    guard case .ptr(let target) = data, target.parent == name.listedType else { return nil }
    return target
  }
}
