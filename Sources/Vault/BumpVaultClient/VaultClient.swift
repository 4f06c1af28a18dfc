public import BumpClaims
public import BumpVaultAPI
import BumpWallet
import Synchronization

/// Runs sessions with a vault: sends their requests and passes the answers back. It makes no decisions.
public struct VaultClient: Sendable {
  private let transport: any VaultTransport
  /// Returns the time in seconds since 1970.
  let now: @Sendable () -> Int64
  private let random: RandomBytes
  private let pause: @Sendable (Duration) async -> Void

  /// - Parameters:
  ///   - transport: sends the requests.
  ///   - now: returns the time in seconds since 1970.
  ///   - random: draws the nonces for which vaults prove who they are.
  ///   - pause: waits before a request is sent again. It returns early if the task is cancelled.
  public init(
    _ transport: any VaultTransport, now: @escaping @Sendable () -> Int64, random: RandomBytes = .system,
    pause: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
  ) {
    (self.transport, self.now, self.random, self.pause) = (transport, now, random, pause)
  }

  /// How long a session may take, unless another limit is given.
  public static let limit: Duration = .seconds(15)

  /// Runs a session to its end.
  ///
  /// - Parameters:
  ///   - limit: how long the session may take, checked before each request and while it solves a challenge. Once it is
  ///     over, or if the task is cancelled, the session ends with the outcome that it knows.
  ///   - record: stores the request, durably, before it is sent. If it throws, the request is not sent, and this throws
  ///     the same error.
  public func run<Session: VaultSession>(
    _ session: Session, within limit: Duration = Self.limit,
    record: @Sendable (_ request: String) async throws -> Void = { _ in }
  ) async throws -> Session.Outcome {
    try await run(session, within: limit) { request, _ in try await record(request) }
  }

  /// Runs a session to its end, as above.
  ///
  /// - Parameter record: stores the request and with a payout the vault's time at which it held the amount, in seconds
  ///   since 1970; `nil` if the vault did not say so.
  public func run<Session: VaultSession>(
    _ session: Session, within limit: Duration = Self.limit,
    record: @Sendable (_ request: String, _ heldAt: Int64?) async throws -> Void
  ) async throws -> Session.Outcome {
    var session = session
    let end = ContinuousClock.now + limit
    guard let nonce = Bytes32(random.draw(32)) else { preconditionFailure("32 bytes were drawn") }
    var input = VaultInput.begin(nonce: nonce)
    while true {
      switch session.handle(input, at: now()) {
      case .finish(let outcome): return outcome
      case .record(let request, let heldAt):
        try await record(request, heldAt)
        input = .recorded
      case .solve(let challenge):
        let solution = await challenge.solved { Task.isCancelled || ContinuousClock.now >= end }
        // A vault whose challenge has no solution is not to be believed; one whose challenge takes too long is slow.
        let isStopped = solution == nil && (Task.isCancelled || ContinuousClock.now >= end)
        input = isStopped ? .timeUp : .solved(solution)
      case .ask(let request, let delay):
        if delay > .zero { await pause(min(delay, max(.zero, ContinuousClock.now.duration(to: end)))) }
        let left = ContinuousClock.now.duration(to: end)
        input =
          Task.isCancelled || left <= .zero
          ? .timeUp : .reply(await transport.send(request, within: left))
      }
    }
  }

  /// Watches a claim until it is final.
  ///
  /// - Parameter tell: called with each change, also the last one, and with each stream that is not about this claim.
  /// - Returns: the final state; `nil` if the task was cancelled before.
  public func watch(
    _ watch: ClaimWatch, tell: @escaping @Sendable (ClaimWatch.Step) -> Void
  ) async -> ClaimResponse? {
    let state = Mutex(WatchState(watch: watch))
    while !Task.isCancelled {
      await transport.listen(to: watch.request) { bytes in
        let steps = state.withLock { $0.take(bytes) }
        steps.forEach(tell)
        return steps.allSatisfy { if case .tell = $0 { true } else { false } }
      }
      if let last = state.withLock({ $0.last }) { return last }
      let step = state.withLock { $0.ended() }
      if case .listen(let delay) = step { await pause(delay) }
    }
    return nil
  }
}

/// A watch, and the parser of the stream that it reads.
private struct WatchState {
  var watch: ClaimWatch
  private var parser = EventParser()
  private(set) var last: ClaimResponse?

  init(watch: ClaimWatch) {
    self.watch = watch
  }

  /// - Returns: the steps that the bytes cause, except those without a change; none after a step that ends the stream.
  mutating func take(_ bytes: [UInt8]) -> [ClaimWatch.Step] {
    var steps: [ClaimWatch.Step] = []
    for event in parser.parse(bytes) {
      let step = watch.received(event)
      switch step {
      case .none, .listen: continue
      case .tell: steps.append(step)
      case .finish(let answer):
        last = answer
        return steps + [step]
      case .drop: return steps + [step]
      }
    }
    return steps
  }

  mutating func ended() -> ClaimWatch.Step {
    parser = EventParser()
    return watch.ended()
  }
}
