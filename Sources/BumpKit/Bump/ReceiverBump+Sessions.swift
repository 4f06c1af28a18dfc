import BumpWire

/// The sessions: how they begin, what they say, and what each leaves when it ends.
extension ReceiverBump {
  mutating func connected(_ id: ConnectionID, _ peer: Peer, _ keys: SessionKeys, at now: Moment) -> [Action] {
    guard closing == nil, let (sender, outputs) = search.connected(id, at: now) else { return [.close(id)] }
    guard !mayGuessTooOften else {
      search.note(sender, at: peer.name, .notTried)
      return [.close(id)] + (outputs + search.sessionEnded(sender, .always, at: now)).map(Action.search)
    }
    guard !countsDraws || draws.mayDraw(sender, peer.host) else {
      search.note(sender, at: peer.name, .notTried)
      return [.close(id)] + (outputs + search.sessionEnded(sender, .never, at: now)).map(Action.search)
    }
    let session = ReceiverSession(
      name: policy.name, credential: credential, asks: policy.asks, remembers: policy.remembers,
      waitsToProceed: countsDraws, wants: wants(from: sender), limit: policy.sendTimeout, keys: keys, at: now,
      unixTime: policy.unixTime)
    sessions[id] = (session, sender, peer)
    return outputs.map(Action.search) + forward(.opened, to: id, at: now)
  }

  mutating func forward(_ input: ReceiverSession.Input, to id: ConnectionID, at now: Moment) -> [Action] {
    guard let outputs = sessions[id]?.session.handle(input, at: now) else { return [] }
    return outputs.flatMap { perform($0, of: id, at: now) }
  }

  mutating func dismiss(
    _ reason: AbortReason, at now: Moment, where condition: (ReceiverSession) -> Bool
  ) -> [Action] {
    sessions.filter { condition($0.value.session) }.keys.sorted().flatMap {
      forward(.dismissed(reason), to: $0, at: now)
    }
  }

  mutating func perform(_ output: ReceiverSession.Output, of id: ConnectionID, at now: Moment) -> [Action] {
    switch output {
    case .send(let bytes):
      return [.send(bytes, id)]
    case .welcomed:
      return []
    case .ready:
      if let (_, sender, peer) = sessions[id] { draws.add(id, sender, peer.host) }
      return []
    case .guessing:
      guesses += 1
      return []
    case .secured(let digits):
      let peer = sessions[id]?.peer.name ?? ""
      secured.insert(id)
      let isShown = countsDraws || credential != .none
      return [.event(.connected(peer: peer))] + (isShown ? [.event(.digits(digits, peer: peer))] : [])
    case .offered(let offer):
      let told = Action.event(.offer(offer))
      if policy.looksUp { return [told, .lookUp(id, offer.claimID)] }
      queue.append(id)
      return [told]
    case .ask(let offer, let digits):
      return [.ask(id, offer, digits)]
    case .held(let seconds):
      return [.event(.deciding(peer: sessions[id]?.peer.name ?? "", seconds: Int(seconds)))]
    case .store(let claim):
      return [.store(id, claim)]
    case .keep(let key):
      return [.keep(key, id)]
    case .remembering(let outcome):
      return [.remembering(outcome)]
    case .ended(let ending):
      return end(id, ending, at: now)
    }
  }

  /// Nobody is asked about a claim of our own, and nothing of it is accepted.
  mutating func lookedUp(_ id: ConnectionID, isOwn: Bool, at now: Moment) -> [Action] {
    guard sessions[id] != nil else { return [] }
    guard isOwn else {
      queue.append(id)
      return []
    }
    return note(.ownClaim) + forward(.dismissed(.busy), to: id, at: now)
  }

