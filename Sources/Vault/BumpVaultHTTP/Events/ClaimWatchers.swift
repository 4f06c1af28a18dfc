public import BumpClaims
import Synchronization

/// The streams that wait for claims to change. A stream is woken when its claim changed or its time has come, and ended
/// when the server ends.
public final class ClaimWatchers: Sendable {
  private struct Watcher {
    let claim: ClaimID
    let network: ClientAddress
    let wake: AsyncStream<Void>.Continuation
    /// When to wake the watcher in any case, in seconds since 1970.
    var due: Int64
  }

  private struct State {
    var watchers: [UInt64: Watcher] = [:]
    var byClaim: [ClaimID: Set<UInt64>] = [:]
    var networks: [ClientAddress: Int] = [:]
    var next: UInt64 = 0
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let limit: Int
  private let limitPerNetwork: Int

  init(limit: Int, perNetwork: Int) {
    (self.limit, limitPerNetwork) = (limit, perNetwork)
  }

  /// A watcher's place in the list.
  struct Subscription: Sendable {
    let id: UInt64
    /// Wakes the watcher, the first time at once. Several wakes that were not read are one.
    let wakes: AsyncStream<Void>
  }

  /// Adds a watcher of a claim.
  ///
  /// - Returns: `nil` if there are too many watchers already, or if all streams were ended.
  func subscribe(_ claim: ClaimID, from network: ClientAddress) -> Subscription? {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    return state.withLock { state in
      let count = state.networks[network, default: 0]
      guard !state.hasEnded, state.watchers.count < limit, count < limitPerNetwork else { return nil }
      state.networks[network] = count + 1
      state.next += 1
      state.watchers[state.next] = Watcher(claim: claim, network: network, wake: wake, due: .max)
      state.byClaim[claim, default: []].insert(state.next)
      wake.yield()
      return Subscription(id: state.next, wakes: wakes)
    }
  }

  /// Ends a subscription. Ending it again does nothing.
  func end(_ id: UInt64) {
    state.withLock { state in
      guard let watcher = state.watchers.removeValue(forKey: id) else { return }
      watcher.wake.finish()
      state.byClaim[watcher.claim]?.remove(id)
      if state.byClaim[watcher.claim]?.isEmpty == true { state.byClaim[watcher.claim] = nil }
      state.networks[watcher.network, default: 1] -= 1
      if state.networks[watcher.network] == 0 { state.networks[watcher.network] = nil }
    }
  }

  /// Sets when to wake a watcher next, in seconds since 1970.
  func wake(_ id: UInt64, at due: Int64) { state.withLock { $0.watchers[id]?.due = due } }

  /// Wakes the watchers of claims that have changed, in whichever process.
  public func moved(_ claims: some Sequence<ClaimID>) {
    state.withLock { state in
      for claim in claims {
        for id in state.byClaim[claim] ?? [] { state.watchers[id]?.wake.yield() }
      }
    }
  }

  /// Wakes the watchers whose time has come. Call this each second.
  ///
  /// - Parameter now: the time in seconds since 1970.
  public func tick(_ now: Int64) {
    state.withLock { state in
      for (id, watcher) in state.watchers where watcher.due <= now {
        state.watchers[id]?.due = .max
        watcher.wake.yield()
      }
    }
  }

  /// Ends all streams, and allows no new ones. Calling it again does nothing: each stream calls it when the server
  /// ends.
  public func end() {
    state.withLock { state in
      guard !state.hasEnded else { return }
      state.hasEnded = true
      for watcher in state.watchers.values { watcher.wake.finish() }
    }
  }

  /// The number of watchers.
  public var count: Int { state.withLock { $0.watchers.count } }
}
