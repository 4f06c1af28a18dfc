import BumpChannel
import BumpDiscovery
import BumpWire

/// A whole bump as the receiver sees it: which sender to try, whose offer to decide, when to give up.
/// Pure, like its sessions.
struct ReceiverBump: Sendable {
  /// The other end of a connection.
  private struct Peer {
    /// The address, for a person.
    let name: String
    let host: RemoteHost?
  }

  enum Input {
    case found(ServiceInstance)
    case lost(ServiceInstance)
    /// What the TXT record of a sender says: a hint.
    case described(SenderSearch.SenderID, TXTRecord)
    /// An address of a sender has become known.
    case resolved(SenderSearch.SenderID, Endpoint, LocalNetworks.Likelihood)
    case connected(ConnectionID, peer: String, RemoteHost?, SessionKeys)
    case connectFailed(ConnectionID)
    /// Something happened on a connection.
    case session(ConnectionID, ReceiverSession.Input)
    /// The code that our person entered; `nil` for none.
    case code(OneTimeCode?)
    /// The sender that our person chose; `nil` for none.
    case chose(SenderSearch.SenderID?)
    /// The moment that `deadline` named has come.
    case deadline
    /// Nobody can be found (any more).
    case discoveryLost
    /// The person wants it to end.
    case interrupted
  }

  enum Action: Equatable {
    case search(SenderSearch.Output)
    case send([UInt8], ConnectionID)
    case close(ConnectionID)
    /// Ask our person; the answer is that connection's `.decided`.
    case ask(ConnectionID, Offer, VerificationDigits)
    /// That question has lost its object.
    case withdrawQuestion(ConnectionID)
    /// Ask our person for the code of this sender; `.code` is the answer.
    case askCode(String)
    /// Ask our person which of these to try; `.chose` is the answer. A question before it has lost its object.
    case choose([Receiver.Candidate])
    /// That question has lost its object too.
    case withdrawChoice
    /// Make the claim durable; that connection's `.stored` is the answer.
    case store(ConnectionID, VerifiedClaim)
    case event(ReceiveEvent)
    /// Keep this key with that connection's claim, which is to be stored next; `.kept` is the answer, before `.stored`.
    case keep(SharedKey, ConnectionID)
    case remembering(Remembering)
    case finish(ReceiveOutcome)
  }

  struct Policy: Sendable {
    /// What we call ourselves.
    var name: DisplayName
    /// What the sender must know too. It decides the one mode that is accepted.
    var credential = Credential.none
    /// Whether there is a person who could enter a code.
    var canEnterCode = false
    /// Whether our person is asked before an offer is accepted.
    var asks: Bool
    /// Whether our person wants to remember the sender.
    var remembers = false
    /// Whether one peer was given, and nobody else is looked for.
    var isDirect = false
    /// Whose offers are wanted: a display name as it is shown, or `nil` for anybody's.
    var from: String?
    /// Whom to try where several are found.
    var choice = SenderChoice.Rule.anybody
    /// Whether claim after claim is received, until that is interrupted.
    var keeps = false
    /// How long from the beginning senders are looked for.
    var discoveryTimeout: Duration
    /// How long one session waits for the other end in all.
    var sendTimeout: Duration
    /// The time of day, in seconds since 1970, by which offers expire.
    var unixTime: @Sendable () -> Int64
  }

  /// Senders that one code is tried with: each could be somebody who collects guesses.
  static let maximumGuesses = 3
  /// How long senders are looked for once a code was entered: the sender's person had to tell it.
  static let timeWithCode: Duration = .seconds(60)

