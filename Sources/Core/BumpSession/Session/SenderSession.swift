package import BumpClaims
import BumpNoise
package import BumpWire
import Crypto

/// One connection of a sender: the order of messages, and nothing else.
///
/// HELLO, WELCOME, [PAKE_R, PAKE_S,] NOISE_1, NOISE_2 with OFFER, [HOLD,] ACCEPT or DECLINE, [our HOLD,] CLAIM or
/// DECLINE, STORED. For a document, CHUNKs and MOREs replace CLAIM. A busy receiver sends QUEUEDs before NOISE_1, or
/// after OFFER. The session has no clock, no socket and no source of randomness: it takes inputs and returns outputs.
package struct SenderSession: Session {
  private enum State {
    case awaitingHello
    case awaitingPake(HandshakePrologue)
    case awaitingNoise1(HandshakePrologue)
    case awaitingAnswer(SecureChannel, held: Bool)
    case accepted(SecureChannel, DisplayName, held: Bool)
    case asking(SecureChannel, DisplayName)
    /// With a `lapse`, the session has failed, and CLAIM is not sent any more.
    case releasing(SecureChannel, DisplayName, lapse: SessionFailure?)
    case awaitingStored(SecureChannel, DisplayName)
    /// The document is being sent, or all of it was sent.
    case sending(SecureChannel, DisplayName, OutgoingChunks)
    case over
  }

  private let subject: Subject
  private let credential: Credential
  private let asks: Bool
  private let remembers: Bool
  private let limit: Duration
  private let keys: SessionKeys
  private let openedAt: Moment

  private var state = State.awaitingHello
  package var decoder: FrameDecoder
  private var nonceR: [UInt8] = []
  private var patience: Patience
  private var decisionEnd: Moment?
  private var acceptedAt: Moment?
  /// When waiting for ACCEPT ends: people may compare our digits until then.
  private var answerEnd: Moment?
  /// The time that our HOLD announced.
  private var announced: Duration = .zero

  /// Whether the receiver wants to remember us.
  private var isWishedThere = false
  private var answerHere = RememberAnswer.notAsked
  /// Whether the receiver has kept the key.
  private var answerThere: RememberAnswer?
  private var isClaimSent = false
  /// When the first CHUNKs were sent.
  private var transferringSince = Moment.zero
  /// Whether other receivers wait. A document has a least speed then.
  var othersWait = false
  /// When to stop looking for an answer that may have arrived while this process stood still past its deadline.
  private var lastLook: Moment?
  /// Whether this process handled a deadline so late that it is unknown what the other end did in time.
  private var hasStoodStill = false
  /// The place in the receiver's queue that was read last; `nil` while the session does not wait there.
  private var place: UInt8?
  /// When waiting in the queue before NOISE_1 ends; `nil` before the first QUEUED.
  private var queueEnd: Moment?
  /// How many more QUEUED may come after the first.
  private var queuedLeft = 0

  /// - Parameters:
  ///   - claim: the claim to send.
  ///   - offer: the offer of that claim.
  ///   - credential: the code or key that the receiver must know too. It decides the mode.
  ///   - asks: whether the person here is asked before the claim is sent.
  ///   - remembers: whether the person here wants to remember the receiver.
  ///   - limit: how long this end waits for the other in total.
  ///   - keys: fresh keys for this connection.
  ///   - now: when the connection was opened.
  package init(
    claim: Claim, offer: Offer, credential: Credential = .none, asks: Bool, remembers: Bool = false, limit: Duration,
    keys: SessionKeys, at now: Moment
  ) {
    self.init(
      .claim(claim, offer), credential: credential, asks: asks, remembers: remembers, limit: limit, keys: keys, at: now)
  }

  /// - Parameter remembers: used only with a claim.
  init(
    _ subject: Subject, credential: Credential = .none, asks: Bool, remembers: Bool = false, limit: Duration,
    keys: SessionKeys, at now: Moment
  ) {
    self.subject = subject
    self.credential = credential
    self.asks = asks
    self.remembers = remembers
    self.limit = limit
    self.keys = keys
    decoder = FrameDecoder(mode: credential.mode)
    openedAt = now
    patience = Patience(limit)
  }

  /// Whether NOISE_1 may be opened. If not, HELLO and NOISE_1 are answered with `busy`: showing our key would be
  /// another attempt.
  var mayAttempt = true

  /// Whether the session may wait in the receiver's queue. If not, QUEUED is answered with `busy`.
  var mayWait = true

  /// Whether the receiver has this sender in its queue.
  var isQueued: Bool { place != nil }

  /// Whether HELLO or NOISE_1 was answered with `busy` for that reason.
  private(set) var isTurnedAway = false

  /// Whether no valid HELLO was received.
  private(set) var isMute = true

  /// Whether NOISE_1 did not open with our code.
  private(set) var hasGuessed = false

  /// Whether the secure channel is not yet established.
  var isOpening: Bool {
    switch state {
    case .awaitingHello, .awaitingPake, .awaitingNoise1: true
    default: false
    }
  }

  /// When `.deadline` is due.
  package var deadline: Moment? {
    switch state {
    case .awaitingHello: openedAt + Times.handshake
    case .awaitingPake: min(openedAt + Times.handshake, patience.end ?? .zero)
    case .awaitingNoise1: min(queueEnd ?? openedAt + Times.handshake, patience.end ?? .zero)
    case .awaitingAnswer: [patience.end, answerEnd].compactMap(\.self).min()
    case .awaitingStored: lastLook ?? patience.end
    case .sending(_, _, let chunks):
      // Once all is sent, the answer is waited for: without it the document may be there.
      min(
        patience.end ?? .zero,
        transferringSince
          + Times.transfer(of: chunks.length, whileOthersWait: othersWait && !chunks.areAllSent))
    case .accepted, .asking: decisionEnd
    case .releasing, .over: nil
    }
  }

  /// When an honest receiver stops waiting for CLAIM: `Times.claim` after ACCEPT, plus the time that our HOLD
  /// announced. Until then the claim is given to nobody else.
  private var receiverEnd: Moment { (acceptedAt ?? .zero) + Times.claim + announced }

  /// Returns whether the claim may be sent once it is released: the connection is open, and the receiver may still wait
  /// for CLAIM.
  func maySendClaim(at now: Moment) -> Bool {
    guard case .releasing(_, _, lapse: nil) = state else { return false }
    return now < receiverEnd
  }

  /// Handles an input. An input at or after the deadline is too late, even if it arrived in time while this process
  /// stood still. The receiver's STORED is never too late: the deadline only keeps the claim from others, and does not
  /// say whether the receiver has it.
  package mutating func handle(_ input: Input, at now: Moment) -> [Output] {
    hasStoodStill = deadline.map { now - $0 >= Times.standstill } ?? false
    if let deadline, now >= deadline { return reactLate(to: input, at: now) }
    return react(to: input, at: now)
  }

  private mutating func reactLate(to input: Input, at now: Moment) -> [Output] {
    guard case .awaitingStored = state else { return react(to: .deadline, at: now) }
    var outputs: [Output] = []
    if case .received = input { outputs = react(to: input, at: now) }
    guard case .awaitingStored = state else { return outputs }
    // The timer may fire before bytes are read that arrived in time.
    guard lastLook == nil, hasStoodStill else { return outputs + react(to: .deadline, at: now) }
    lastLook = now + Times.standstill
    return outputs
  }

  private mutating func react(to input: Input, at now: Moment) -> [Output] {
    switch (state, input) {
    case (.over, _), (.releasing(_, _, lapse: _?), .received), (.releasing(_, _, lapse: _?), .closed),
      (.releasing(_, _, lapse: _?), .dismissed):
      return []
    case (_, .received(let bytes)):
      return receive(bytes, at: now)
    case (_, .closed) where isQueued:
      return end(.failed(.noTurn))
    case (_, .dismissed(.timedOut)) where isQueued, (_, .deadline) where isQueued && !hasStoodStill:
      return fail(.noTurn)
    case (.awaitingPake, .closed), (.awaitingNoise1, .closed):
      return end(.leftEarly)
    case (_, .closed):
      return fail(.closed)
    case (_, .dismissed(let reason)):
      return fail(.dismissed(reason))
    case (.accepted, .deadline):
      return fail(.dismissed(.busy))
    case (.asking, .deadline):
      return fail(.unanswered)
    case (_, .deadline):
      return fail(hasStoodStill ? .stoodStill : .timedOut)
    case (.accepted(let channel, let name, let held), .chosen):
      return asks ? ask(channel, name, held: held, at: now) : handOver(channel, name, held: held, at: now)
    case (.accepted(let channel, let name, held: false), .queued):
      return queue(channel, name, at: now)
    case (.asking(let channel, let name), .decided(true)):
      return handOver(channel, name, held: true, at: now)
    case (.asking(var channel, let name), .decided(false)):
      return sealed(.decline, &channel) + end(.declinedHere(name))
    case (.releasing, .kept(let answer)):
      answerHere = answer
      return []
    case (.releasing(let channel, let name, _), .released) where maySendClaim(at: now):
      return writeClaim(channel, name, at: now)
    case (.releasing, .released):
      return fail(.overdue) + [.takeBack]
    case (.releasing, .notReleased):
      return [.send(AbortReason.shuttingDown.frame.bytes)] + end(.notReleased)
    case (.releasing(_, _, let lapse), .takenBack):
      return end(.failed(lapse ?? .overdue))
    case (.releasing(_, let name, _), .notTakenBack):
      return end(.unknown(name, nil))
    case (_, .chosen), (_, .queued), (_, .decided), (_, .kept), (_, .released), (_, .notReleased), (_, .takenBack),
      (_, .notTakenBack):
      return []
    }
  }

  // MARK: Received frames

  package var due: Set<FrameType> {
    switch state {
    case .awaitingHello: [.hello, .abort]
    case .awaitingPake: [.pakeR, .abort]
    case .awaitingNoise1: credential.mode == .code ? [.noise1, .abort] : [.noise1, .queued, .abort]
    case .awaitingAnswer, .awaitingStored, .sending: [.sealed, .abort]
    case .accepted, .asking, .releasing, .over: [.abort]
    }
  }

  package mutating func handle(_ frame: Frame, at now: Moment) throws -> [Output] {
    switch state {
    case .awaitingHello:
      return try welcome(frame, at: now)
    case .awaitingPake(let prologue):
      return try exchange(frame, prologue)
    case .awaitingNoise1(let prologue):
      return try frame.type == .queued ? wait(frame, prologue, at: now) : answer(frame, prologue, at: now)
    case .awaitingAnswer(var channel, let held):
      return try handle(try channel.open(frame), channel, held: held, at: now)
    case .awaitingStored(var channel, let name):
      switch try channel.open(frame) {
      case .remember(let answer) where answerHere == .yes && answerThere == nil && answer != .notAsked:
        answerThere = answer
        state = .awaitingStored(channel, name)
        return []
      case .stored(let status):
        return end(StoreResult(status).map { .delivered($0, name) } ?? .unknown(name, status))
      default:
        throw SessionFailure.protocolViolation
      }
    case .sending(var channel, let name, let chunks):
      return try handle(try channel.open(frame), channel, name, chunks, at: now)
    case .accepted, .asking, .releasing, .over:
      return []
    }
  }

  /// Handles the receiver's ABORT. A receiver whose time is up while its person decides did not wait for us.
  package mutating func aborted(_ reason: AbortReason) -> [Output] {
    if case .awaitingAnswer(_, held: true) = state, reason == .timedOut { return fail(.unansweredThere) }
    return fail(.aborted(reason))
  }

  private mutating func welcome(_ frame: Frame, at now: Moment) throws -> [Output] {
    switch Hello.parse(frame) {
    case .failure(let reason):
      return fail(.dismissed(reason))
    case .success where !mayAttempt:
      return turnAway()
    case .success(let hello):
      let welcome = Welcome(
        mode: credential.mode, nonce: keys.nonce,
        commit: Commitment.to(publicKey: Array(keys.ephemeral.publicKey.rawRepresentation)),
        keyHint: credential.keyHint(nonceR: hello.nonce, nonceS: keys.nonce)
      ).frame
      var prologue = HandshakePrologue(hello: frame, welcome: welcome)
      if case .key(let key) = credential { prologue.use(key, nonceR: hello.nonce, nonceS: keys.nonce) }
      nonceR = hello.nonce
      state = credential.mode == .code ? .awaitingPake(prologue) : .awaitingNoise1(prologue)
      isMute = false
      patience.wait(from: now)
      return [.send(welcome.bytes)]
    }
  }

  private mutating func turnAway() -> [Output] {
    isTurnedAway = true
    return fail(.dismissed(.busy))
  }

  private mutating func exchange(_ frame: Frame, _ prologue: HandshakePrologue) throws -> [Output] {
    guard case .code(let code) = credential else { throw SessionFailure.protocolViolation }
    var prologue = prologue
    let exchange = try prologue.exchange(code, y: keys.scalar)
    try prologue.use(exchange, as: .responder, frame)
    state = .awaitingNoise1(prologue)
    return [.send(Frame(.pakeS, exchange.share).bytes)]
  }

  /// Waits in the receiver's queue. NOISE_1 follows in its turn.
  private mutating func wait(_ frame: Frame, _ prologue: HandshakePrologue, at now: Moment) throws -> [Output] {
    let queued = try Queued(frame)
    guard queued.tag == credential.tag(ofPlace: queued.place, nonceR: nonceR, nonceS: keys.nonce) else {
      throw credential.mode == .key ? SessionFailure.authentication : .protocolViolation
    }
    guard isQueued || mayWait else { return fail(.dismissed(.busy)) }
    var prologue = prologue
    prologue.add(queued)
    state = .awaitingNoise1(prologue)
    return try wait(at: queued.place, now)
  }

  /// Waits at this place of the receiver's queue. The first place limits how long, and how often places may come.
  private mutating func wait(at place: UInt8, _ now: Moment) throws -> [Output] {
    if queueEnd == nil {
      queueEnd = now + Times.place * Int(place)
      queuedLeft = WireLimits.queuedPerPlace * Int(place)
    }
    guard queuedLeft > 0 else { throw SessionFailure.protocolViolation }
    queuedLeft -= 1
    patience.hold(seconds: Times.queuedValidity, at: now)
    self.place = place
    return [.placed(place)]
  }

  private mutating func answer(_ frame: Frame, _ prologue: HandshakePrologue, at now: Moment) throws -> [Output] {
    guard mayAttempt else { return turnAway() }
    patience.pause(at: now)
    place = nil
    var handshake = prologue.handshake(.responder, ephemeral: keys.ephemeral)
    do {
      guard try handshake.readMessage(frame.body).isEmpty else { throw SessionFailure.protocolViolation }
    } catch  where credential.mode == .code {
      hasGuessed = true
      return [.guessed] + fail(.authentication)
    }
    let noise2 = Frame(.noise2, try handshake.writeMessage())
    var channel = try SecureChannel(handshake)
    let sealedOffer = try channel.seal(.offer(subject.json))
    state = .awaitingAnswer(channel, held: false)
    patience.wait(from: now)
    answerEnd = now + Times.answering
    return [.send(noise2.bytes + sealedOffer.bytes), .secured(channel.digits)]
  }

  private mutating func handle(
    _ message: Message, _ channel: SecureChannel, held: Bool, at now: Moment
  ) throws -> [Output] {
    if case .queued(let place) = message, !held, !isWishedThere {
      state = .awaitingAnswer(channel, held: false)
      return try wait(at: place, now)
    }
    place = nil
    switch message {
    case .hold(let seconds) where !held && !isWishedThere:
      patience.hold(seconds: seconds, at: now)
      state = .awaitingAnswer(channel, held: true)
      return [.held(seconds: seconds)]
    case .remember(.yes) where subject.isClaim && credential.mode == .code && !isWishedThere:
      isWishedThere = true
      state = .awaitingAnswer(channel, held: held)
      return []
    case .accept(let name):
      patience.pause(at: now)
      // An honest receiver waits no longer than this for CLAIM or HOLD, so the session does not wait longer to be
      // chosen.
      decisionEnd = now + min(limit, Times.claim)
      acceptedAt = now
      state = .accepted(channel, name, held: false)
      return [.accepted(name)]
    case .decline where !isWishedThere:
      return end(held ? .declinedThere : .declinedAtOnce)
    default:
      throw SessionFailure.protocolViolation
    }
  }

  // MARK: Sent messages

  /// Asks the person here, who has the rest of the time that the receiver was told.
  private mutating func ask(_ channel: SecureChannel, _ name: DisplayName, held: Bool, at now: Moment) -> [Output] {
    var channel = channel
    let outputs = held ? [] : hold(&channel, for: Times.hold, at: now)
    state = .asking(channel, name)
    return outputs + [.ask(name, channel.digits)]
  }

  private mutating func queue(_ channel: SecureChannel, _ name: DisplayName, at now: Moment) -> [Output] {
    var channel = channel
    let outputs = hold(&channel, for: Times.hold, at: now)
    state = .accepted(channel, name, held: true)
    return outputs
  }

  private mutating func handOver(
    _ channel: SecureChannel, _ name: DisplayName, held: Bool, at now: Moment
  ) -> [Output] {
    switch subject {
    case .claim: return release(channel, name, held: held, at: now)
    case .document(let document):
      transferringSince = now
      return send(OutgoingChunks(document), channel, name, at: now)
    }
  }

  /// Sends HOLD, which each end may send once.
  private mutating func hold(_ channel: inout SecureChannel, for time: Duration, at now: Moment) -> [Output] {
    decisionEnd = now + time
    announced = time
    return sealed(.hold(seconds: UInt8(time.components.seconds)), &channel)
  }

  private mutating func release(
    _ channel: SecureChannel, _ name: DisplayName, held: Bool, at now: Moment
  ) -> [Output] {
    var channel = channel
    // A sender that may take longer than a receiver waits by default must announce it.
    let more = Duration.seconds(min((limit - Times.claim).components.seconds, Int64(WireLimits.holdSeconds)))
    let outputs = held || more <= .zero ? [] : hold(&channel, for: more, at: now)
    state = .releasing(channel, name, lapse: nil)
    let key: [Output] = isWishedThere && remembers ? [.keep(channel.rememberedKey)] : []
    return outputs + key + [.release(name, within: max(limit, receiverEnd - now))]
  }

  private mutating func writeClaim(_ channel: SecureChannel, _ name: DisplayName, at now: Moment) -> [Output] {
    guard case .claim(let claim, _) = subject else { return [] }
    var channel = channel
    let answer = isWishedThere ? sealed(.remember(answerHere), &channel) : []
    let outputs = answer + sealed(channel.claimMessage(claim), &channel)
    isClaimSent = true
    state = .awaitingStored(channel, name)
    patience.wait(from: now)
    return outputs
  }

  // MARK: A document

  private mutating func handle(
    _ message: Message, _ channel: SecureChannel, _ name: DisplayName, _ chunks: OutgoingChunks, at now: Moment
  ) throws -> [Output] {
    var chunks = chunks
    switch message {
    case .more:
      guard chunks.allowMore() else { throw SessionFailure.protocolViolation }
      return send(chunks, channel, name, at: now)
    case .stored(.stored) where chunks.areAllSent:
      return end(.delivered(.stored, name))
    case .stored(.duplicate) where chunks.areAllSent:
      return end(.delivered(.duplicate, name))
    case .stored(.notStored) where chunks.areAllSent, .stored(.invalid) where chunks.areAllSent:
      return end(.failed(.notTaken))
    default:
      throw SessionFailure.protocolViolation
    }
  }

  /// Sends as many CHUNKs as the receiver allows. Each MORE starts the time limit for the next one.
  private mutating func send(
    _ chunks: OutgoingChunks, _ channel: SecureChannel, _ name: DisplayName, at now: Moment
  ) -> [Output] {
    var (channel, chunks) = (channel, chunks)
    var outputs: [Output] = []
    while let chunk = chunks.next() { outputs += sealed(.chunk(chunk), &channel) }
    state = .sending(channel, name, chunks)
    patience = Patience(limit)
    patience.wait(from: now)
    return outputs.isEmpty ? [] : outputs + [.progress(chunks.sentBytes, of: chunks.length)]
  }

  // MARK: The end

  /// Ends the session and sends the other end the reason. If the claim was sent, the outcome is unknown.
  package mutating func fail(_ failure: SessionFailure) -> [Output] {
    let farewell = self.farewell(failure)
    switch state {
    case .over:
      // Ignore frames that were read together with the last one.
      return []
    case .releasing(let channel, let name, let lapse):
      // The store has yet to answer whether the claim was released. If it was, the release is undone.
      state = .releasing(channel, name, lapse: lapse ?? failure)
      return lapse == nil ? farewell : []
    case .awaitingStored(_, let name):
      return farewell + end(.unknown(name, nil))
    case .sending(_, let name, let chunks) where chunks.areAllSent:
      return farewell + end(.unknown(name, nil))
    default:
      return farewell + end(.failed(failure))
    }
  }

  private mutating func end(_ ending: Ending) -> [Output] {
    state = .over
    place = nil
    let remembering = remembers ? remembering(at: ending).map { [Output.remembering($0)] } ?? [] : []
    return remembering + [.ended(ending)]
  }

  // MARK: Remembering

  /// Whether both ends remember each other; `nil` if the session ends without a claim, so that another session may
  /// still deliver it.
  private func remembering(at ending: Ending) -> Remembering? {
    switch ending {
    case .delivered:
      return Remembering(whyNotHere ?? whyNotThere)
    case .unknown(_, let status):
      if let why = whyNotHere { return .notRemembered(why) }
      guard isClaimSent else { return .notRemembered(.noClaim) }
      if answerThere == nil, status == nil { return .unknown }
      return Remembering(whyNotThere)
    default:
      return nil
    }
  }

  /// Why the receiver has kept no key; `nil` if it has.
  private var whyNotThere: NotRemembered? { NotRemembered(there: answerThere ?? .cannotKeep) }

  /// Why this end said no before CLAIM; `nil` if both ends said yes.
  private var whyNotHere: NotRemembered? {
    if credential.mode != .code { return .noCode }
    return isWishedThere ? NotRemembered(here: answerHere) : .notAskedThere
  }
}

extension SenderSession.Subject {
  var isClaim: Bool { if case .claim = self { true } else { false } }

  fileprivate var json: [UInt8] {
    switch self {
    case .claim(_, let offer): offer.json
    case .document(let document): document.offer.json
    }
  }
}
