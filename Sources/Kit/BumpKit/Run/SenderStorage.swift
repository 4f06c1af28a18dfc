import BumpSession

/// What a sender stores about its handover, as the driver of its bump needs it.
protocol SenderStorage: Sendable {
  associatedtype Handover: BumpSession.Handover

  /// Carries out a request of the bump.
  ///
  /// - Returns: the answers, in order.
  func carryOut(_ request: Handover.Request) async -> [SenderBump<Handover>.Input]

  /// Records how the bump ended, and gives back the attempts at the digits that were reserved but not used.
  ///
  /// - Parameters:
  ///   - outcome: the outcome; `nil` if the bump failed or did not begin.
  ///   - attempts: how many attempts at the digits the bump used.
  /// - Returns: what to report about it.
  func conclude(_ outcome: Handover.Outcome?, of handover: Handover, attempts: Int) async -> [SendEvent]

  /// Returns the outcome with what another process may have recorded meanwhile.
  func updated(_ outcome: Handover.Outcome) async -> Handover.Outcome
}

/// A document is in no store, and its attempts are counted for one bump alone.
struct NoStorage: SenderStorage {
  func carryOut(_ request: Never) async -> [SenderBump<DocumentHandover>.Input] {}

  func conclude(_ outcome: DocumentOutcome?, of handover: DocumentHandover, attempts: Int) async -> [SendEvent] { [] }

  func updated(_ outcome: DocumentOutcome) async -> DocumentOutcome { outcome }
}
