import BumpChannel
import BumpWire

/// Names one connection of one bump, in the order of their opening.
typealias ConnectionID = Int

/// A whole bump as the sender sees it: whom to admit, who gets the claim, when to give up. Pure, like its sessions.
struct SenderBump: Sendable {
  enum Input {
    /// Somebody connected.
    case opened(ConnectionID, peer: String, RemoteHost?, SessionKeys)
    /// Something happened on a connection.
    case session(ConnectionID, SenderSession.Input)
    /// The moment that `deadline` named has come.
    case deadline
    /// Nobody can find us (any more).
    case discoveryLost
    /// Whether the claim was released for its link, durably.
    case releasedForLink(Bool)
    /// The person wants it to end.
    case interrupted
  }

  enum Action: Equatable {
    case send([UInt8], ConnectionID)
    case close(ConnectionID)
    /// Ask our person; the answer is that connection's `.decided`.
    case ask(ConnectionID, DisplayName, VerificationDigits)
    /// That question has lost its object.
    case withdrawQuestion(ConnectionID)
    /// Withdraw the advertisement and take no more connections.
    case stopListening
    /// Release the claim durably to whom this connection is with, who may take it, or answer, for so long at most; that
    /// connection's `.released` is the answer.
    case release(ConnectionID, DisplayName, within: Duration)
    /// Take the release back, durably: nothing was sent. That connection's `.takenBack` is the answer.
    case takeBack(ConnectionID)
    /// Release the claim durably for its link; `.releasedForLink` is the answer.
    case releaseForLink
    case event(SendEvent)
    /// Keep this key durably, unconfirmed; that connection's `.kept` is the answer, before `.released`.
    case keep(SharedKey, ConnectionID)
    case remembering(Remembering)
    /// All is over. The claim's last state is to be recorded first, where there is one.
    case finish(SendOutcome, record: ClaimState?)
  }

  struct Policy: Sendable {
    /// What a receiver must know too. It decides the mode.
    var credential = Credential.none
    /// Whether our person is asked before the claim goes out.
    var asks: Bool
    /// Whether our person wants to remember the receiver.
    var remembers = false
    /// How long from the beginning connections are admitted.
    var discoveryTimeout: Duration
    /// How long one session waits for the other end in all.
    var sendTimeout: Duration
    /// Whether the claim is released for its link where it comes to nothing.
    var fallsBack: Bool
    /// Whether a no of our person ends it, unless another receiver has accepted.
    var endsAtRefusal = false
    /// How long from the beginning the claim is good for.
    var lifetime: Duration
    /// How many draws of digits this claim has left.
    var draws = Draws.maximum
  }

  /// Connections whose channel does not stand yet.
  static let maximumOpening = 8
  /// Connections in all: each may hold us for a minute, so their number is what bounds memory.
  static let maximumSessions = 32
  /// Wrong codes, over all connections and addresses: each is a try at a million codes.
  static let maximumGuesses = 3

  private let link: ClaimLink
  private let offer: Offer
  private let policy: Policy

  private var sessions: [ConnectionID: SenderSession] = [:]
  private var peers: [ConnectionID: (name: String, host: RemoteHost?)] = [:]
  /// Those whose channel stands.
  private var secured: Set<ConnectionID> = []
  /// Those that accepted, the quickest first.
  private var queue: [ConnectionID] = []
  private var chosen: ConnectionID?
  /// How many draws of digits were given.
  private(set) var draws = 0
  /// The hosts that had one.
  private var drawn: Set<RemoteHost> = []
  private var guesses = 0
  private var state = ClaimState.new
  /// Whom our person said no to last.
  private var refused: DisplayName?
  private var failed = FailedPeers<String>()
  private(set) var isListening = true
  private var isInterrupted = false
  private var hasExpired = false
  private var isReleasingLink = false
  private var isFinished = false
  /// Why no more connections are admitted; `nil` while they are.
  private var closing: FallbackReason?

  init(link: ClaimLink, from name: DisplayName, policy: Policy) {
    self.link = link
    self.policy = policy
    offer = Offer(
      claimID: link.claim.id, token: link.claim.token, amount: link.claim.amount, expiry: link.expiry, from: name)
  }