  mutating func end(_ id: ConnectionID, _ ending: ReceiverSession.Ending, at now: Moment) -> [Action] {
    guard let (session, sender, peer) = sessions.removeValue(forKey: id) else { return [] }
    queue.removeAll { $0 == id }
    var actions: [Action] = [.close(id)]
    if secured.remove(id) != nil { actions.append(.event(.sessionEnded(peer: peer.name))) }
    if chosen == id {
      chosen = nil
      actions.insert(.withdrawQuestion(id), at: 0)
    }
    let isReceived = if case .received = ending { true } else { false }
    draws.ended(id, isGivenBack: isReceived, at: now)
    var again = SenderSearch.Again.never
    if let reason = FailedPeer.Reason(ending, isMute: session.isMute) { search.note(sender, at: peer.name, reason) }
    switch ending {
    case .received(let claim, let status):
      actions.append(.event(.stored(status)))
      let outcome = ReceiveOutcome(claim, status)
      // Two senders that were accepted one after the other may both have sent their claim.
      if policy.keeps || received != nil { actions.append(.event(.concluded(outcome))) }
      guard !policy.keeps else { break }
      received = received ?? outcome
      return actions + stopSearching(.timeout, at: now) + dismiss(.busy, at: now) { !$0.isStoring }
    case .notStored:
      // Whoever drives this knows why, and says so. A claim of another sender may be here, or on its way to the disk.
      cannotStore = true
      return actions + [.event(.stored(.notStored))] + stopSearching(.timeout, at: now)
        + dismiss(.busy, at: now) { !$0.isStoring }
    case .invalidClaim:
      actions += note(.unauthenticated)
    case .codeWanted where !policy.canEnterCode || isAskingCode || credential != .none:
      actions += note(.codeWanted)
    case .codeWanted where sessions.values.contains { !$0.session.isOpening }:
      // An offer is on the table: whoever wants a code waits, lest a stranger sweep it off.
      again = .someTimes
    case .codeWanted:
      actions += askCode(of: sender, at: now)
      again = .always
    case .wrongKey:
      actions += note(.wrongKey)
    case .wrongCode:
      actions += note(.wrongCode)
    case .olderSender:
      actions += note(.olderSender)
    case .expired:
      actions += note(.expired)
    case .unwanted:
      break
    case .declinedThere:
      actions += note(.declinedThere)
      if !policy.keeps { actions.append(.event(.declined)) }
    case .declinedHere:
      refusals += 1
      actions += note(.declinedHere)
    case .passedOver:
      again = .always
    case .failed(let failure) where failure.isOurChoice:
      break
    case .failed(let failure):
      if failure == .authentication || failure == .aborted(.authentication) { actions += note(.unauthenticated) }
      if closing == nil, Self.mayPass(failure) {
        // Who is too busy even to say WELCOME has not been tried yet. What it says of that can be lost: a close with
        // our HELLO unread is a reset, which takes an ABORT on its way with it.
        again = session.isMute && [.aborted(.busy), .closed].contains(failure) ? .always : .someTimes
        // A code is never tried again with a sender where it failed.
        if session.hasGuessed { again = .never }
      }
      actions.append(.event(.sessionFailed(failure, peer: peer.name)))
    }
    if outstayed.remove(id) != nil { return actions }
    actions += search.sessionEnded(sender, again, at: now).map(Action.search)
    // Who was lost while in session is not there to be tried again.
    return again == .never ? actions : actions + goneAfterChoice(sender, at: now)
  }

  /// Whether another try with the same sender may go better.
  static func mayPass(_ failure: SessionFailure) -> Bool {
    switch failure {
    case .closed, .timedOut, .unansweredThere, .tooLate, .aborted(.busy), .aborted(.timedOut): true
    default: false
    }
  }
}

extension FailedPeer.Reason {
  /// Why a session came to nothing; `nil` where it did not, or where it is the bump that had no more use for it.
  fileprivate init?(_ ending: ReceiverSession.Ending, isMute: Bool) {
    switch ending {
    case .received, .notStored: return nil
    case .invalidClaim: self = .invalidClaim
    case .passedOver: self = .notTried
    case .codeWanted: self = .codeWanted
    case .olderSender: self = .olderSender
    case .wrongCode: self = .wrongCode
    case .wrongKey: self = .wrongKey
    case .expired: self = .expired
    case .unwanted: self = .unwanted
    case .declinedThere: self = .declinedThere
    case .declinedHere: self = .declinedHere
    case .failed(.timedOut) where isMute, .failed(.dismissed(.timedOut)) where isMute: self = .mute
    case .failed(let failure) where failure.isOurChoice: return nil
    case .failed(let failure): self = .failed(failure)
    }
  }
}
