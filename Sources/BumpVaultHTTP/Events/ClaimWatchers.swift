public import BumpClaims
import Synchronization

/// Those who wait for a claim to change. Each is woken where its claim moved, where its time has come, and at the end.
public final class ClaimWatchers: Sendable {
  private struct Watcher {
    let claim: ClaimID
    let network: ClientAddress
    let wake: AsyncStream<Void>.Continuation
    /// When it is to be woken in any case, in seconds since 1970.
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

  /// One who waits.
  struct Subscription: Sendable {
    let id: UInt64
    /// Wakes it up, the first time at once. Several at a time are one.
    let wakes: AsyncStream<Void>
  }

  /// - Returns: `nil` where there are too many already.
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

  /// Ends a subscription. To do it twice does nothing.
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

  /// Says when one who waits is to be woken next, in seconds since 1970.
  func wake(_ id: UInt64, at due: Int64) { state.withLock { $0.watchers[id]?.due = due } }

  /// Wakes those who wait for claims that have moved, in whichever process.
  public func moved(_ claims: some Sequence<ClaimID>) {
    state.withLock { state in
      for claim in claims {
        for id in state.byClaim[claim] ?? [] { state.watchers[id]?.wake.yield() }
      }
    }
  }

  /// Wakes those whose time has come. It is to be called each second.
  public func tick(_ now: Int64) {
    state.withLock { state in
      for (id, watcher) in state.watchers where watcher.due <= now {
        state.watchers[id]?.due = .max
        watcher.wake.yield()
      }
    }
  }

  /// Ends all streams, and lets no more begin. To do it again does nothing: each stream does it when the server ends.
  public func end() {
    state.withLock { state in
      guard !state.hasEnded else { return }
      state.hasEnded = true
      for watcher in state.watchers.values { watcher.wake.finish() }
    }
  }

  /// How many wait.
  public var count: Int { state.withLock { $0.watchers.count } }
}
