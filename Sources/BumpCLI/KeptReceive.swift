import BumpClaims
import BumpDiscovery
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
  private let (signaled, signals) = AsyncStream.makeStream(of: Signal.self)
  /// The hosts of the senders whose claims are stored.
  private let hosts = Mutex<[VerifiedClaim: RemoteHost?]>([:])

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
    defer { signals.yield(.finished) }
    let outcome = try await receive(decide, documents)
    signals.yield(.finished)
    await settling
    return outcome
  }

  /// What changes whose turn it is to have the vault asked.
  private enum Signal: Sendable {
    case arrived(VerifiedClaim, RemoteHost?)
    case ended(RemoteHost?)
    /// A sender's next claim may be asked about.
    case due
    /// No more claims arrive.
    case finished
  }

  private func settle(_ money: ReceivedMoney) async {
    let begin = ContinuousClock.now
    var turns = FundingTurns<RemoteHost, VerifiedClaim>()
    var isFinished = false
    var timer: Task<Void, any Error>?
    defer { timer?.cancel() }
    await withTaskGroup(of: Void.self) { group in
      for await signal in signaled {
        let now = begin.duration(to: .now)
        switch signal {
        case .arrived(let claim, let host):
          if let refused = turns.add(claim, from: host, at: now) { report.funded(money.notAsked(about: refused)) }
        case .ended(let host): turns.ended(host)
        case .due: break
        case .finished: isFinished = true
        }
        while let (claim, host) = turns.next(at: now) {
          group.addTask {
            self.report.funded(await money.settled(claim))
            self.signals.yield(.ended(host))
          }
        }
        // At the end a sender's further claims are not waited for.
        if isFinished, turns.isAtRest {
          for claim in turns.removeAll() { report.funded(money.notAsked(about: claim)) }
          return
        }
        timer?.cancel()
        timer = turns.due.map { due in
          Task {
            try await Task.sleep(for: due - now)
            signals.yield(.due)
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
          onStored: { claim, host in self.hosts.withLock { $0[claim] = .some(host) } })
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
      signals.yield(.arrived(claim, hosts.withLock { $0.removeValue(forKey: claim) } ?? nil))
    }
    if Console.hasLostResult { gone.finish() }
  }
}
