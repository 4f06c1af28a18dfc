import BumpClaims
import BumpDiscovery
import BumpWire

/// A whole bump of a sender: which receivers to admit, which one gets the claim or the document, when to give up. Pure,
/// like its sessions.
package struct SenderBump<Handover: BumpSession.Handover>: BumpSessions {
  struct Connection: BumpConnection {
    var session: SenderSession
    let peer: Peer
  }

  /// The limit on connections whose secure channel is not yet established. The others are at most
  /// `AttemptBudget.maximum`.
  static var maximumOpening: Int { 8 }
  /// The limit on those of them that wait in a receiver's queue: the others stay free for quicker receivers.
  static var maximumWaiting: Int { 4 }
  /// The limit on places that are reported: a stranger can tell any number of them.
  static var maximumPlaces: Int { 64 }

  package private(set) var handover: Handover
  private let policy: Policy

  var connections: [ConnectionID: Connection] = [:]
  var secured: Set<ConnectionID> = []
  /// The sessions whose receivers accepted, in the order in which they did.
  var queue: [ConnectionID] = []
  var chosen: ConnectionID?
  private var attemptState: SenderAttempts
  /// The receivers that were turned away and may be admitted once more. If `isAskingToReadmit`, the person here is
  /// being asked about the first of them.
  private var turnedAway: [Peer] = []
  private var isAskingToReadmit = false
  private var guesses = 0
  /// Whether the claim was released to one receiver: no other may take it any more.
  private var isReleased = false
  /// The receiver that the person here declined last.
  private var refused: DisplayName?
  private var failed = FailedPeers<String>()
  package private(set) var isListening = true
  private var isAdvertised = false
  private var admissionEnd: Moment
  private var queuedTime = QueuedTime()
  /// The last place of each session in a queue that was reported, and how many were.
  private var places: [ConnectionID: UInt8] = [:]
  private var placesTold = 0
  private var isInterrupted = false
  /// The outcome once the offer has expired; `nil` until then.
  private var expired: Handover.Outcome?
  /// Whether no receiver took it, and the handover's request for another way awaits its answer.
  private var isFallingBack = false
  private var isFinished = false
  /// Why no more connections are admitted; `nil` while they are admitted.
  private var closing: FallbackReason?

  package init(_ handover: Handover, policy: Policy) {
    self.handover = handover
    self.policy = policy
    attemptState = SenderAttempts(asks: policy.asks, maximum: policy.attempts)
    admissionEnd = Moment(policy.discoveryTimeout)
  }

  /// When `.deadline` is due.
  package var deadline: Moment? {
    guard !isFinished else { return nil }
    let admission = isListening && queuedTime.end == nil ? admissionEnd : nil
    let expiry = isReleased || expired != nil ? nil : handover.end
    return (connections.values.map(\.session.deadline) + [admission, queuedTime.end, expiry]).compactMap(\.self).min()
  }

  package mutating func handle(_ input: Input, at now: Moment) -> [Action] {
    guard !isFinished else { return [] }
    var actions: [Action]
    switch input {
    case .opened(let id, let peer, let host, let keys):
      actions = admit(id, Peer(name: peer, host: host), keys, at: now)
    case .session(let id, .released) where connections[id]?.session.maySendClaim(at: now) == true:
      // Only one session gets the claim: all others end.
      isReleased = true
      actions = stopListening() + dismissAll(.busy, but: id, at: now)
      actions += forward(.released, to: id, at: now)
      actions.append(.event(.sent(peer: name(id))))
    case .session(let id, let input):
      actions = forward(input, to: id, at: now)
    case .deadline:
      actions = deadlinePassed(at: now)
    case .advertised:
      // A registration under another name later does not extend the time.
      if !isAdvertised { admissionEnd = now + policy.discoveryTimeout }
      isAdvertised = true
      actions = []
    case .discoveryLost:
      actions = stopAdmitting(.discoveryUnavailable, at: now)
    case .answered(let answer):
      let answered = handover.handle(answer, isInterrupted: isInterrupted)
      actions = answered.map { forward($0.input, to: $0.id, at: now) } ?? []
    case .readmitted(let isWanted):
      guard isAskingToReadmit else { return [] }
      isAskingToReadmit = false
      let peer = turnedAway.removeFirst()
      if isWanted { attemptState.readmit(peer.host) }
      actions = []
    case .interrupted:
      isInterrupted = true
      actions = stopListening() + dismissAll(.shuttingDown, at: now)
    }
    actions += proceed(at: now)
    if let chosen { connections[chosen]?.session.othersWait = !queue.isEmpty }
    admissionEnd += queuedTime.note(connections.values.contains(where: \.session.isQueued), at: now)
    return actions
  }

  // MARK: Admission

  private mutating func admit(_ id: ConnectionID, _ peer: Peer, _ keys: SessionKeys, at now: Moment) -> [Action] {
    guard isListening else { return refuse(id) }
    var actions: [Action] = []
    if connections.values.count(where: \.session.isOpening) >= Self.maximumOpening {
      guard let other = displaced(by: peer) else { return refuse(id) }
      actions += forward(.dismissed(.busy), to: other, at: now)
    }
    let session = SenderSession(
      handover.subject, credential: policy.credential, asks: policy.asks, remembers: handover.remembers,
      limit: policy.sendTimeout, keys: keys, at: now)
    connections[id] = Connection(session: session, peer: peer)
    return actions
  }

  /// Returns the opening connection that makes room for a new one; `nil` if the new one has to go. A host that has opened
  /// several loses its own first.
  private func displaced(by peer: Peer) -> ConnectionID? {
    let opening = connections.filter(\.value.session.isOpening)
    let hosts = Dictionary(grouping: opening.keys.sorted()) { opening[$0]?.peer.host }
    let most = hosts.max { ($0.value.count, $1.value[0]) < ($1.value.count, $0.value[0]) }
    guard let (host, ids) = most, ids.count > 1 else { return opening.filter(\.value.session.isMute).keys.min() }
    return ids.first { opening[$0]?.session.isMute == true } ?? (host == peer.host ? nil : ids[0])
  }

  private func refuse(_ id: ConnectionID) -> [Action] {
    [.send(AbortReason.busy.frame.bytes, id), .close(id)]
  }

  /// Stops admitting connections. From now on only sessions that have received HELLO continue.
  private mutating func stopAdmitting(_ reason: FallbackReason, at now: Moment) -> [Action] {
    guard isListening else { return [] }
    closing = closing ?? reason
    return stopListening() + dismiss(.timedOut, at: now, where: \.isMute)
  }

  private mutating func stopListening() -> [Action] {
    guard isListening else { return [] }
    isListening = false
    return [.stopListening]
  }

  // MARK: Sessions

  mutating func forward(_ input: SenderSession.Input, to id: ConnectionID, at now: Moment) -> [Action] {
    let (mayAttempt, mayWait) = (mayAttempt(by: id, at: now), mayWait(id))
    connections[id]?.session.mayAttempt = mayAttempt
    connections[id]?.session.mayWait = mayWait
    guard let outputs = connections[id]?.session.handle(input, at: now) else { return [] }
    return outputs.flatMap { perform($0, of: id, at: now) }
  }

  /// How many attempts at the digits were used.
  package var attempts: Int { attemptState.count }

  private func mayAttempt(by id: ConnectionID, at now: Moment) -> Bool {
    let host = connections[id]?.peer.host
    return attemptState.mayAttempt(host, at: now) {
      !connections.contains { other, connection in
        other != id && (secured.contains(other) || connection.peer.host != host) && !isWaiting(connection.session)
      }
    }
  }

  /// Notes that our key was shown to a receiver. After the last attempt, ends the sessions that are still opening,
  /// except those that have yet to receive HELLO.
  private mutating func noteAttempt(_ id: ConnectionID, at now: Moment) -> [Action] {
    attemptState.add(connections[id]?.peer.host)
    guard attemptState.isSpent else { return [] }
    closing = .interference
    // A receiver that has not sent HELLO yet gets the reason when it does.
    return dismiss(.busy, at: now) { $0.isOpening && !$0.isMute }
  }

  private mutating func dismissAll(_ reason: AbortReason, but spared: ConnectionID? = nil, at now: Moment) -> [Action] {
    connections.keys.filter { $0 != spared }.sorted().flatMap { forward(.dismissed(reason), to: $0, at: now) }
  }

  /// The address of the other end of a connection, to show to a person.
  private func name(_ id: ConnectionID) -> String { connections[id]?.peer.name ?? "" }

  private mutating func deadlinePassed(at now: Moment) -> [Action] {
    if !isReleased, let outcome = handover.expired(at: now) {
      expired = outcome
      return stopListening() + dismissAll(.timedOut, at: now)
    }
    var actions = passDeadlines(at: now)
    if let end = queuedTime.end {
      return now < end ? actions : actions + dismiss(.timedOut, at: now, where: \.isQueued)
    }
    if isListening, now >= admissionEnd { actions += stopAdmitting(.discoveryTimeout, at: now) }
    return actions
  }

  private mutating func perform(_ output: SenderSession.Output, of id: ConnectionID, at now: Moment) -> [Action] {
    switch output {
    case .send(let bytes):
      return [.send(bytes, id)]
    case .secured(let digits):
      let peer = name(id)
      secured.insert(id)
      return leaveQueue(id) + [.event(.connected(peer: peer)), .event(.digits(digits, peer: peer))]
        + noteAttempt(id, at: now)
    case .held(let seconds):
      return leaveQueue(id) + [.event(.deciding(peer: name(id), seconds: Int(seconds)))]
    case .placed(let place):
      return tell(place, id)
    case .guessed:
      guesses += 1
      let told = Action.event(.wrongGuess(triesLeft: max(0, OneTimeCode.maximumGuesses - guesses)))
      guard guesses >= OneTimeCode.maximumGuesses else { return [told] }
      // A receiver that proved the code before it was burnt may finish.
      return [told] + stopListening() + dismiss(.authentication, at: now, where: \.isOpening)
    case .accepted(let name):
      queue.append(id)
      let told: [Action] = leaveQueue(id) + [.event(.accepted(name))]
      // If the person here declines the current receiver, this one is next.
      guard policy.asks, chosen != nil else { return told }
      return told + [.event(.queued(name, waiting: queue.count))] + forward(.queued, to: id, at: now)
    case .ask(let name, let digits):
      return withdrawReadmission() + [.ask(id, name, digits)]
    case .release, .takeBack, .keep, .remembering:
      return handover.request(output, on: id).map { [.request($0)] } ?? []
    case .progress(let count, let length):
      return [.event(.progress(bytes: count, of: length))]
    case .ended(let ending):
      return end(id, ending, at: now)
    }
  }

  private mutating func end(_ id: ConnectionID, _ ending: SenderSession.Ending, at now: Moment) -> [Action] {
    if secured.contains(id) { attemptState.ended(at: now) }
    let left = leaveQueue(id)
    guard let removed = remove(id) else { return [] }
    let (session, peer) = (removed.connection.session, removed.connection.peer)
    var actions = left + removed.actions
    if session.isTurnedAway, attemptState.turnAway(peer.host) {
      turnedAway.append(peer)
      actions.append(.event(.turnedAway(peer: peer.name)))
    }
    if let (reason, name) = FailedPeer.Reason.of(ending, session) {
      failed.note(Self.host(of: peer.name), FailedPeer(name: name, address: peer.name, reason: reason))
    }
    switch ending {
    case .delivered(let result, let name):
      // With a claim, the other sessions ended when the claim was released.
      actions += stopListening() + dismissAll(.busy, at: now)
      actions += [.event(.stored(StoredStatus(result))), finish(handover.delivered(to: name, result))]
    case .unknown(let name, let status):
      actions += status.map { [.event(.stored($0))] } ?? []
      actions.append(finish(handover.unknown(name, isInterrupted: isInterrupted)))
    case .declinedHere(let name):
      refused = name
      if policy.endsAtRefusal, queue.isEmpty {
        closing = closing ?? .declined
        actions += stopListening() + dismissAll(.busy, at: now)
      } else if mayGoOn {
        actions.append(.event(.declinedHere(name, waiting: queue.count)))
      }
    case .declinedThere:
      actions.append(.event(.declined))
    case .declinedAtOnce:
      actions.append(.event(.declinedAtOnce))
    case .notReleased:
      actions += stopListening() + dismissAll(.shuttingDown, at: now)
    case .leftEarly:
      break
    case .failed(let failure):
      // A connection that never sent HELLO is some program that tried the port, not a receiver with which the send
      // failed. A wrong guess was reported by its own event.
      guard !session.isMute, !session.hasGuessed, !failure.isOurChoice else { break }
      actions.append(.event(.sessionFailed(failure, peer: peer.name)))
    }
    return actions
  }

  // MARK: The queues of receivers

  /// Whether a session waits in a receiver's queue, and has shown no key.
  private func isWaiting(_ session: SenderSession) -> Bool { session.isQueued && session.isOpening }

  /// Returns whether a session may begin to wait in its receiver's queue: a host has one, and several have not all.
  private func mayWait(_ id: ConnectionID) -> Bool {
    guard !queuedTime.isSpent else { return false }
    let host = connections[id]?.peer.host
    let waiting = connections.filter { $0 != id && isWaiting($1.session) }.values
    return waiting.count < Self.maximumWaiting && (host == nil || !waiting.contains { $0.peer.host == host })
  }

  /// Reports the place of a session in its receiver's queue, if it is another.
  private mutating func tell(_ place: UInt8, _ id: ConnectionID) -> [Action] {
    guard places[id] != place, placesTold < Self.maximumPlaces else { return [] }
    placesTold += 1
    places[id] = place
    return [.event(.inQueue(place: Int(place), peer: name(id)))]
  }

  private mutating func leaveQueue(_ id: ConnectionID) -> [Action] {
    places.removeValue(forKey: id) == nil ? [] : [.event(.outOfQueue(peer: name(id)))]
  }

  // MARK: Progress

  /// Whether another receiver may take the claim: one that is connected, or one that may come.
  private var mayGoOn: Bool {
    attemptState.isSpent ? connections.values.contains { !$0.session.isOpening } : isListening || !connections.isEmpty
  }

  /// Chooses the next receiver in the queue. Falls back if no session is left and no more are admitted.
  private mutating func proceed(at now: Moment) -> [Action] {
    guard !isFinished else { return [] }
    if let conclusion = handover.conclusion { return [finish(conclusion)] }
    var actions: [Action] = []
    if chosen == nil, !isReleased, let next = queue.first {
      queue.removeFirst()
      chosen = next
      actions += forward(.chosen, to: next, at: now)
    }
    if attemptState.isSpent, isListening, connections.values.allSatisfy(\.session.isOpening), !isFinished {
      actions += stopListening() + dismissAll(.busy, at: now)
    }
    actions += askToReadmit()
    if connections.isEmpty, !isFinished, !isFallingBack {
      if isInterrupted { return actions + [finish(handover.interrupted)] }
      if let expired { return actions + [finish(expired)] }
      if guesses >= OneTimeCode.maximumGuesses { return actions + [finish(.codeBurnt)] }
      if let closing { return actions + fallBack(closing) }
    }
    return actions
  }

  /// Asks the person here about the next receiver that was turned away, if no question about the claim is due and a
  /// attempt is left.
  private mutating func askToReadmit() -> [Action] {
    guard isListening, !attemptState.isSpent, let next = turnedAway.first else { return withdrawReadmission() }
    guard policy.asks, chosen == nil, !isAskingToReadmit else { return [] }
    isAskingToReadmit = true
    return [.askToReadmit(peer: next.name)]
  }

  private mutating func withdrawReadmission() -> [Action] {
    guard isAskingToReadmit else { return [] }
    isAskingToReadmit = false
    return [.withdrawReadmission]
  }

  private mutating func fallBack(_ closing: FallbackReason) -> [Action] {
    // The person here declined: a link would hand out what they held back.
    if let refused { return [finish(.declinedHere(refused))] }
    var reason = closing
    if closing == .discoveryTimeout { reason = fallbackReason }
    guard let request = handover.fallBack(reason, failed.list) else {
      return [finish(handover.undelivered(reason, failed.list))]
    }
    isFallingBack = true
    return [.request(request)]
  }

  /// Why no receiver took the claim in time, from the failure of the receiver that got furthest.
  private var fallbackReason: FallbackReason {
    switch failed.list.first?.reason {
    case nil, .leftEarly: .discoveryTimeout
    case .declinedThere where isDeclined, .declinedAtOnce where isDeclined: .declined
    default: .sendTimeout
    }
  }

  /// Whether all receivers that came declined or left early.
  private var isDeclined: Bool {
    failed.list.allSatisfy { [.declinedThere, .declinedAtOnce, .leftEarly].contains($0.reason) }
  }

  private mutating func finish(_ outcome: Handover.Outcome) -> Action { finish(.success(outcome)) }

  private mutating func finish(_ conclusion: Result<Handover.Outcome, StoreError>) -> Action {
    isFinished = true
    switch conclusion {
    case .success(let outcome): return .finish(outcome)
    case .failure(let error): return .fail(error)
    }
  }

  /// Returns the host of an address and port: each connection of a receiver has another port.
  private static func host(of peer: String) -> String {
    peer.lastIndex(of: ":").map { String(peer[..<$0]) } ?? peer
  }
}

extension OneTimeCode {
  /// The limit on wrong codes, over all connections and addresses: each wrong code is a guess among a million.
  static let maximumGuesses = 3
}

extension FailedPeer.Reason {
  /// Returns why a session failed, and with which receiver. `nil` if the session did not fail, if the bump dismissed
  /// it, or if the other end never sent HELLO, so that it was no receiver.
  fileprivate static func of(_ ending: SenderSession.Ending, _ session: SenderSession) -> (Self, name: String?)? {
    switch ending {
    case .delivered, .unknown, .notReleased: nil
    case .declinedThere: (.declinedThere, nil)
    case .declinedAtOnce: (.declinedAtOnce, nil)
    case .declinedHere(let name): (.declinedHere, name.text)
    case .leftEarly: (.leftEarly, nil)
    case .failed where session.isMute: nil
    case .failed(let failure) where failure.isOurChoice: nil
    case .failed where session.hasGuessed: (.wrongCode, nil)
    case .failed(let failure): (.failed(failure), nil)
    }
  }
}
