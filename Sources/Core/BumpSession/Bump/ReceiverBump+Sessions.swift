import BumpClaims
import BumpDiscovery
import BumpWire

/// The sessions: how they begin, what their outputs do, and what follows from how they end.
extension ReceiverBump {
  mutating func connected(_ id: ConnectionID, _ peer: Peer, _ keys: SessionKeys, at now: Moment) -> [Action] {
    var peer = peer
    peer.place = connector.endpoint(of: id)?.host
    guard phase.closing == nil, let (sender, outputs) = connector.connected(id, at: now) else { return [.close(id)] }
    guard !hasTried(sender) else {
      return [.close(id)] + (outputs + connector.sessionEnded(sender, .never, at: now)).map(Action.connector)
    }
    guard !mayGuessTooOften else {
      connector.note(sender, at: peer.name, .notTried)
      return [.close(id)] + (outputs + connector.sessionEnded(sender, .always, at: now)).map(Action.connector)
    }
    // `keepReceiving` sends HELLO even if no attempt is left for this sender, so that the sender's person learns that
    // somebody is here.
    guard !countsAttempts || policy.keeps || attempts.mayAttempt(sender, peer.host) else {
      connector.note(sender, at: peer.name, .notTried)
      return [.close(id)] + (outputs + connector.sessionEnded(sender, .never, at: now)).map(Action.connector)
    }
    guard hasRoom(for: peer.host) else {
      return [.close(id)] + (outputs + connector.sessionEnded(sender, .always, at: now)).map(Action.connector)
    }
    let session = ReceiverSession(
      policy.session, credential: credential, waitsToProceed: countsAttempts, takesDocuments: room?.has(1) == true,
      wants: wants(from: sender), keys: keys, at: now)
    connections[id] = Connection(session: session, sender: sender, peer: peer)
    return outputs.map(Action.connector) + forward(.opened, to: id, at: now)
  }

  /// Notes that a connection attempt failed. A host name without an address is not looked up again: the person who gave
  /// the name can correct it at once.
  mutating func connectFailed(_ id: ConnectionID, _ reason: FailedPeer.Reason, at now: Moment) -> [Action] {
    let outputs = connector.connectFailed(id, reason, at: now)
    let isNobodys = policy.isDirect && reason == .notResolved
    return (outputs + (isNobodys ? connector.dismiss(.peer, at: now) : [])).map(Action.connector)
  }

  mutating func forward(_ input: ReceiverSession.Input, to id: ConnectionID, at now: Moment) -> [Action] {
    guard let outputs = connections[id]?.session.handle(input, at: now) else { return [] }
    return outputs.flatMap { perform($0, of: id, at: now) }
  }

  mutating func perform(_ output: ReceiverSession.Output, of id: ConnectionID, at now: Moment) -> [Action] {
    switch output {
    case .request(.save(let document)):
      // Another document that was accepted before may have taken the room meanwhile.
      guard room?.take(document.document.bytes.count) == true else {
        return forward(.notSaved(DocumentError(.full, "no more documents are taken")), to: id, at: now)
      }
      return [.session(id, .save(document))]
    case .request(let request):
      return [.session(id, request)]
    case .welcomed:
      return []
    case .ready:
      guard let connection = connections[id] else { return [] }
      attempts.add(id, connection.sender, connection.peer.host)
      return deferIfSpent(id, at: now)
    case .guessing:
      if let connection = connections[id] { guessed(connection.session.credential, connection.sender) }
      return []
    case .secured(let digits):
      let peer = connections[id]?.peer.name ?? ""
      secured.insert(id)
      let known = connections[id]?.session.recognized
      return [.event(.connected(peer: peer))] + (credential.mode == .code ? proved(at: now) : [])
        + (known.map { [.event(.recognized($0.name, peer: peer))] } ?? [])
        + (showsDigits ? [.event(.digits(digits, peer: peer))] : [])
    case .offered(let offer):
      queue.append(id)
      return [.event(.offer(offer))]
    case .documentOffered(let offer):
      guard room?.has(offer.length) == true else { return forward(.dismissed(.busy), to: id, at: now) }
      queue.append(id)
      return [.event(.documentOffer(offer))]
    case .progress(let count, let length):
      return [.event(.progress(bytes: count, of: length))]
    case .held(let seconds):
      return [.event(.deciding(peer: connections[id]?.peer.name ?? "", seconds: Int(seconds)))]
    case .ended(let ending):
      return end(id, ending, at: now)
    }
  }

