import BumpClaims
import Synchronization

/// The functions that are called with each claim that has changed.
final class ClaimListeners: Sendable {
  private let all = Mutex<[@Sendable (ClaimID) -> Void]>([])

  func add(_ listener: @escaping @Sendable (ClaimID) -> Void) { all.withLock { $0.append(listener) } }

  func tell(_ claim: ClaimID) {
    for listener in all.withLock({ $0 }) { listener(claim) }
  }
}
