import BumpDiscovery
import BumpNet
import BumpSession
import BumpWire

/// Browses for the senders that a receiver with a credential can use.
///
/// With a code, it browses the subtype of the code's channel alone. With a key, it browses the key's subtypes of three
/// hours: this one, the one before and the one after. At the turn of an hour, one of them is replaced. Otherwise it
/// browses the type.
///
/// If no sender has a subtype for some seconds, it looks at the other senders once. They show what is wrong: a channel
/// that was mistyped, a clock that is hours off.
actor SenderBrowsing {
  /// How long a sender of a subtype is waited for before the others are looked at, but at most half of the limit.
  static let patience: Duration = .seconds(3)
  /// How long the others are looked at.
  static let timeToLook: Duration = .seconds(1)
  /// The most others that are looked at, so that the cost does not grow with their number.
  static let mostOthers = 16

  private let discovery: any Discovery
  private let type: ServiceType
  private let timeline: Timeline
  private let limit: Duration
  private let unixTime: @Sendable () -> Int64
  private let tell: @Sendable (BrowseEvent) async -> Void
  /// The instances that are found, each in one or more hours.
  private var presence = InstancePresence()
  private var hours: [Hour: Set<ServiceInstance>] = [:]
  /// Whether a subtype had a sender.
  private var hasFound = false

  /// - Parameters:
  ///   - limit: how long senders are looked for.
  ///   - unixTime: returns the time of day, in seconds since 1970, which decides the hour.
  ///   - tell: receives the events of discovery, of all hours together.
  init(
    _ discovery: any Discovery, _ type: ServiceType, on timeline: Timeline, for limit: Duration,
    unixTime: @escaping @Sendable () -> Int64, tell: @escaping @Sendable (BrowseEvent) async -> Void
  ) {
    (self.discovery, self.type, self.timeline, self.limit) = (discovery, type, timeline, limit)
    (self.unixTime, self.tell) = (unixTime, tell)
  }

  /// Browses until the task is cancelled, or discovery fails.
  func run(with credential: Credential) async throws {
    switch credential {
    case .none:
      for try await event in discovery.browse(type) { await tell(event) }
    case .code(let code):
      try await browseSubtypes { group in
        group.addTask { try await self.browse(.ofChannel(code.channel)) }
      }
    case .key(let key):
      try await browseSubtypes { group in
        // Of any three hours in a row, each has another place.
        for place in 0..<Hour.nearCount {
          group.addTask { [unixTime] in
            while !Task.isCancelled {
              for hour in Hour(at: unixTime()).near where hour.isAt(place) { try await self.browse(hour, of: key) }
            }
          }
        }
      }
    }
  }

  private func browseSubtypes(_ begin: (inout ThrowingTaskGroup<Void, any Error>) -> Void) async throws {
    // Swift 6.3.1 does not always return from a group that discards its results when it is cancelled.
    try await withThrowingTaskGroup(of: Void.self) { group in
      begin(&group)
      group.addTask { try await self.lookAtOthers() }
      for try await _ in group {}
    }
  }

  private func browse(_ subtype: ServiceSubtype) async throws {
    for try await event in discovery.browse(type, subtype: subtype) { await report(event) }
  }

  /// Browses one hour's subtype until that hour is no longer near. Then the instances that no other hour has are lost.
  private func browse(_ hour: Hour, of key: SharedKey) async throws {
    hours[hour] = []
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask { [discovery, type] in
        let subtype = ServiceSubtype.ofKey(key, in: hour)
        for try await event in discovery.browse(type, subtype: subtype) { await self.take(event, of: hour) }
        return false
      }
      group.addTask { [timeline, unixTime] in
        await timeline.waitForHours(by: unixTime) { !$0.near.contains(hour) }
        return true
      }
      defer { group.cancelAll() }
      while let isOver = try await group.next(), !isOver {}
    }
    for instance in hours.removeValue(forKey: hour) ?? [] { await report(.lost(instance)) }
  }

  /// The number of listings: an instance that two hours list has two. For tests.
  var listingCount: Int { hours.values.reduce(0) { $0 + $1.count } }

  private func take(_ event: BrowseEvent, of hour: Hour) async {
    let isNews =
      switch event {
      case .found(let instance): hours[hour]?.insert(instance).inserted == true
      case .lost(let instance): hours[hour]?.remove(instance) != nil
      }
    if isNews { await report(event) }
  }

  private func report(_ event: BrowseEvent) async {
    guard let event = presence.news(event) else { return }
    hasFound = true
    await tell(event)
  }

  /// Reports some of the senders of any subtype, unless one of ours was found in time. That they are lost is not
  /// reported.
  private func lookAtOthers() async throws {
    await timeline.wait(timeline.now() + min(Self.patience, limit / 2))
    guard !Task.isCancelled, !hasFound else { return }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [discovery, type, tell] in
        var others: Set<ServiceInstance> = []
        for try await case .found(let instance) in discovery.browse(type) where others.insert(instance).inserted {
          await tell(.found(instance))
          if others.count == Self.mostOthers { return }
        }
      }
      group.addTask { [timeline] in await timeline.wait(timeline.now() + Self.timeToLook) }
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}

extension Timeline {
  /// Waits until, at the turn of an hour, the new hour satisfies a condition. Returns early if the task is cancelled.
  func waitForHours(by unixTime: @Sendable () -> Int64, until isDue: @Sendable (Hour) -> Bool) async {
    while !Task.isCancelled {
      // One reading: between two, an hour might end.
      let time = unixTime()
      if isDue(Hour(at: time)) { return }
      await wait(now() + Hour.rest(at: time))
    }
  }
}