  mutating func end(_ id: ConnectionID, _ ending: ReceiverSession.Ending, at now: Moment) -> [Action] {
    // A sender that has proved the code has answered.
    let hasProved = secured.contains(id)
    guard let removed = remove(id) else { return [] }
    let (session, sender, peer) = (removed.connection.session, removed.connection.sender, removed.connection.peer)
    var actions = removed.actions
    // Only a person who compared the digits gives an attempt back.
    let isGivenBack =
      switch ending {
      case .received: policy.asksAboutClaims
      case .saved: policy.asksAboutDocuments
      default: false
      }
    // A person declines by an interrupt too.
    let isDeclined = [.declinedHere, .declinedThere, .failed(.aborted(.shuttingDown))].contains(ending)
    attempts.ended(id, isGivenBack: isGivenBack, isDeclined: isDeclined, at: now)
    noteSilence(of: peer, ending, at: now)
    var again = SenderConnector.Retry.never
    if let reason = FailedPeer.Reason(ending, isMute: session.isMute) { connector.note(sender, at: peer.name, reason) }
    switch ending {
    case .received(let claim, let result):
      actions.append(.event(.stored(StoredStatus(result))))
      let outcome = ReceiveOutcome(claim, result)
      // Two senders that were accepted one after the other may both have sent their claims.
      if policy.keeps || phase.closing?.received != nil { actions.append(.event(.concluded(outcome))) }
      guard !policy.keeps else { break }
      return actions + settled(.success(outcome), at: now)
    case .notStored(let error) where policy.keeps && error.mayPass:
      actions += [.event(.stored(.notStored))] + note(.notStored(error))
    case .notStored(let error):
      // A claim of another sender may be stored already, or is being stored.
      return actions + [.event(.stored(.notStored))] + settled(.failure(error), at: now)
    case .saved(let saved):
      actions.append(.event(.stored(saved.status)))
      let outcome = ReceiveOutcome.saved(saved)
      if policy.keeps || phase.closing?.received != nil { actions.append(.event(.concluded(outcome))) }
      guard !policy.keeps else { break }
      return actions + settled(.success(outcome), at: now)
    case .notSaved(let error) where policy.keeps:
      actions += [.event(.stored(.notStored))] + note(.notSaved(error))
    case .notSaved(let error):
      // While this failure lasts, no other document can be saved either.
      return actions + [.event(.stored(.notStored))] + settled(.success(.notSaved(error)), at: now)
    case .invalidClaim, .invalidDocument:
      actions += note(.unauthenticated)
    case .codeWanted where !policy.canEnterCode || phase.codeQuestion != nil || credential != .none:
      actions += note(.codeWanted)
    case .codeWanted where connections.values.contains { !$0.session.isOpening }:
      // An offer is being decided. A sender that requires a code waits, so that a stranger cannot remove the offer.
      again = .someTimes
    case .codeWanted:
      actions += askCode(of: sender, at: now)
      again = .always
    case .wrongKey:
      actions += note(.wrongKey)
    case .wrongCode where session.credential == credential:
      actions += wrongCode(sender, peer, at: now)
    case .wrongCode:
      // The person here has entered another code meanwhile.
      again = .always
    case .expired:
      actions += note(.expired)
    case .expiredOnArrival(let seconds):
      actions += note(.expiredOnArrival(secondsAgo: seconds))
      if !policy.keeps { actions.append(.event(.expiredOnArrival(peer: peer.name, secondsAgo: seconds))) }
    case .unwanted:
      break
    case .declinedThere:
      actions += note(.declinedThere)
      if !policy.keeps { actions.append(.event(.declined)) }
    case .declinedHere:
      refusals += 1
      actions += note(.declinedHere)
    case .waitedTooLong:
      again = .always
    case .failed(let failure) where failure.isOurChoice:
      break
    case .failed(let failure):
      switch failure {
      case .authentication, .aborted(.authentication): actions += note(.unauthenticated)
      case .aborted(.version), .dismissed(.version): actions += note(.otherVersion)
      case .takesNoDocuments: actions += note(.documentOffered)
      default: break
      }
      if phase.closing == nil, Self.mayPass(failure) {
        // A sender that is too busy to send WELCOME counts as not tried yet. Its ABORT can be lost: if it closes the
        // connection without having read our HELLO, TCP sends a reset, which discards the ABORT.
        again = session.isMute && [.notAdmitted, .closed].contains(failure) ? .always : .someTimes
        // A code is never tried again with a sender with which it failed.
        if session.hasGuessed { again = session.credential == credential ? .never : .always }
      }
      if session.hasGuessed, session.credential == credential, !hasProved {
        tries.hasUnanswered = true
        actions += failedAfterGuess(sender, at: now)
      }
      if failure != .notAdmitted || connector.tellsRefusal(sender, at: now) {
        actions.append(.event(.sessionFailed(failure, peer: peer.name)))
      }
    }
    if removed.connection.hasGivenWay { return actions }
    actions += connector.sessionEnded(sender, again, at: now).map(Action.connector)
    // A sender that was lost during the session is not there to be tried again.
    return again == .never ? actions : actions + goneAfterChoice(sender, at: now)
  }

  /// Whether the same sender may be tried again with more success.
  static func mayPass(_ failure: SessionFailure) -> Bool {
    switch failure {
    case .closed, .timedOut, .stoodStill, .unansweredThere, .tooLate, .notAdmitted, .keptWaiting, .aborted(.busy),
      .aborted(.timedOut):
      true
    default: false
    }
  }
}

extension FailedPeer.Reason {
  /// Converts the ending of a session. `nil` if the session did not fail, or if the bump ended it. A session that the
  /// bump dismissed as busy counts as not tried.
  fileprivate init?(_ ending: ReceiverSession.Ending, isMute: Bool) {
    switch ending {
    case .received, .notStored, .saved, .notSaved: return nil
    case .invalidClaim, .invalidDocument: self = .invalidClaim
    case .waitedTooLong: self = .notTried
    case .codeWanted: self = .codeWanted
    case .wrongCode: self = .wrongCode
    case .wrongKey: self = .wrongKey
    case .expired, .expiredOnArrival: self = .expired
    case .unwanted: self = .unwanted
    case .declinedThere: self = .declinedThere
    case .declinedHere: self = .declinedHere
    case .failed(.timedOut) where isMute, .failed(.stoodStill) where isMute,
      .failed(.dismissed(.timedOut)) where isMute:
      self = .mute
    case .failed(.dismissed(.busy)): self = .notTried
    case .failed(let failure) where failure.isOurChoice: return nil
    case .failed(let failure): self = .failed(failure)
    }
  }
}
