import BumpClaims
import BumpKit
import Synchronization

/// Receives claims one after the other (`--keep`), until Ctrl-C or until stdout is closed.
final class KeptReceive: Sendable {
  private let receiver: Receiver
  private let report: ReceiveReport
  /// Asks a vault about the money of received claims; `nil` if no vault is asked.
  private let money: ReceivedMoney?
  private let count = Mutex(0)
  private let (readers, gone) = AsyncStream.makeStream(of: Void.self)
  private let (arrived, arrivals) = AsyncStream.makeStream(of: VerifiedClaim.self)

  init(_ receiver: Receiver, _ report: ReceiveReport, _ money: ReceivedMoney?) {
    (self.receiver, self.report, self.money) = (receiver, report, money)
  }

  /// Receives, reports the end, and returns the exit status.
  ///
  /// - Parameters:
  ///   - decide: decides about each offer of a claim; `nil` to accept all.
  ///   - documents: decides about each offer of a card or a link; `nil` to accept all.
  func run(
    _ decide: (@Sendable (Receiver.Question) async -> Bool)?,
    _ documents: (@Sendable (Receiver.DocumentQuestion) async -> Bool)?
  ) async -> ExitStatus {
    do {
      let outcome = try await Interrupt.cancels {
        self.report.console.say("Receiving until \(Interrupt.inWords).")
        return try await self.receiveAndSettle(decide, documents)
      }
      return report.keptResult(outcome ?? .interrupted, received: count.withLock(\.self))
    } catch {
      return report.keptFailure(CommandError(error), received: count.withLock(\.self))
    }
  }

  /// Receives, and meanwhile asks a vault about the money of received claims: the next claim does not wait for the
  /// vault.
  private func receiveAndSettle(
    _ decide: (@Sendable (Receiver.Question) async -> Bool)?,
    _ documents: (@Sendable (Receiver.DocumentQuestion) async -> Bool)?
  ) async throws -> ReceiveOutcome? {
    guard let money else { return try await receive(decide, documents) }
    async let settling: Void = settle(money)
    defer { arrivals.finish() }
    let outcome = try await receive(decide, documents)
    arrivals.finish()
    await settling
    return outcome
  }

  private func settle(_ money: ReceivedMoney) async {
    await withTaskGroup(of: Void.self) { group in
      var running = 0
      for await claim in arrived {
        // Each request uses a thread.
        if running < 8 { running += 1 } else { await group.next() }
        group.addTask { self.report.funded(await money.settled(claim)) }
      }
    }
  }

  private func receive(
    _ decide: (@Sendable (Receiver.Question) async -> Bool)?,
    _ documents: (@Sendable (Receiver.DocumentQuestion) async -> Bool)?
  ) async throws -> ReceiveOutcome? {
    try await withThrowingTaskGroup(of: ReceiveOutcome?.self) { group in
      group.addTask {
        try await self.receiver.keepReceiving(onEvent: { self.event($0) }, decide: decide, decideDocument: documents)
      }
      // Ends when stdout is closed: no claim may be accepted for a program that does not learn of it.
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
    if case .concluded(let outcome) = event, money != nil, let claim = StoredClaim(outcome)?.verified {
      arrivals.yield(claim)
    }
    if Console.hasLostResult { gone.finish() }
  }
}