  private let policy: Policy
  private var credential: Credential
  private var search: SenderSearch
  private var choice: SenderChoice
  private var draws: ReceiverDraws
  private var sessions: [ConnectionID: (session: ReceiverSession, sender: SenderSearch.SenderID, peer: Peer)] = [:]
  /// Those whose channel stands.
  private var secured: Set<ConnectionID> = []
  /// Offers to be decided, the first first.
  private var queue: [ConnectionID] = []
  private var chosen: ConnectionID?
  /// Those that owe us a claim, and that others do not wait for any more.
  private var outstayed: Set<ConnectionID> = []
  /// How many draws of digits ended in our person's no.
  private var refusals = 0
  private var guesses = 0
  /// Whether our person is asked for a code: that time does not count.
  private var isAskingCode = false
  /// Since when our person chooses a sender: that time does not count either.
  private var choosingSince = Moment.zero
  private var discoveryEnd: Moment
  private var verdict: ReceiveOutcome?
  /// The claim that has come, while another is being stored.
  private var received: ReceiveOutcome?
  /// Until when the draws are spent, as far as that was told.
  private var toldUntil: Moment?
  private var lastFailure: SessionFailure?
  private var isInterrupted = false
  private var isFinished = false
  /// Why no more senders are tried; `nil` while they are.
  private var closing: NobodyReason?

  init(policy: Policy) {
    self.policy = policy
    credential = policy.credential
    choice = SenderChoice(policy.choice)
    draws = ReceiverDraws(isLong: policy.keeps, isDirect: policy.isDirect)
    search = SenderSearch(isHeld: policy.choice != .anybody, isLong: policy.keeps)
    discoveryEnd = policy.discoveryTimeout
  }

  /// When `.deadline` is due.
  var deadline: Moment? {
    guard !isFinished else { return nil }
    let turns = countsDraws ? draws.deadline : nil
    let ends = [search.deadline, choice.deadline, isTimed ? discoveryEnd : nil, turns, wayDeadline]
    return (sessions.values.map(\.session.deadline) + ends).compactMap(\.self).min()
  }

  /// Whether the time for finding senders runs: not while our person does what only a person can.
  private var isTimed: Bool { closing == nil && !isAskingCode && !choice.isAsking && !policy.keeps }

  /// Tries one sender that needs no discovery.
  mutating func start(peer: Endpoint, at now: Moment) -> [Action] {
    search.add(peer: peer, at: now).map(Action.search)
  }

  mutating func handle(_ input: Input, at now: Moment) -> [Action] {
    guard !isFinished else { return [] }
    draws.prune(at: now)
    var actions: [Action]
    switch input {
    case .found(let instance):
      actions = found(instance, at: now)
    case .lost(let instance):
      actions = search.lost(instance, at: now).map(Action.search) + goneAfterChoice(.instance(instance.name), at: now)
    case .described(let sender, let txt):
      choice.described(sender, txt)
      actions = isPossible(txt) ? [] : search.dismiss(sender, at: now).map(Action.search)
    case .code(let code):
      actions = entered(code, at: now)
    case .chose(let sender):
      actions = chose(sender, at: now)
    case .resolved(let sender, let endpoint, let likelihood):
      actions = search.resolved(sender, endpoint, likelihood, at: now).map(Action.search)
    case .connected(let id, let name, let host, let keys):
      actions = connected(id, Peer(name: name, host: host), keys, at: now)
    case .connectFailed(let id):
      actions = search.connectFailed(id, at: now).map(Action.search)
    case .session(let id, let input):
      actions = forward(input, to: id, at: now)
    case .deadline:
      actions = deadlinePassed(at: now)
    case .discoveryLost:
      actions = stopSearching(.discoveryUnavailable, at: now)
    case .interrupted:
      isInterrupted = true
      actions = stopSearching(.timeout, at: now) + dismiss(.shuttingDown, at: now) { _ in true }
    }
    actions += choose(at: now)
    actions += giveWay(at: now) + draw(at: now)
    return actions + proceed(at: now)
  }

  // MARK: Who is tried

  private mutating func found(_ instance: ServiceInstance, at now: Moment) -> [Action] {
    guard closing == nil, isWanted(instance.name) else { return [] }
    let (isNew, outputs) = search.found(instance, at: now)
    return (isNew ? [.event(.found(name: instance.name))] : []) + outputs.map(Action.search)
  }

