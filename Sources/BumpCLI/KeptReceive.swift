import BumpKit
import Synchronization

/// Claim after claim, until Ctrl-C, or until nobody reads of them any more.
final class KeptReceive: Sendable {
  private let receiver: Receiver
  private let report: ReceiveReport
  private let count = Mutex(0)
  private let (readers, gone) = AsyncStream.makeStream(of: Void.self)

  init(_ receiver: Receiver, _ report: ReceiveReport) {
    (self.receiver, self.report) = (receiver, report)
  }

  /// Says how it ended, and gives the exit status.
  ///
  /// - Parameter decide: What decides about each offer; `nil` where all are accepted.
  func run(_ decide: (@Sendable (Receiver.Question) async -> Bool)?) async throws -> ExitStatus {
    let outcome = try await Interrupt.cancels {
      self.report.console.say("Receiving until Ctrl-C.")
      return try await self.receive(decide)
    }
    return report.keptResult(outcome ?? .interrupted, received: count.withLock(\.self))
  }

  private func receive(_ decide: (@Sendable (Receiver.Question) async -> Bool)?) async throws -> ReceiveOutcome? {
    try await withThrowingTaskGroup(of: ReceiveOutcome?.self) { group in
      group.addTask { try await self.receiver.keepReceiving(onEvent: { self.event($0) }, decide: decide) }
      // Money is not to be taken for a program that does not hear of it.
      group.addTask {
        for await _ in self.readers {}
        return nil
      }
      let first = try await group.next() ?? nil
      group.cancelAll()
      guard first == nil else { return first }
      return try await group.next() ?? nil
    }
  }

  private func event(_ event: ReceiveEvent) {
    report.event(event, nil)
    if case .concluded(.received) = event { count.withLock { $0 += 1 } }
    if Console.hasLostResult { gone.finish() }
  }
}
