package import BumpDiscovery
import Synchronization

/// The senders that are here, from the creation of this object on: those whose records arrive. Nothing in them is
/// authenticated.
package final class NearbySenders: Sendable {
  /// The most senders to keep: anybody can announce as many as they like.
  package static let maximum = 16

  private final class Found: Sendable {
    let senders = Mutex<[Neighbour]>([])
  }

  private let found = Found()
  private let task: Task<Void, Never>

  /// Starts to browse. Browsing ends at `senders(at:)`, or when this object is released.
  ///
  /// - Parameter own: the instance name of this end's own sender, which is left out; `nil` if there is none.
  package init(_ neighbours: Neighbours, of type: ServiceType = .irlBump, besides own: String? = nil) {
    task = Task { [found] in
      // Without discovery no sender is found.
      do {
        for try await event in neighbours.lookAtRecords(type) {
          switch event {
          case .resolved(let sender) where sender.name != own:
            found.senders.withLock { if $0.count < Self.maximum { $0.append(sender) } }
          case .lost(let sender):
            found.senders.withLock { $0.removeAll { $0.name == sender.name } }
          case .found, .resolved, .changed: break
          }
        }
      } catch {}
    }
  }

  deinit { task.cancel() }

  /// The senders found so far, in the order in which they were found.
  package var senders: [Neighbour] { found.senders.withLock(\.self) }

  /// Stops browsing at that moment, and returns the senders found by then.
  package func senders(at moment: ContinuousClock.Instant) async -> [Neighbour] {
    // If the task is cancelled, nobody reads the answer.
    try? await Task.sleep(until: moment, clock: .continuous)
    task.cancel()
    return senders
  }
}