  private func isWanted(_ instanceName: String) -> Bool {
    guard let from = policy.from, policy.choice == .anybody else { return true }
    let shown = InstanceName.shown(instanceName)
    // A long display name is cut in the instance name; the offer holds it whole.
    return from == shown.distinct || from.hasPrefix(shown.short)
  }

  private func wants(from sender: SenderSearch.SenderID) -> @Sendable (Offer) -> Bool {
    guard let from = policy.from, !choice.isByPosition else { return { _ in true } }
    if case .instance(let name) = sender, InstanceName.shown(name).distinct == from { return { _ in true } }
    return { $0.from.visible == from }
  }

  private mutating func connected(_ id: ConnectionID, _ peer: Peer, _ keys: SessionKeys, at now: Moment) -> [Action] {
    guard closing == nil, let (sender, outputs) = search.connected(id, at: now) else { return [.close(id)] }
    guard !mayGuessTooOften else {
      return [.close(id)] + (outputs + search.sessionEnded(sender, .always, at: now)).map(Action.search)
    }
    guard !countsDraws || draws.mayDraw(sender, peer.host) else {
      return [.close(id)] + (outputs + search.sessionEnded(sender, .never, at: now)).map(Action.search)
    }
    let session = ReceiverSession(
      name: policy.name, credential: credential, asks: policy.asks, remembers: policy.remembers,
      waitsToProceed: countsDraws, wants: wants(from: sender), limit: policy.sendTimeout, keys: keys, at: now,
      unixTime: policy.unixTime)
    sessions[id] = (session, sender, peer)
    return outputs.map(Action.search) + forward(.opened, to: id, at: now)
  }

  // MARK: Who is chosen

  /// Goes on where enough is known of who is near.
  private mutating func choose(at now: Moment) -> [Action] {
    guard closing == nil, search.isHeld, !isFinished else { return [] }
    let wasAsking = choice.isAsking
    let step = choice.step(reachable: search.reachable, isNear: search.isNear, fits: fits, at: now)
    defer { if wasAsking, !choice.isAsking { discoveryEnd += now - choosingSince } }
    switch step {
    case nil:
      return []
    case .ask(let candidates):
      if !wasAsking { choosingSince = now }
      return [.choose(candidates)]
    case .withdraw:
      return [.withdrawChoice] + (choice.isOpen ? search.release(at: now).map(Action.search) : [])
    case .tryAnybody:
      return search.release(at: now).map(Action.search)
    case .tryOnly(let senders):
      return search.release(only: senders, at: now).map(Action.search)
    }
  }

  /// Whether a sender of this mode, if it is known, would do.
  private func fits(_ mode: Mode?) -> Bool {
    guard let mode else { return true }
    return mode == credential.mode || (mode == .code && policy.canEnterCode)
  }

  private mutating func chose(_ sender: SenderSearch.SenderID?, at now: Moment) -> [Action] {
    guard choice.isAsking else { return [] }
    guard let sender, choice.chose(sender) else { return [finish(.declinedHere)] }
    discoveryEnd += now - choosingSince
    return search.release(only: [sender], at: now).map(Action.search)
  }

  /// Where the sender that our person chose is gone, there will be another choice; in place of a number there is none.
  private mutating func goneAfterChoice(_ sender: SenderSearch.SenderID, at now: Moment) -> [Action] {
    guard case .instance(let name) = sender, !search.isNear(sender) else { return [] }
    choice.lost(sender)
    guard choice.isMade(sender), closing == nil, !isAskingCode else { return [] }
    let dismissed = search.dismiss(sender, at: now).map(Action.search)
    guard policy.choice == .ask else { return dismissed }
    choice.forget()
    return [.event(.lost(name: name))] + dismissed + search.hold(at: now).map(Action.search)
  }

  /// Whether the sessions under way may use up all the guesses that this code has.
  private var mayGuessTooOften: Bool {
    guard case .code = credential else { return false }
    let coming = sessions.values.count { $0.session.isOpening && !$0.session.hasGuessed }
    return guesses + coming >= Self.maximumGuesses
  }