  /// When `.deadline` is due.
  var deadline: Moment? {
    guard !isFinished else { return nil }
    let admission = isListening ? policy.discoveryTimeout : nil
    let expiry = state == .new && !hasExpired ? policy.lifetime : nil
    return (sessions.values.map(\.deadline) + [admission, expiry]).compactMap(\.self).min()
  }

  mutating func handle(_ input: Input, at now: Moment) -> [Action] {
    guard !isFinished else { return [] }
    var actions: [Action]
    switch input {
    case .opened(let id, let peer, let host, let keys):
      actions = admit(id, peer, host, keys, at: now)
    case .session(let id, .released(true)) where sessions[id]?.maySendClaim(at: now) == true:
      // The claim is this session's: nobody else gets as far.
      state = .released
      actions = stopListening() + dismissAll(.busy, but: id, at: now)
      actions += forward(.released(true), to: id, at: now)
    case .session(let id, let input):
      actions = forward(input, to: id, at: now)
    case .deadline:
      actions = deadlinePassed(at: now)
    case .discoveryLost:
      actions = stopAdmitting(.discoveryUnavailable, at: now)
    case .releasedForLink(let isOurs):
      return finishWithLink(isOurs)
    case .interrupted:
      isInterrupted = true
      actions = stopListening() + dismissAll(.shuttingDown, at: now)
    }
    return actions + proceed(at: now)
  }

  // MARK: Who is admitted

  private mutating func admit(
    _ id: ConnectionID, _ peer: String, _ host: RemoteHost?, _ keys: SessionKeys, at now: Moment
  ) -> [Action] {
    guard isListening, sessions.count < Self.maximumSessions else {
      return refuse(id)
    }
    var actions: [Action] = []
    if sessions.values.count(where: \.isOpening) >= Self.maximumOpening {
      guard let oldest = sessions.filter(\.value.isMute).keys.min() else { return refuse(id) }
      actions += forward(.dismissed(.busy), to: oldest, at: now)
    }
    peers[id] = (peer, host)
    sessions[id] = SenderSession(
      claim: link.claim, offer: offer, credential: policy.credential, asks: policy.asks,
      remembers: policy.remembers, limit: policy.sendTimeout, keys: keys, at: now)
    return actions
  }

  private func refuse(_ id: ConnectionID) -> [Action] {
    [.send(AbortReason.busy.frame.bytes, id), .close(id)]
  }

  /// From now on only those go on that have said HELLO.
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

  private mutating func forward(_ input: SenderSession.Input, to id: ConnectionID, at now: Moment) -> [Action] {
    let mayBeDrawn = mayBeDrawn(by: id)
    sessions[id]?.mayBeDrawn = mayBeDrawn
    guard let outputs = sessions[id]?.handle(input, at: now) else { return [] }
    return outputs.flatMap { perform($0, of: id, at: now) }
  }

  /// Whether somebody may compare digits: here, or at the other end, which we cannot know. Where a code or a key tells who
  /// is there, they tell nothing more.
  private var countsDraws: Bool { policy.credential == .none }

  private var isSpent: Bool { countsDraws && draws >= policy.draws }

  /// Where our person chooses among receivers each host has one draw, so that one alone does not use up all. Else the
  /// first that accepts is taken anyway.
  private func mayBeDrawn(by id: ConnectionID) -> Bool {
    guard countsDraws else { return true }
    guard policy.asks, let host = peers[id]?.host else { return !isSpent }
    return !isSpent && !drawn.contains(host)
  }

  /// Notes that our key was shown to a receiver. The last that it is shown to may finish, and others that are as far.
  private mutating func drew(_ id: ConnectionID, at now: Moment) -> [Action] {
    draws += 1
    if let host = peers[id]?.host { drawn.insert(host) }
    guard isSpent else { return [] }
    closing = .interference
    // Whoever has yet to say HELLO is told when they do.
    return dismiss(.busy, at: now) { $0.isOpening && !$0.isMute }
  }

