import BumpClaims
import BumpDiscovery
import BumpWire

/// The end of the bump, and its outcome.
extension ReceiverBump {
  /// Why no more senders are tried.
  enum Closing {
    /// The time limit has passed.
    case timeUp
    /// The person here has no other code to enter.
    case noCode
    /// The outcome is certain: a claim or a document was received, stored or not.
    case settled
    case interrupted, discoveryUnavailable, interference

    /// What the senders that have not answered yet are told.
    var abort: AbortReason {
      switch self {
      case .timeUp: .timedOut
      case .interrupted: .shuttingDown
      default: .busy
      }
    }
  }

  /// Stops the search. From now on only sessions that have received WELCOME continue.
  mutating func stopSearching(_ reason: Closing, at now: Moment) -> [Action] {
    guard closing == nil else { return [] }
    closing = reason
    var withdrawn: [Action] = choice.isAsking ? [.withdrawChoice] : []
    if choice.isAsking { choice.open() }
    // The other questions to the person here may still be answered.
    if case .standing = codeQuestion { withdrawn += withdrawCode(at: now) }
    codeQuestionDue = nil
    return withdrawn + search.stopAll(isTimeUp: reason == .timeUp).map(Action.search)
      + dismiss(reason.abort, at: now, where: \.isMute)
  }

  /// Stops the search since the outcome is certain. Claims of other senders that are being stored are still waited for.
  mutating func settled(at now: Moment) -> [Action] {
    stopSearching(.settled, at: now) + dismiss(.busy, at: now) { !$0.isStoring }
  }

  /// Keeps the outcome to report if no better one follows: the person's decision or a doubt about authenticity,
  /// otherwise the first outcome. `keepReceiving` reports it at once.
  mutating func note(_ outcome: ReceiveOutcome) -> [Action] {
    guard !policy.keeps else { return [.event(.concluded(precise(outcome)))] }
    if verdict == nil || [.unauthenticated, .wrongCode, .wrongKey, .declinedHere].contains(outcome) {
      verdict = outcome
    }
    return []
  }

  /// Returns an outcome as it is reported: that a code whose tries are used up is wrong only if no try was unanswered.
  private func precise(_ outcome: ReceiveOutcome) -> ReceiveOutcome {
    outcome == .wrongCode && guesses >= Self.maximumGuesses && hasUnansweredTry ? .codeUnanswered : outcome
  }

  mutating func proceed(at now: Moment) -> [Action] {
    guard !isFinished else { return [] }
    var actions: [Action] = []
    if chosen == nil, let next = nextInQueue {
      queue.removeAll { $0 == next }
      chosen = next
      actions += forward(.chosen, to: next, at: now)
    }
    guard connections.isEmpty, !isFinished else { return actions }
    if let received { return actions + [finish(received)] }
    if let storeError { return actions + [fail(storeError)] }
    if isInterrupted { return actions + [finish(.interrupted)] }
    if isAskingCode { return actions }
    if let closing { return actions + [finish(outcome(of: closing))] }
    // A sender that was given or chosen is the only one. If it will not do, the bump ends.
    if policy.isDirect || choice.isMade, search.isIdle {
      return actions + [finish(verdict ?? .nobody(.failed, failures))]
    }
    // A code that one sender rejects may be the code of another that appears later.
    if verdict == .wrongCode, areGuessesSpent || wrongCodeEnd.map({ now >= $0 }) == true {
      return actions + [finish(.wrongCode)]
    }
    // The person here declined, or the sender has another version or no claim. More time changes neither if no other sender is left to try.
    guard let verdict, [.declinedHere, .otherVersion, .documentOffered].contains(verdict), search.isIdle else {
      return actions
    }
    return actions + [finish(verdict)]
  }

  /// Returns the outcome of a search that has ended without a claim.
  private func outcome(of closing: Closing) -> ReceiveOutcome {
    switch closing {
    case .noCode: verdict ?? .codeWanted
    case .discoveryUnavailable: .nobody(.discoveryUnavailable, failures)
    case .interference: (refusals >= Draws.maximum ? verdict : nil) ?? .nobody(.interference, failures)
    // After the last two another outcome is reported.
    case .timeUp, .settled, .interrupted: verdict ?? .nobody(.timeout, failures)
    }
  }

  /// The senders that failed. If a sender's mode would not do, it was passed over, and did not lack time.
  private var failures: [FailedPeer] {
    search.failures.map { peer in
      var peer = peer
      if peer.reason == .notTried, !fits(peer.mode) { peer.reason = .passedOver }
      return peer
    }
  }

  /// Ends the bump. If a claim could not be stored, the bump fails with that error, whatever else happened, unless
  /// another claim was stored.
  mutating func finish(_ outcome: ReceiveOutcome) -> Action {
    if let storeError, outcome.stored == nil { return fail(storeError) }
    isFinished = true
    return .finish(precise(outcome))
  }

  private mutating func fail(_ error: StoreError) -> Action {
    isFinished = true
    return .fail(error)
  }
}
