public import BumpFaults
import Synchronization

/// The sending direction of a connection under a plan: takes bytes, and sends them when they are due, in order.
public final class FaultyLine: Sendable {
  private enum Step {
    case bytes([UInt8])
    case end
  }

  private struct State {
    var flow: FaultyFlow
    var isOver = false
    /// The number of steps that are not done yet.
    var waiting = 0
  }

  private let state: Mutex<State>
  private let clock: FaultClock
  private let steps: AsyncStream<(due: Duration, step: Step)>.Continuation
  private let deliver: @Sendable ([UInt8]) -> Void
  private let end: @Sendable () -> Void

  /// Makes the line of one connection.
  ///
  ///   - number: the number of the connection, from 1.
  ///   - isOpener: whether this end has opened the connection.
  ///   - deliver: sends bytes over the real connection.
  ///   - end: closes the real connection. Both ends notice, also where the plan cuts it for one of them only.
  public init(
    _ plan: FaultPlan, number: Int, isOpener: Bool, deliver: @escaping @Sendable ([UInt8]) -> Void,
    end: @escaping @Sendable () -> Void, clock: some Clock<Duration> = ContinuousClock()
  ) {
    let clock = FaultClock(clock)
    self.clock = clock
    state = Mutex(State(flow: FaultyFlow(plan, .init(number: number), isFromOpener: isOpener)))
    let (stream, steps) = AsyncStream.makeStream(of: (due: Duration, step: Step).self)
    (self.steps, self.deliver, self.end) = (steps, deliver, end)
    Task { [weak self] in
      for await (due, step) in stream {
        try? await clock.wait(due)
        switch step {
        case .bytes(let bytes): deliver(bytes)
        case .end: return end()
        }
        self?.state.withLock { $0.waiting -= 1 }
      }
    }
  }

  deinit { steps.finish() }

  /// Sends bytes, in the order of the calls.
  public func send(_ bytes: [UInt8]) {
    state.withLock { state in
      guard !state.isOver else { return }
      for arrival in state.flow.sent(bytes, at: clock.now()) {
        switch arrival {
        case .bytes(let bytes, let due): add(.bytes(bytes), due, &state)
        case .cut(let due, _):
          state.isOver = true
          add(.end, due, &state)
        }
      }
    }
  }

  /// Closes the connection after all that was sent. If the plan hides the end, it stays open until the other end closes
  /// it.
  public func close() {
    state.withLock { state in
      guard !state.isOver else { return }
      state.isOver = true
      guard !state.flow.hidesTheEnd else { return }
      for case .bytes(let bytes, let due) in state.flow.ended(at: clock.now()) { add(.bytes(bytes), due, &state) }
      add(.end, state.flow.settled(at: clock.now()), &state)
    }
  }

  /// Does a step when it is due and all steps before it are done. A step that is due now is done before this returns: a
  /// process may exit after the last bytes that it sends.
  private func add(_ step: Step, _ due: Duration, _ state: inout State) {
    guard state.waiting == 0, due <= clock.now() else {
      state.waiting += 1
      steps.yield((due, step))
      return
    }
    switch step {
    case .bytes(let bytes): deliver(bytes)
    case .end: end()
    }
  }
}
