import BumpClaims
import BumpDiscovery
import BumpWire

/// The end of the bump, and its outcome.
extension ReceiverBump {
  /// Why no more senders are tried.
  enum ClosingReason {
    /// The time limit has passed.
    case timeUp
    /// The person here has no other code to enter.
    case noCode
    /// The outcome is certain: a claim or a document was received, stored or not.
    case settled
    /// The person here cancelled the bump. This reason replaces any other.
    case interrupted
    case discoveryUnavailable, interference

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
  mutating func stopSearching(_ reason: ClosingReason, at now: Moment) -> [Action] {
    var withdrawn: [Action] = []
    switch phase {
    case .searching(let searching):
      withdrawn = searching.openQuestion == nil ? [] : [.withdrawCode]
      phase = .closing(Closing(reason: reason))
    case .choosing:
      withdrawn = [.withdrawChoice]
      picker.open()
      phase = .closing(Closing(reason: reason))
    case .enteringCode(let question):
      phase = .closing(Closing(reason: reason, question: question))
    case .closing, .finished:
      return []
    }
    return withdrawn + connector.stopAll(isTimeUp: reason == .timeUp).map(Action.connector)
      + dismiss(reason.abort, at: now, where: \.isMute)
  }

  /// Stops the search since the outcome is certain: what was received, or why it could not be stored. Claims of other
  /// senders that are being stored are still waited for.
  mutating func settled(_ result: Result<ReceiveOutcome, StoreError>, at now: Moment) -> [Action] {
    let stopped = stopSearching(.settled, at: now)
    if case .closing(var closing) = phase {
      switch result {
      case .success(let outcome): closing.received = closing.received ?? outcome
      case .failure(let error): closing.storeError = error
      }
      phase = .closing(closing)
    }
    return stopped + dismiss(.busy, at: now) { !$0.isStoring }
  }

  /// Ends the search and all sessions since the person here cancelled the bump.
  mutating func interrupted(at now: Moment) -> [Action] {
    let stopped = stopSearching(.interrupted, at: now)
    phase.closing?.reason = .interrupted
    return stopped + dismiss(.shuttingDown, at: now) { _ in true }
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
    outcome == .wrongCode && guesses >= Self.maximumGuesses && tries.hasUnanswered ? .codeUnanswered : outcome
  }

  /// Returns the outcome of a search in which no session is open, if more time would not change it.
  func outcomeOfSearch(at now: Moment) -> ReceiveOutcome? {
    // A sender that was given or chosen is the only one. If it will not do, the bump ends.
    if policy.isDirect || picker.isMade, connector.isIdle { return verdict ?? .nobody(.failed, failures) }
    // A code that one sender rejects may be the code of another that appears later.
    if verdict == .wrongCode, areGuessesSpent || wrongCodeEnd.map({ now >= $0 }) == true { return .wrongCode }
    // The person here declined, or the sender has another version or no claim. More time changes neither if no other
    // sender is left to try.
    guard let verdict, [.declinedHere, .otherVersion, .documentOffered].contains(verdict), connector.isIdle else {
      return nil
    }
    return verdict
  }

  /// Ends the bump once no session is open, unless the person here is still asked for a code.
  mutating func finish(_ closing: Closing) -> [Action] {
    if let received = closing.received { return [finish(received)] }
    if let storeError = closing.storeError { return [fail(storeError)] }
    if closing.reason == .interrupted { return [finish(.interrupted)] }
    return closing.question == nil ? [finish(outcome(of: closing.reason))] : []
  }

  /// Returns the outcome of a search that has ended without a claim.
  private func outcome(of reason: ClosingReason) -> ReceiveOutcome {
    switch reason {
    case .noCode: verdict ?? .codeWanted
    case .discoveryUnavailable: .nobody(.discoveryUnavailable, failures)
    case .interference: (refusals >= AttemptBudget.maximum ? verdict : nil) ?? .nobody(.interference, failures)
    // After the last two another outcome is reported.
    case .timeUp, .settled, .interrupted: verdict ?? nobodyInTime
    }
  }

  /// The outcome after the time limit, if there is no better one.
  private var nobodyInTime: ReceiveOutcome {
    let others = otherNames.list
    guard !others.isEmpty else { return .nobody(.timeout, failures) }
    return .nobody(.otherNames(others), others.map { FailedPeer(name: $0.name, reason: .passedOver) })
  }

  /// The senders that failed. If a sender's mode would not do, it was passed over, and did not lack time.
  private var failures: [FailedPeer] {
    connector.failures.map { peer in
      var peer = peer
      if peer.reason == .notTried, !fits(peer.mode) { peer.reason = .passedOver }
      return peer
    }
  }

  /// Ends the bump. If a claim could not be stored, the bump fails with that error, whatever else happened, unless
  /// another claim was stored.
  mutating func finish(_ outcome: ReceiveOutcome) -> Action {
    if let storeError = phase.closing?.storeError, outcome.stored == nil { return fail(storeError) }
    phase = .finished
    return .finish(precise(outcome))
  }

  private mutating func fail(_ error: StoreError) -> Action {
    phase = .finished
    return .fail(error)
  }
}
