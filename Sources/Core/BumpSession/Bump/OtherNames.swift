import BumpDiscovery
import BumpWire

/// The senders nearby whose names are not the wanted one, which a person may have mistyped. Pure.
struct OtherNames: Sendable {
  /// The limit on names kept: anybody can announce any number.
  static let maximum = 16

  /// How long after the first of them they are reported, if no sender of the wanted name is found.
  private let delay: Duration
  /// The instances of each name, one for each interface.
  private var instances: [String: Set<ServiceInstance>] = [:]
  /// When the first of them was found; `nil` if there is none.
  private var since: Moment?
  private var isReported = false
  /// Whether a sender of the wanted name was found.
  private var isWantedFound = false

  /// - Parameter limit: how long senders are looked for.
  init(limit: Duration) { delay = min(Times.telling, limit / 2) }

  /// When `report` is due.
  var deadline: Moment? { isReported || isWantedFound ? nil : since.map { $0 + delay } }

  /// The senders, if none of the wanted name was found.
  var list: [SenderCandidate] {
    isWantedFound ? [] : SenderCandidate.list(of: instances.keys.map { .instance($0) }, modes: [:])
  }

  /// Notes that a sender of the wanted name was found. From now on no others are reported.
  mutating func foundWanted() { isWantedFound = true }

  mutating func found(_ instance: ServiceInstance, at now: Moment) {
    guard instances[instance.name] != nil || instances.count < Self.maximum else { return }
    instances[instance.name, default: []].insert(instance)
    since = since ?? now
  }

  mutating func lost(_ instance: ServiceInstance) {
    instances[instance.name]?.remove(instance)
    if instances[instance.name]?.isEmpty == true { instances[instance.name] = nil }
    if instances.isEmpty { since = nil }
  }

  /// Returns the senders to report now, once; `nil` if that is not due.
  mutating func report(at now: Moment) -> [SenderCandidate]? {
    guard let deadline, now >= deadline else { return nil }
    isReported = true
    return list
  }
}
