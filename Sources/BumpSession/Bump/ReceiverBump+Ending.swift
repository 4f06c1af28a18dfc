import BumpClaims
import BumpDiscovery
import BumpWire

/// When the bump ends, and with which outcome.
extension ReceiverBump {
  /// From now on only those go on that have been welcomed.
  mutating func stopSearching(_ reason: NobodyReason, at now: Moment) -> [Action] {
    guard closing == nil else { return [] }
    closing = reason
    var withdrawn: [Action] = choice.isAsking ? [.withdrawChoice] : []
    if choice.isAsking { choice.open() }
    // Our person's answer to any other question is waited for.
    if case .standing = codeQuestion { withdrawn += withdrawCode(at: now) }
    codeQuestionDue = nil
    let isTimeUp = reason == .timeout
    return withdrawn + search.stopAll(isTimeUp: isTimeUp).map(Action.search)
      + dismiss(isTimeUp ? .timedOut : .busy, at: now, where: \.isMute)
  }

  /// Keeps what to say where nothing better comes: our person's word, a doubt about who is there, else the first.
  /// In a long search it is said at once.
  mutating func note(_ outcome: ReceiveOutcome) -> [Action] {
    guard !policy.keeps else { return [.event(.concluded(outcome))] }
    if verdict == nil || [.unauthenticated, .wrongCode, .wrongKey, .declinedHere].contains(outcome) {
      verdict = outcome
    }
    return []
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
    if let closing {
      let isOurWord = closing == .timeout || (closing == .interference && refusals >= Draws.maximum)
      return actions + [finish((isOurWord ? verdict : nil) ?? .nobody(closing, failures))]
    }
    // The person said no, and there is nobody else to ask about.
    // A peer that was given or chosen and will not do is the only one there is.
    if policy.isDirect || choice.isMade, search.isIdle {
      return actions + [finish(verdict ?? .nobody(.timeout, failures))]
    }
    // A code that fails with one sender may be another's who comes yet.
    if verdict == .wrongCode, areGuessesSpent || wrongCodeEnd.map({ now >= $0 }) == true {
      return actions + [finish(.wrongCode)]
    }
    // Our person's word, a sender that is too old: nothing that more time would mend, where there is nobody else to try.
    guard let verdict, [.declinedHere, .olderSender].contains(verdict), search.isIdle else {
      return actions
    }
    return actions + [finish(verdict)]
  }

  /// The senders that failed. One whose mode would not do was passed over, and did not lack time.
  private var failures: [FailedPeer] {
    search.failures.map { peer in
      var peer = peer
      if peer.reason == .notTried, !fits(peer.mode) { peer.reason = .passedOver }
      return peer
    }
  }

  /// Ends the bump. A claim that could not be stored is an error, whatever else happened, unless another one is here.
  mutating func finish(_ outcome: ReceiveOutcome) -> Action {
    if let storeError, outcome.stored == nil { return fail(storeError) }
    isFinished = true
    return .finish(outcome)
  }

  private mutating func fail(_ error: StoreError) -> Action {
    isFinished = true
    return .fail(error)
  }
}
