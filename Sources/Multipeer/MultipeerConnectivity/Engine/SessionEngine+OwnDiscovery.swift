import BumpDiscovery
import BumpMultipeer

/// The state of a session for peers that its program finds by other means than a browser.
struct OwnDiscovery {
  /// An attempt to connect to a peer.
  struct Attempt {
    let introduction: Introduction
    let hosts: [HostAddress]
    let end: Moment
  }

  /// How long connecting is retried: the time that the two programs have between their calls.
  static let patience: Duration = .seconds(30)
  /// The time between two tries to connect: the other program may not have called yet.
  static let pause: Duration = .milliseconds(250)

  /// The share of this end in the data made for each peer.
  var shares: [PeerID: [UInt8]] = [:]
  var attempts: [PeerID: Attempt] = [:]
}

extension SessionEngine {
  /// Returns the data for a peer to connect to this one; `nil` if this host has no address, or for the local peer.
  func connectionData(for peer: Peer) -> [UInt8]? {
    let hosts = ownHosts
    guard peer != terms.peer, !hosts.isEmpty else { return nil }
    return lock.withLock {
      var generator = node.environment.random
      let share =
        ownDiscovery.shares[peer.id]
        ?? (0..<ConnectionData.share).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      ownDiscovery.shares[peer.id] = share
      return ConnectionData(from: terms.peer, to: peer.id, share: share, hosts: hosts).bytes
    }
  }

  /// Connects to a peer with the data that the peer's program made. Both ends call it, in any order.
  func connect(to peer: Peer, with bytes: [UInt8]) {
    lock.withLock {
      guard traffic[peer] == nil else { return }
      guard
        let data = try? ConnectionData(bytes), data.from == peer, data.to == terms.peer.id,
        let share = ownDiscovery.shares.removeValue(forKey: peer.id), let host = data.hosts.first
      else { return tell(.state(peer, .notConnected)) }
      let introduction = Introduction(peer: data.from, host: host, ticket: data.ticket(with: share))
      ownDiscovery.attempts[peer.id] = .init(
        introduction: introduction, hosts: data.hosts, end: node.now + OwnDiscovery.patience)
      attempt(peer)
    }
  }

  /// Cancels connecting to a peer, and makes the unused data that this end made for it invalid.
  func cancelConnect(to peer: Peer) {
    lock.withLock {
      ownDiscovery.shares[peer.id] = nil
      guard ownDiscovery.attempts.removeValue(forKey: peer.id) != nil else { return }
      handle(.forget(peer))
    }
  }

  /// Tries to connect, and schedules the next try. Call it under the lock.
  private func attempt(_ peer: Peer) {
    guard let attempt = ownDiscovery.attempts[peer.id] else { return }
    guard node.now < attempt.end else {
      ownDiscovery.attempts[peer.id] = nil
      return handle(.forget(peer))
    }
    plan()
    handle(.connect(attempt.introduction))
    later(OwnDiscovery.pause) { $0.attempt(peer) }
  }

  /// The addresses of this host, link-local ones last; the loopback addresses only if it has no others.
  private var ownHosts: [HostAddress] {
    let all = (node.networks().entries ?? []).compactMap { HostAddress(address: $0.address, port: terms.port) }
    let others = all.filter { !$0.isLoopback && !LocalNetworks.isLinkLocal($0.address) }
    let linkLocal = all.filter { LocalNetworks.isLinkLocal($0.address) }
    guard terms.port != 0 else { return [] }
    return Array((others.isEmpty && linkLocal.isEmpty ? all : others + linkLocal).prefix(ConnectionData.hosts))
  }
}