  private mutating func dismissAll(_ reason: AbortReason, but spared: ConnectionID? = nil, at now: Moment) -> [Action] {
    sessions.keys.filter { $0 != spared }.sorted().flatMap { forward(.dismissed(reason), to: $0, at: now) }
  }

  private mutating func dismiss(
    _ reason: AbortReason, at now: Moment, where condition: (SenderSession) -> Bool
  ) -> [Action] {
    sessions.filter { condition($0.value) }.keys.sorted().flatMap { forward(.dismissed(reason), to: $0, at: now) }
  }

  private mutating func deadlinePassed(at now: Moment) -> [Action] {
    if now >= policy.lifetime, state == .new {
      hasExpired = true
      return stopListening() + dismissAll(.timedOut, at: now)
    }
    var actions: [Action] = []
    for id in sessions.keys.sorted() where sessions[id]?.deadline.map({ $0 <= now }) == true {
      actions += forward(.deadline, to: id, at: now)
    }
    if isListening, now >= policy.discoveryTimeout {
      actions += stopAdmitting(.discoveryTimeout, at: now)
    }
    return actions
  }

  private mutating func perform(_ output: SenderSession.Output, of id: ConnectionID, at now: Moment) -> [Action] {
    switch output {
    case .send(let bytes):
      return [.send(bytes, id)]
    case .secured(let digits):
      let peer = peers[id]?.name ?? ""
      secured.insert(id)
      let events: [Action] = [.event(.connected(peer: peer)), .event(.digits(digits, peer: peer))]
      return countsDraws ? events + drew(id, at: now) : events
    case .held(let seconds):
      return [.event(.deciding(peer: peers[id]?.name ?? "", seconds: Int(seconds)))]
    case .guessed:
      guesses += 1
      let told = Action.event(.wrongGuess(triesLeft: max(0, Self.maximumGuesses - guesses)))
      guard guesses >= Self.maximumGuesses else { return [told] }
      // Whoever proved the code before it was burnt may finish.
      return [told] + stopListening() + dismiss(.authentication, at: now, where: \.isOpening)
    case .accepted(let name):
      queue.append(id)
      let told: [Action] = [.event(.accepted(name))]
      // It is asked about next, should our person say no to the one before.
      return policy.asks && chosen != nil ? told + forward(.queued, to: id, at: now) : told
    case .ask(let name, let digits):
      return [.ask(id, name, digits)]
    case .release(let name, let limit):
      return [.release(id, name, within: limit)]
    case .takeBack:
      return [.takeBack(id)]
    case .keep(let key):
      return [.keep(key, id)]
    case .remembering(let outcome):
      return [.remembering(outcome)]
    case .ended(let ending):
      return end(id, ending, at: now)
    }
  }

  private mutating func end(_ id: ConnectionID, _ ending: SenderSession.Ending, at now: Moment) -> [Action] {
    let session = sessions.removeValue(forKey: id)
    let peer = peers.removeValue(forKey: id)?.name ?? ""
    queue.removeAll { $0 == id }
    var actions: [Action] = [.close(id)]
    if secured.remove(id) != nil { actions.append(.event(.sessionEnded(peer: peer))) }
    if chosen == id {
      chosen = nil
      actions.insert(.withdrawQuestion(id), at: 0)
    }
    if let session, let (reason, name) = FailedPeer.Reason.of(ending, session) {
      failed.note(Self.host(of: peer), FailedPeer(name: name, address: peer, reason: reason))
    }
    switch ending {
    case .delivered(let status, let name):
      state = .delivered
      actions += [.event(.stored(status)), finish(.delivered(to: name, status), record: .delivered)]
    case .unknown(let name, let status):
      state = .unknown
      actions += status.map { [.event(.stored($0))] } ?? []
      let outcome =
        isInterrupted ? .interrupted(.unknown) : SendOutcome.unknown(name, link: policy.fallsBack ? link : nil)
      actions.append(finish(outcome, record: .unknown))
    case .declinedHere(let name):
      refused = name
      if policy.endsAtRefusal, queue.isEmpty {
        closing = closing ?? .declined
        actions += stopListening() + dismissAll(.busy, at: now)
      }
    case .declinedThere:
      actions.append(.event(.declined))
    case .notReleased:
      actions += stopListening() + dismissAll(.shuttingDown, at: now) + [finish(.changedElsewhere(state))]
    case .leftEarly:
      break
    case .failed(let failure):
      // A connection that never said HELLO is a stranger at the port, not somebody the send failed with.
      // A wrong guess was told as that.
      guard let session, !session.isMute, !session.hasGuessed, !failure.isOurChoice else { break }
      actions.append(.event(.sessionFailed(failure, peer: peer)))
    }
    return actions
  }

