import BumpClaims
import BumpVault
import BumpVaultAPI
import BumpWallet

/// The stream of one claim's events: its state now, then each change, until it is final or the server ends.
///
/// Each time the stream is woken, it reads the claim again. So it misses no change between the first read and the
/// subscription. It also finds changes that another process made without a notification, with the next heartbeat.
public struct ClaimEvents: Sendable {
  let claim: ClaimID
  /// The name by which the client asked.
  let name: ClaimName
  let vault: any VaultBackend
  let subscription: ClaimWatchers.Subscription
  let watchers: ClaimWatchers
  let heartbeat: Int64
  let clock: @Sendable () -> Int64
  let report: @Sendable (VaultStoreError) -> Void

  /// Writes the stream. Returns at its end.
  ///
  /// - Parameter write: sends bytes. It returns once there is room for more.
  public func run(_ write: (_ bytes: [UInt8]) async throws -> Void) async throws {
    defer { end() }
    var told: ClaimView?
    for await _ in subscription.wakes {
      let now = clock()
      do {
        let view = try await vault.view(claim, askedBy: name)
        let expiry = view.terms.expiry.unixSeconds
        watchers.wake(
          subscription.id, at: Self.wake(after: view.event, expiry: expiry, at: now, heartbeat: heartbeat))
        if let told, view.takesBack(told) { try await write(ServerSentEvents.unsettled(view)) }
        try await write(told?.isEvent(of: view) == true ? ServerSentEvents.heartbeat : ServerSentEvents.event(view))
        told = view
        if ServerSentEvents.isLast(view) { return }
      } catch let refusal as VaultRefusal {
        // The draft has lapsed: nothing can follow. A chain whose nodes do not answer has not said that.
        guard refusal.code == .chainUnreachable else { return }
        watchers.wake(subscription.id, at: now + 1)
        try await write(ServerSentEvents.heartbeat)
      } catch let error as VaultStoreError {
        report(error)
        watchers.wake(subscription.id, at: now + 1)
        try await write(ServerSentEvents.heartbeat)
      }
    }
  }

  /// Returns when to read a claim again at the latest, in seconds since 1970: with the next heartbeat, or at the expiry
  /// of a pending claim. The store's clock may be a little behind this one: for a minute, the claim is read once more a
  /// second later. If the store does not believe the clock, it may be far behind.
  static func wake(after event: ClaimEvent, expiry: Int64, at now: Int64, heartbeat: Int64) -> Int64 {
    event == .pending && now - expiry < 60 ? min(now + heartbeat, max(expiry, now + 1)) : now + heartbeat
  }

  /// Ends a stream that was not begun.
  public func end() { watchers.end(subscription.id) }
}

extension ClaimView {
  /// Returns whether another view shows the same event, at the same level of the same chain.
  fileprivate func isEvent(of other: ClaimView) -> Bool {
    event == other.event && receiver == other.receiver && inclusion == other.inclusion
  }
}
