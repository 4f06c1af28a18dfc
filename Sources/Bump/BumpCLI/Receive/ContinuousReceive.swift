import BumpClaims
import BumpDiscovery
import BumpKit
import BumpTerminal
import Synchronization

/// Receives claims one after the other (`--keep`), until Ctrl-C or until stdout is closed.
final class ContinuousReceive: Sendable {
  private let receiver: Receiver
  private let report: ReceiveReport
  /// Asks a vault about the money of received claims; `nil` if no vault is asked.
  private let money: ReceivedMoney?
  private let count = Mutex(KeptCount())
  private let (readers, gone) = AsyncStream.makeStream(of: Void.self)
  private let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private let waiting = Mutex(Waiting())
  private let begin = ContinuousClock.now

  /// The stored claims about which a vault is to be asked.
  private struct Waiting {
    var turns = FundingTurns<RemoteHost, VerifiedClaim>()
    /// The hosts of the senders whose claims are stored, until these are added to `turns`.
    var hosts: [VerifiedClaim: RemoteHost] = [:]
    /// Whether no more claims arrive.
    var isComplete = false
  }

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
    let result: Result<ReceiveOutcome?, any Error>
    do {
      result = .success(try await receive(decide, documents))
    } catch {
      result = .failure(error)
    }
    waiting.withLock { $0.isComplete = true }
    changed.yield()
    await settling
    waiting.withLock { Self.end(&$0.turns, report) { money.notAsked(about: $0, $1) } }
    return try result.get()
  }

  /// Reports the claims that still wait for the vault when receiving ends, as at Ctrl-C: none is passed over in silence.
  static func end(
    _ turns: inout FundingTurns<RemoteHost, VerifiedClaim>, _ report: ReceiveReport,
    _ notAsked: (VerifiedClaim, String) -> ReceivedFunding
  ) {
    for claim in turns.removeAll() { report.funded(notAsked(claim, "receiving ended before it was asked")) }
  }

  /// Asks the vault about one claim after the other, until all that arrive are done, or until the task is cancelled.
  private func settle(_ money: ReceivedMoney) async {
    var timer: Task<Void, any Error>?
    defer { timer?.cancel() }
    await withTaskGroup(of: Void.self) { group in
      for await _ in changes {
        let now = begin.duration(to: .now)
        while let (claim, host) = waiting.withLock({ $0.turns.next(at: now) }) {
          group.addTask {
            self.report.funded(await money.settled(claim))
            self.waiting.withLock { $0.turns.ended(host) }
            self.changed.yield()
          }
        }
        let (isOver, due) = waiting.withLock { ($0.isComplete && $0.turns.isAtRest, $0.turns.due) }
        // At the end, claims that wait for their sender's allowance are not waited for.
        if isOver { return }
        timer?.cancel()
        timer = due.map { due in
          Task {
            try await Task.sleep(for: due - now)
            changed.yield()
          }
        }
      }
    }
  }

  private func receive(
    _ decide: (@Sendable (Receiver.Question) async -> Bool)?,
    _ documents: (@Sendable (Receiver.DocumentQuestion) async -> Bool)?
  ) async throws -> ReceiveOutcome? {
    try await withThrowingTaskGroup(of: ReceiveOutcome?.self) { group in
      group.addTask {
        try await self.receiver.keepReceiving(
          onEvent: { self.event($0) }, decide: decide, decideDocument: documents,
          onStored: { claim, host in if self.money != nil { self.waiting.withLock { $0.hosts[claim] = host } } })
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
    if case .concluded(let outcome) = event { count.withLock { $0.add(outcome) } }
    if let money, case .concluded(let outcome) = event, let claim = StoredClaim(outcome)?.verified {
      let refused = waiting.withLock {
        $0.turns.add(claim, from: $0.hosts.removeValue(forKey: claim), at: begin.duration(to: .now))
      }
      if let refused { report.funded(money.notAsked(about: refused, "too many claims of its sender are waiting")) }
      changed.yield()
    }
    if Console.hasLostResult { gone.finish() }
  }
}