  // MARK: How it goes on

  /// Gives the turn to the next in the queue, or falls back where nobody is left and nobody more is admitted.
  private mutating func proceed(at now: Moment) -> [Action] {
    guard !isFinished else { return [] }
    var actions: [Action] = []
    if chosen == nil, state == .new, let next = queue.first {
      queue.removeFirst()
      chosen = next
      actions += forward(.chosen, to: next, at: now)
    }
    if isSpent, isListening, sessions.values.allSatisfy(\.isOpening), !isFinished {
      actions += stopListening() + dismissAll(.busy, at: now)
    }
    if sessions.isEmpty, !isFinished, !isReleasingLink {
      if isInterrupted { return actions + [finish(.interrupted(state))] }
      if hasExpired { return actions + [finish(.expired)] }
      if guesses >= Self.maximumGuesses { return actions + [finish(.codeBurnt)] }
      if let closing { return actions + fallBack(closing) }
    }
    return actions
  }

  private mutating func fallBack(_ closing: FallbackReason) -> [Action] {
    // Our person's word: a link would hand out what they held back.
    if closing != .interference, let refused { return [finish(.declinedHere(refused))] }
    var reason = closing
    if closing == .discoveryTimeout { reason = fallbackReason }
    guard policy.fallsBack else { return [finish(.undelivered(reason, link: nil, failed.list))] }
    self.closing = reason
    isReleasingLink = true
    return [.releaseForLink]
  }

  /// Why it came to nothing where the time is up: because of whoever came furthest.
  private var fallbackReason: FallbackReason {
    switch failed.list.first?.reason {
    case nil, .leftEarly: .discoveryTimeout
    case .declinedThere where failed.list.allSatisfy { [.declinedThere, .leftEarly].contains($0.reason) }: .declined
    default: .sendTimeout
    }
  }

  private mutating func finishWithLink(_ isOurs: Bool) -> [Action] {
    guard isOurs else { return [finish(.changedElsewhere(state))] }
    state = .linkShown
    let reason = closing ?? .discoveryTimeout
    return [finish(isInterrupted ? .interrupted(.linkShown) : .undelivered(reason, link: link, failed.list))]
  }

  private mutating func finish(_ outcome: SendOutcome, record: ClaimState? = nil) -> Action {
    isFinished = true
    return .finish(outcome, record: record)
  }

  /// The host of an address and port: of a receiver each connection has another port.
  private static func host(of peer: String) -> String {
    peer.lastIndex(of: ":").map { String(peer[..<$0]) } ?? peer
  }
}

extension FailedPeer.Reason {
  /// Why a session came to nothing, and with whom; `nil` where it did not, where it is the bump that had no more use for
  /// it, or where no receiver was there but a stranger at the port, who never said HELLO.
  fileprivate static func of(_ ending: SenderSession.Ending, _ session: SenderSession) -> (Self, name: String?)? {
    switch ending {
    case .delivered, .unknown, .notReleased: nil
    case .declinedThere: (.declinedThere, nil)
    case .declinedHere(let name): (.declinedHere, name.text)
    case .leftEarly: (.leftEarly, nil)
    case .failed where session.isMute: nil
    case .failed(let failure) where failure.isOurChoice: nil
    case .failed where session.hasGuessed: (.wrongCode, nil)
    case .failed(let failure): (.failed(failure), nil)
    }
  }
}
