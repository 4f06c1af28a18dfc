import BumpDiscovery

/// When the bump ends, and with which outcome.
extension ReceiverBump {
  /// From now on only those go on that have been welcomed.
  mutating func stopSearching(_ reason: NobodyReason, at now: Moment) -> [Action] {
    guard closing == nil else { return [] }
    closing = reason
    let withdrawn: [Action] = choice.isAsking ? [.withdrawChoice] : []
    if choice.isAsking { choice.open() }
    return withdrawn + search.stopAll().map(Action.search) + dismiss(.timedOut, at: now, where: \.isMute)
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
    if chosen == nil, let next = queue.first {
      queue.removeFirst()
      chosen = next
      actions += forward(.chosen, to: next, at: now)
    }
    guard sessions.isEmpty, !isFinished else { return actions }
    if let received { return actions + [finish(received)] }
    if cannotStore { return actions + [finish(.nobody(.timeout, []))] }
    if isInterrupted { return actions + [finish(.interrupted)] }
    if isAskingCode { return actions }
    if let closing {
      let isOurWord = closing == .timeout || (closing == .interference && refusals >= Draws.maximum)
      return actions + [finish((isOurWord ? verdict : nil) ?? .nobody(closing, search.failures))]
    }
    // The person said no, and there is nobody else to ask about.
    // A peer that was given or chosen and will not do is the only one there is.
    if policy.isDirect || choice.isMade, search.isIdle {
      return actions + [finish(verdict ?? .nobody(.timeout, search.failures))]
    }
    // Our person's word, a code that fails, a sender that is too old or our own: nothing that more time would mend, where
    // there is nobody else to try.
    guard let verdict, [.declinedHere, .wrongCode, .olderSender, .ownClaim].contains(verdict), search.isIdle else {
      return actions
    }
    return actions + [finish(verdict)]
  }

  mutating func finish(_ outcome: ReceiveOutcome) -> Action {
    isFinished = true
    return .finish(outcome)
  }
}
