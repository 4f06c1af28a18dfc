import BumpDiscovery
import BumpMultipeer
import Foundation
import NIOCore

/// Finds peers. Reports each once, on however many interfaces it is found.
final class Browser: @unchecked Sendable {
  enum Event: Sendable {
    case found(Peer, [String: String]?)
    case lost(Peer)
    case failed(any Error)
  }

  private struct Found {
    var peer: Peer?
    var instances: Set<ServiceInstance> = []
  }

  private let node: PeerNode
  private let own: Peer
  private let type: ServiceType
  private let onEvent: @Sendable (Event) -> Void
  private let lock = NSLock()
  private var task: Task<Void, Never>?
  private var starts = 0
  private var found: [PeerID: Found] = [:]
  private var resolving: [ServiceInstance: Task<Void, Never>] = [:]

  init(_ own: Peer, _ type: ServiceType, of node: PeerNode, onEvent: @escaping @Sendable (Event) -> Void) {
    (self.own, self.type, self.node, self.onEvent) = (own, type, node, onEvent)
  }

  deinit {
    task?.cancel()
    for task in resolving.values { task.cancel() }
  }

  /// Starts to browse. A repeated start does nothing.
  func start() {
    lock.withLock {
      guard task == nil else { return }
      starts += 1
      if let refusal = node.faults?.begins(.browsing, own) {
        return refusal.code.map { onEvent(.failed(NSError(refusalOfDiscovery: $0))) } ?? ()
      }
      node.add(self)
      defer { saw(nil, start: starts) }
      // The discovery calls `end` once it has nothing more to report for now.
      node.environment.begin()
      task = Task { [node, own, type, starts, weak self] in
        do {
          for try await event in await node.browse(type, for: own.id) { self?.handle(event, start: starts) }
        } catch {
          if !Task.isCancelled { self?.failed(error, start: starts) }
        }
      }
    }
  }

  func stop() { lock.withLock { end() } }

  private func end() {
    task?.cancel()
    task = nil
    for task in resolving.values { task.cancel() }
    resolving = [:]
    found = [:]
    node.remove(self)
    node.faults?.ends(.browsing, own)
  }

  /// Returns the instances under which a peer is found now.
  func instances(of peer: PeerID) -> [ServiceInstance] {
    lock.withLock { found[peer].map { $0.instances.sorted { $0.interface < $1.interface } } ?? [] }
  }

  /// Checks a peer that does not answer. If it is gone, it is reported lost within seconds, not only when its records
  /// expire.
  func doubt(_ peer: PeerID) {
    let instances = instances(of: peer)
    guard !instances.isEmpty else { return }
    node.task { [node] in
      let discovery = await node.discovery
      for instance in instances { discovery.reconfirm(instance) }
    }
  }

  /// Reports a failure. After it, the browser can be started again.
  private func failed(_ error: any Error, start: Int) {
    lock.withLock {
      guard task != nil, start == starts else { return }
      end()
      onEvent(.failed(NSError(error)))
    }
  }

  private func handle(_ event: BrowseEvent, start: Int) {
    lock.withLock {
      guard task != nil, start == starts else { return }
      switch event {
      case .found(let instance):
        guard let id = PeerInfo.id(ofInstance: instance.name), id != own.id,
          found[id]?.instances.contains(instance) != true
        else { return }
        found[id, default: Found()].instances.insert(instance)
        guard found[id]?.peer == nil else { return }
        resolve(instance, id, start: start, pause: Self.pause)
      case .lost where node.faults?.hidesLosses == true: break
      case .lost(let instance):
        resolving.removeValue(forKey: instance)?.cancel()
        guard let id = PeerInfo.id(ofInstance: instance.name), var entry = found[id] else { return }
        entry.instances.remove(instance)
        found[id] = entry.instances.isEmpty ? nil : entry
        if entry.instances.isEmpty, let peer = entry.peer { saw(.lost(peer), start: start) }
      }
    }
  }