  /// Whether a sender may be the one whose code we have. The session decides; this saves guesses.
  private func isPossible(_ txt: TXTRecord) -> Bool {
    guard case .code(let code) = credential else { return true }
    return txt["mode"] == Mode.code.description && txt["ch"] == String(code.channel)
  }

  /// Asks our person for a code, and gives up those that are still opening: with a code they will not do.
  private mutating func askCode(of sender: SenderSearch.SenderID, at now: Moment) -> [Action] {
    isAskingCode = true
    let name = if case .instance(let name) = sender { InstanceName.shown(name).short } else { "" }
    return [.askCode(name)] + search.stopAll().map(Action.search) + dismiss(.busy, at: now, where: \.isOpening)
  }

  private mutating func entered(_ code: OneTimeCode?, at now: Moment) -> [Action] {
    guard isAskingCode else { return [] }
    isAskingCode = false
    guard let code else { return [finish(.codeWanted)] }
    credential = .code(code)
    discoveryEnd = now + Self.timeWithCode
    // From here on the code picks the sender.
    choice.open()
    return (search.release(at: now) + search.restart(at: now)).map(Action.search)
  }

  /// From now on only those go on that have been welcomed.
  private mutating func stopSearching(_ reason: NobodyReason, at now: Moment) -> [Action] {
    guard closing == nil else { return [] }
    closing = reason
    let withdrawn: [Action] = choice.isAsking ? [.withdrawChoice] : []
    if choice.isAsking { choice.open() }
    return withdrawn + search.stopAll().map(Action.search) + dismiss(.timedOut, at: now, where: \.isMute)
  }

  // MARK: Sessions

  private mutating func forward(_ input: ReceiverSession.Input, to id: ConnectionID, at now: Moment) -> [Action] {
    guard let outputs = sessions[id]?.session.handle(input, at: now) else { return [] }
    return outputs.flatMap { perform($0, of: id, at: now) }
  }

  private mutating func dismiss(
    _ reason: AbortReason, at now: Moment, where condition: (ReceiverSession) -> Bool
  ) -> [Action] {
    sessions.filter { condition($0.value.session) }.keys.sorted().flatMap {
      forward(.dismissed(reason), to: $0, at: now)
    }
  }

  private mutating func deadlinePassed(at now: Moment) -> [Action] {
    var actions: [Action] = []
    for id in sessions.keys.sorted() where sessions[id]?.session.deadline.map({ $0 <= now }) == true {
      actions += forward(.deadline, to: id, at: now)
    }
    if isTimed, now >= discoveryEnd { return actions + stopSearching(.timeout, at: now) }
    return actions + search.deadlinePassed(at: now).map(Action.search)
  }

