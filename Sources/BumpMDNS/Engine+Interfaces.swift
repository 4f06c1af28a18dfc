extension Engine {
  /// The most interfaces that are used.
  static var mostInterfaces: Int { 256 }

  /// Takes the interfaces that can be used at this moment, each with its addresses; all others are gone.
  public mutating func update(_ interfaces: [Interface], at now: Moment) {
    var current: [UInt32: Interface] = [:]
    for interface in interfaces where !interface.addresses.isEmpty && current.count < Self.mostInterfaces {
      current[interface.index] = interface
    }
    for index in places.keys.sorted() where current[index] == nil { leave(index, at: now) }
    let share = Self.memoryLimit / max(2, current.count)
    for (index, interface) in current.sorted(by: { $0.key < $1.key }) {
      places[index]?.cache.limit(to: share)
      if let place = places[index] {
        if place.interface != interface { change(index, to: interface, at: now) }
      } else {
        places[index] = Place(interface: interface, cache: Cache(budget: share))
        for link in interface.links { speakers[link] = Speaker() }
        wantAll(on: index, at: now)
        for publication in services.values { begin(publication, on: index, at: now) }
      }
      digest(index, at: now)
    }
  }

  /// An interface is gone, or its cable is out: what was found by it is lost.
  private mutating func leave(_ index: UInt32, at now: Moment) {
    for link in links(of: index) { speakers[link] = nil }
    places[index]?.cache.removeAll()
    digest(index, at: now)
    places[index] = nil
  }

  private mutating func change(_ index: UInt32, to interface: Interface, at now: Moment) {
    guard let before = places[index]?.interface else { return }
    let (old, new) = (before.links, interface.links)
    for link in old.subtracting(new) { speakers[link] = nil }
    for publication in services.values where publication.concerns(index) {
      let (was, will) = (publication.records(before.published), publication.records(interface.published))
      var gone = places[index]?.zone.remove(publication.id, was) ?? []
      gone.removeAll { record in will.contains { $0.record == record } }
      // Others forget at once what is no longer true (§10.1).
      goodbye(gone, on: index, at: now)
      places[index]?.zone.add(will)
    }
    places[index]?.interface = interface
    for link in new.subtracting(old) {
      speakers[link] = Speaker()
      for key in places[index]?.wanted.keys.map({ $0 }) ?? [] { speakers[link]?.querier.begin(key, at: now) }
    }
    for id in services.keys where services[id]?.concerns(index) == true {
      announce(id, on: index, times: Timing.announcements, at: now)
    }
  }
}
