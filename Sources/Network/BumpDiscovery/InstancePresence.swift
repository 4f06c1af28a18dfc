/// Merges the events of several streams for each instance, such as those of IPv4 and IPv6: found with the first, lost
/// with the last.
///
/// It holds at most as many instances as the streams report, which is bounded.
package struct InstancePresence {
  private var counts: [ServiceInstance: Int] = [:]

  package init() {}

  /// Returns the event if it changes whether the instance is present; `nil` otherwise.
  package mutating func news(_ event: BrowseEvent) -> BrowseEvent? {
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
