import BumpDiscovery

/// Merges the events of IPv4 and IPv6 for each instance: found with the first, lost with the last.
///
/// It holds at most as many instances as the daemon's cache, which is bounded.
struct InstancePresence {
  private var counts: [ServiceInstance: Int] = [:]

  /// Returns the event if it changes whether the instance is present; `nil` otherwise.
  mutating func news(_ event: BrowseEvent) -> BrowseEvent? {
    switch event {
    case .found(let instance):
      counts[instance, default: 0] += 1
      return counts[instance] == 1 ? event : nil
    case .lost(let instance):
      guard let count = counts[instance] else { return nil }
      counts[instance] = count == 1 ? nil : count - 1
      return count == 1 ? event : nil
    }
  }
}
