import BumpVault
import Synchronization

/// Lets requests pass within a limit, which this process counts alone or all servers of a vault count together.
///
/// While the ledger fails, each server counts alone. Requests that need the database fail then anyway; the others
/// should go on.
final class RequestGate: Sendable {
  private struct State {
    var leases: RequestLeases
    /// The requests to the ledger that are under way.
    var asking: [ClientAddress?: Task<Void, Never>] = [:]
    /// The time until which the ledger is not asked, since it has failed, in microseconds of `uptime`.
    var resting = Int64.min
  }

  private enum Decision {
    case verdict(RequestLeases.Verdict)
    case local
    case wait(Task<Void, Never>)
  }

  private let local: RequestLimiter
  private let ledger: (any RequestLedger)?
  private let kind: UInt8
  private let uptime: @Sendable () -> Int64
  private let report: @Sendable (VaultStoreError) -> Void
  private let state: Mutex<State>

  /// How long the ledger is not asked after a failure, in microseconds.
  private static let rest: Int64 = 1_000_000

  /// - Parameters:
  ///   - kind: distinguishes the buckets of several limits in one ledger.
  ///   - ledger: counts for all servers; `nil` if this is the only one.
  ///   - uptime: returns the milliseconds of a clock that is never set.
  ///   - report: receives failures of the ledger.
  init(
    perMinute: Int, kind: UInt8, ledger: (any RequestLedger)?, uptime: @escaping @Sendable () -> Int64,
    report: @escaping @Sendable (VaultStoreError) -> Void
  ) {
    (self.ledger, self.kind, self.uptime, self.report) = (ledger, kind, uptime, report)
    local = RequestLimiter(perMinute: perMinute)
    state = Mutex(State(leases: RequestLeases(perMinute: perMinute, step: local.step)))
  }

  /// Counts a request, or returns after how many seconds it may be repeated.
  ///
  /// - Parameters:
  ///   - isCounted: whether to count the request, or only to check the limit.
  ///   - waitsForLedger: whether the request waits for a lease that the ledger has to give first. Otherwise this server
  ///     counts it alone until the lease is here.
  /// - Returns: `nil` if the request is within the limit.
  func wait(_ network: ClientAddress, isCounted: Bool, waitsForLedger: Bool = true) async -> Int64? {
    guard let ledger else { return local.wait(network, at: uptime(), isCounted: isCounted) }
    while true {
      switch decide(network, isCounted, ledger) {
      case .verdict(.refused(let seconds)): return seconds
      case .verdict: return nil
      case .local: return local.wait(network, at: uptime(), isCounted: isCounted)
      case .wait where !waitsForLedger: return local.wait(network, at: uptime(), isCounted: isCounted)
      case .wait(let asking): await asking.value
      }
    }
  }

  private func decide(_ network: ClientAddress, _ isCounted: Bool, _ ledger: any RequestLedger) -> Decision {
    let now = uptime() * 1000
    return state.withLock { state in
      guard now >= state.resting else { return .local }
      let key = state.leases.key(of: network, at: now)
      let verdict = state.leases.verdict(on: key, at: now, isCounted: isCounted)
      guard verdict == .needsLease else { return .verdict(verdict) }
      // One task asks for all requests that wait for it. It is not cancelled with any of them.
      let asking = state.asking[key] ?? Task { await self.ask(ledger, for: key) }
      state.asking[key] = asking
      return .wait(asking)
    }
  }

  private func ask(_ ledger: any RequestLedger, for key: ClientAddress?) async {
    let asked = uptime() * 1000
    let (share, step) = state.withLock { ($0.leases.share, $0.leases.step) }
    do {
      let lease = try await ledger.take(from: [kind] + (key?.bytes ?? []), most: share, step: step)
      state.withLock { state in
        state.leases.note(lease, for: key, askedAt: asked)
        state.asking[key] = nil
      }
    } catch {
      report(error as? VaultStoreError ?? VaultStoreError(.failed, "requests could not be counted: \(type(of: error))"))
      let now = uptime() * 1000
      state.withLock { state in
        state.resting = now + Self.rest
        state.asking[key] = nil
      }
    }
  }
}