  private mutating func perform(_ output: ReceiverSession.Output, of id: ConnectionID, at now: Moment) -> [Action] {
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
      return [.event(.connected(peer: peer)), .event(.digits(digits, peer: peer))]
    case .offered(let offer):
      queue.append(id)
      return [.event(.offer(offer))]
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

  private mutating func end(_ id: ConnectionID, _ ending: ReceiverSession.Ending, at now: Moment) -> [Action] {
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
      // Whoever drives this knows why, and says so.
      return actions + [.event(.stored(.notStored)), finish(.nobody(.timeout, nil))]
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
      // In a long search it says nothing of why that ends.
      lastFailure = policy.keeps ? nil : failure
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
  private static func mayPass(_ failure: SessionFailure) -> Bool {
    switch failure {
    case .closed, .timedOut, .aborted(.busy), .aborted(.timedOut): true
    default: false
    }
  }

  // MARK: Whose turn it is

  /// Whether our person compares digits. Where a code or a key tells who is there, they tell nothing more.
  private var countsDraws: Bool { policy.asks && credential == .none }

  /// Lets the next welcomed sender see our key, and nobody be connected to while others wait for theirs.
  private mutating func draw(at now: Moment) -> [Action] {
    guard countsDraws, !isFinished else { return search.resume(at: now).map(Action.search) }
    var actions: [Action] = []
    if let next = draws.next(at: now) {
      actions += forward(.proceed, to: next, at: now)
      if draws.isSpent, !policy.keeps {
        // The last one may finish.
        actions +=
          stopSearching(.interference, at: now) + dismiss(.busy, at: now) { $0.isOpening && $0.owedSince == nil }
      }
    }
    actions += tellSpent(at: now)
    guard draws.isFree else {
      search.pause()
      return actions
    }
    return actions + search.resume(at: now).map(Action.search)
  }

  /// Says once that nobody is met for a while, in a search that goes on after that.
  private mutating func tellSpent(at now: Moment) -> [Action] {
    guard draws.isSpent, draws.outstanding == nil, let end = draws.forgetting, end != toldUntil else { return [] }
    toldUntil = end
    return [.event(.interference(seconds: Int((end - now).components.seconds)))]
  }

  /// Whether another sender has an offer, or waits to make one.
  private var isAnotherWaiting: Bool {
    if !queue.isEmpty { return true }
    guard countsDraws, closing == nil, !draws.isSpent else { return false }
    return draws.hasWaiting || search.reachable.contains { draws.isFresh($0) }
  }

  /// The session that others wait for, and since when it owes us something.
  private var debtor: (id: ConnectionID, since: Moment)? {
    guard let id = chosen ?? draws.outstanding else { return nil }
    return sessions[id]?.session.owedSince.map { (id, $0) }
  }

  /// When that session gives way.
  private var wayDeadline: Moment? {
    guard let debtor, isAnotherWaiting else { return nil }
    return debtor.since + Times.grace
  }

  /// A sender that does not go on gives way to one that waits. Its session lives on until its time is up: should its claim
  /// come, or be on its way, it is taken.
  private mutating func giveWay(at now: Moment) -> [Action] {
    guard let debtor, let end = wayDeadline, now >= end, let sender = sessions[debtor.id]?.sender else { return [] }
    draws.giveWay(debtor.id, at: now)
    if chosen == debtor.id { chosen = nil }
    guard outstayed.insert(debtor.id).inserted else { return [] }
    return search.sessionEnded(sender, .never, at: now).map(Action.search)
  }

  // MARK: How it goes on

  /// Keeps what to say where nothing better comes: our person's word, a doubt about who is there, else the first.
  /// In a long search it is said at once.
  private mutating func note(_ outcome: ReceiveOutcome) -> [Action] {
    guard !policy.keeps else { return [.event(.concluded(outcome))] }
    if verdict == nil || [.unauthenticated, .wrongCode, .wrongKey, .declinedHere].contains(outcome) {
      verdict = outcome
    }
    return []
  }

  private mutating func proceed(at now: Moment) -> [Action] {
    guard !isFinished else { return [] }
    var actions: [Action] = []
    if chosen == nil, let next = queue.first {
      queue.removeFirst()
      chosen = next
      actions += forward(.chosen, to: next, at: now)
    }
    guard sessions.isEmpty, !isFinished else { return actions }
    if let received { return actions + [finish(received)] }
    if isInterrupted { return actions + [finish(.interrupted)] }
    if isAskingCode { return actions }
    if let closing {
      let isOurWord = closing == .timeout || (closing == .interference && refusals >= Draws.maximum)
      return actions + [finish((isOurWord ? verdict : nil) ?? .nobody(closing, lastFailure))]
    }
    // The person said no, and there is nobody else to ask about.
    // A peer that was given or chosen and will not do is the only one there is.
    if policy.isDirect || choice.isMade, search.isIdle {
      return actions + [finish(verdict ?? .nobody(.timeout, lastFailure))]
    }
    // Our person's word, a code that fails, or a sender that is too old: nothing that more time would mend, where there is
    // nobody else to try.
    guard let verdict, [.declinedHere, .wrongCode, .olderSender].contains(verdict), search.isIdle else {
      return actions
    }
    return actions + [finish(verdict)]
  }

  private mutating func finish(_ outcome: ReceiveOutcome) -> Action {
    isFinished = true
    return .finish(outcome)
  }
}
