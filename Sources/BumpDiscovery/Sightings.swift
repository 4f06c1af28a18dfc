/// Makes one story of an instance of what IPv4 and IPv6 tell of it.
///
/// It holds no more instances than the daemon's cache, which is bounded.
struct Sightings {
  private var counts: [ServiceInstance: Int] = [:]

  /// The event, where it is the first sight of an instance or the loss of the last.
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