  /// Resolves an instance; if that fails, once more after a pause, as long as the instance is there. Call it under the
  /// lock.
  private func resolve(_ instance: ServiceInstance, _ id: PeerID, start: Int, pause: Duration) {
    resolving[instance] = node.task { [node, own, weak self] in
      if let service = try? await node.discovery.resolve(instance) {
        self?.resolved(instance, id, service, start: start)
      } else if !Task.isCancelled {
        node.environment.schedule(at: node.now + pause, for: own.id) { [weak self] in
          self?.lock.withLock {
            guard let self, self.task != nil, start == self.starts, self.found[id]?.peer == nil,
              self.found[id]?.instances.contains(instance) == true
            else { return }
            self.resolve(instance, id, start: start, pause: min(pause * 2, Self.longestPause))
          }
        }
      }
    }
  }

  /// How long after a failure an instance is resolved once more: twice as long after each.
  private static let pause: Duration = .seconds(1)
  private static let longestPause: Duration = .seconds(60)

  private func resolved(_ instance: ServiceInstance, _ id: PeerID, _ service: ResolvedService, start: Int) {
    lock.withLock {
      guard start == starts else { return }
      resolving[instance] = nil
      guard
        task != nil, found[id]?.peer == nil, found[id]?.instances.contains(instance) == true,
        let info = PeerInfo(service.txt), let peer = Peer(id: id, name: info.name)
      else { return }
      found[id]?.peer = peer
      saw(.found(peer, info.info), start: start)
    }
  }

  /// Reports a sighting to the program, under the lock; or what a fault plan puts in its place, once that is due.
  private func saw(_ sighting: PeerSighting?, start: Int) {
    guard let faults = node.faults else { return sighting.map { onEvent(Event($0)) } ?? () }
    for (due, sighting) in faults.reports(of: sighting, to: own, at: node.now) {
      node.environment.schedule(at: due, for: own.id) { [own, weak self] in
        self?.lock.withLock {
          guard let self, self.task != nil, start == self.starts, faults.isDue(sighting, to: own) else { return }
          self.onEvent(Event(sighting))
        }
      }
    }
  }
}

extension Browser.Event {
  fileprivate init(_ sighting: PeerSighting) {
    switch sighting {
    case .found(let peer, let info): self = .found(peer, info)
    case .lost(let peer): self = .lost(peer)
    }
  }
}

extension Browser {
  /// How long one instance is resolved to an address.
  private static let patience: Duration = .seconds(2)

  /// Returns the addresses of a peer, one for each instance, the likeliest first. Each address must be on the network
  /// of the interface on which the instance was found, since anybody nearby can put any address into a record.
  func addresses(of peer: PeerID) async -> [SocketAddress] {
    let networks = node.networks()
    let instances = instances(of: peer)
    return await withTaskGroup(of: (SocketAddress, LocalNetworks.Likelihood)?.self) { group in
      for instance in instances {
        group.addTask { [node] in await Self.address(of: instance, on: networks, node) }
      }
      var all: [(SocketAddress, LocalNetworks.Likelihood)] = []
      for await found in group { if let found { all.append(found) } }
      return all.sorted { $0.1 < $1.1 }.map(\.0)
    }
  }

  private static func address(
    of instance: ServiceInstance, on networks: LocalNetworks, _ node: PeerNode
  ) async -> (SocketAddress, LocalNetworks.Likelihood)? {
    await withTaskGroup(of: (SocketAddress, LocalNetworks.Likelihood)?.self) { group in
      group.addTask {
        let discovery = await node.discovery
        guard let service = try? await discovery.resolve(instance) else { return nil }
        do {
          for try await address in discovery.addresses(of: service) {
            if let likelihood = networks.likelihood(of: address, seenOn: instance.interface) {
              return (address, likelihood)
            }
          }
        } catch {}
        return nil
      }
      group.addTask {
        try? await Task.sleep(for: patience)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }
}
