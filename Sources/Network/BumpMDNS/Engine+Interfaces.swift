extension Engine {
  /// The most interfaces that the engine uses.
  static var mostInterfaces: Int { 256 }

  /// Replaces the list of usable interfaces, with their addresses.
  public mutating func update(_ interfaces: [Interface], at now: Moment) {
    var current: [UInt32: Interface] = [:]
    for interface in interfaces where !interface.addresses.isEmpty && current.count < Self.mostInterfaces {
      current[interface.index] = interface
    }
    for index in interfaceStates.keys.sorted() where current[index] == nil { leave(index, at: now) }
    let share = Self.memoryLimit / max(2, current.count)
    for (index, interface) in current.sorted(by: { $0.key < $1.key }) {
      interfaceStates[index]?.cache.limit(to: share)
      if let state = interfaceStates[index] {
        if state.interface != interface { change(index, to: interface, at: now) }
      } else {
        interfaceStates[index] = InterfaceState(interface: interface, cache: Cache(budget: share))
        for link in interface.links { linkStates[link] = LinkState() }
        wantAll(on: index, at: now)
        for publication in services.values { begin(publication, on: index, at: now) }
      }
      digest(index, at: now)
    }
  }

  /// Removes an interface that has gone or lost its carrier: instances found on it are lost.
  private mutating func leave(_ index: UInt32, at now: Moment) {
    for link in links(of: index) { linkStates[link] = nil }
    interfaceStates[index]?.cache.removeAll()
    digest(index, at: now)
    interfaceStates[index] = nil
  }

  private mutating func change(_ index: UInt32, to interface: Interface, at now: Moment) {
    guard let before = interfaceStates[index]?.interface else { return }
    let (old, new) = (before.links, interface.links)
    for link in old.subtracting(new) { linkStates[link] = nil }
    for publication in services.values where publication.concerns(index) {
      let (was, will) = (publication.records(before.published), publication.records(interface.published))
      var gone = interfaceStates[index]?.zone.remove(publication.id, was) ?? []
      gone.removeAll { record in will.contains { $0.record == record } }
      // Goodbyes make others drop the old addresses at once (§10.1).
      goodbye(gone, on: index, at: now)
      interfaceStates[index]?.zone.add(will)
    }
    interfaceStates[index]?.interface = interface
    for link in new.subtracting(old) {
      linkStates[link] = LinkState()
      for key in interfaceStates[index]?.wanted.keys.map({ $0 }) ?? [] { linkStates[link]?.querier.begin(key, at: now) }
    }
    for id in services.keys where services[id]?.concerns(index) == true {
      announce(id, on: index, times: Timing.announcements, at: now)
    }
  }
}
