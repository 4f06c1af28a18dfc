import BumpDiscovery

/// The hosts whose senders fell silent when they owed an offer or a claim. Pure.
///
/// A sender's instance name costs nothing: a sender that takes a new one for each bump is known by its address. Behind
/// one address there may be several senders, honest ones too, so that these hosts come after the others, and not never.
struct SilentHosts: Sendable {
  /// As many as are kept: anybody may have many addresses.
  static let maximum = 64
  /// How long a host comes after the others.
  static let rest: Duration = .seconds(60)

  /// Each host as an endpoint without its port.
  private var entries: [(host: Endpoint, until: Moment)] = []

  mutating func add(_ host: Endpoint, at now: Moment) {
    remove(host)
    if entries.count >= Self.maximum { entries.removeFirst() }
    entries.append((host, now + Self.rest))
  }

  /// A sender of this host has handed its claim over.
  mutating func remove(_ host: Endpoint) { entries.removeAll { $0.host == host } }

  /// Forgets those that have rested.
  mutating func prune(at now: Moment) { entries.removeAll { $0.until <= now } }

  func contains(_ host: Endpoint) -> Bool { entries.contains { $0.host == host } }
}
