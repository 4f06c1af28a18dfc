import BumpDiscovery

/// The hosts whose senders did not answer when an offer or a claim was due. Pure.
///
/// An instance name costs nothing, so a sender that takes a new name for each bump is recognized by its address. One
/// address may have several senders, honest ones too. So senders on these hosts are not excluded: they come after the
/// others.
struct SilentHosts: Sendable {
  /// The limit on hosts kept: anybody can have many addresses.
  static let maximum = 64
  /// How long the senders of a host come after others.
  static let rest: Duration = .seconds(60)

  /// Each host as an endpoint without its port.
  private var entries: [(host: Endpoint, until: Moment)] = []

  mutating func add(_ host: Endpoint, at now: Moment) {
    remove(host)
    if entries.count >= Self.maximum { entries.removeFirst() }
    entries.append((host, now + Self.rest))
  }

  /// Removes a host: one of its senders has handed over its claim.
  mutating func remove(_ host: Endpoint) { entries.removeAll { $0.host == host } }

  /// Removes the hosts whose time has passed.
  mutating func prune(at now: Moment) { entries.removeAll { $0.until <= now } }

  func contains(_ host: Endpoint) -> Bool { entries.contains { $0.host == host } }
}
