import Synchronization

/// Counts the connections of each network, so that one network cannot have them all.
public final class ConnectionShare: Sendable {
  private let counts = Mutex<[ClientAddress: Int]>([:])
  private let most: Int
  private let proxies: Proxies

  /// - Parameters:
  ///   - most: the greatest number of connections of an IPv4 address or of the /64 of an IPv6 address.
  ///   - proxies: have no such limit, since many clients come through each.
  public init(perNetwork most: Int, proxies: Proxies) {
    (self.most, self.proxies) = (most, proxies)
  }

  /// Returns the usual share: a tenth of all connections, and at least 100.
  public static func usual(of all: Int) -> Int { max(100, all / 10) }

  /// Counts a connection.
  ///
  /// - Returns: whether there is room for it. If so, the caller must call `leave` at its end.
  public func enter(_ peer: ClientAddress) -> Bool {
    if isProxy(peer) { return true }
    return counts.withLock { counts in
      guard counts[peer.network, default: 0] < most else { return false }
      counts[peer.network, default: 0] += 1
      return true
    }
  }

  /// Ends a connection that was counted.
  public func leave(_ peer: ClientAddress) {
    if isProxy(peer) { return }
    counts.withLock { counts in
      counts[peer.network, default: 1] -= 1
      if counts[peer.network] == 0 { counts[peer.network] = nil }
    }
  }

  /// The number of networks that have a connection.
  var networks: Int { counts.withLock(\.count) }

  private func isProxy(_ peer: ClientAddress) -> Bool { proxies.ranges.contains { $0.contains(peer) } }
}
