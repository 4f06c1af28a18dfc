package import BumpClaims
import BumpNoise
package import BumpWire
import Crypto

/// One connection of a receiver: the order of messages, and nothing else.
///
/// HELLO, WELCOME, [PAKE_R, PAKE_S,] NOISE_1, NOISE_2, OFFER, [our HOLD,] ACCEPT or DECLINE, [HOLD,] CLAIM or DECLINE,
/// STORED. For a document, CHUNKs and MOREs replace CLAIM. QUEUEDs come before NOISE_1 or after OFFER while others are
/// served. The session has no clock, no socket and no source of randomness: it takes inputs and returns outputs.
package struct ReceiverSession: Session {
  private enum State {
    case new
    case awaitingWelcome(hello: Frame)
    case ready(HandshakePrologue, Welcome)
    case awaitingPake(HandshakePrologue, CPace, Welcome)
    case awaitingNoise2(NoiseHandshake, Welcome)
    case awaitingOffer(SecureChannel)
    case offered(SecureChannel, Proposal)
    case asking(SecureChannel, Proposal)
    case awaitingClaim(SecureChannel, Offer, held: Bool)
    case storing(SecureChannel, VerifiedClaim, isOpen: Bool)
    case awaitingDocument(SecureChannel, IncomingDocument, held: Bool)
    case saving(SecureChannel, isOpen: Bool)
    case over
  }

  /// The sender's place in the queue.
  private struct Place {
    var number: UInt8
    /// When the sender is told next.
    var nextTold: Moment
    /// Whether the sender was told that it waits.
    var isTold = false
  }

  /// What the sender offers. After ACCEPT, a claim and a document have states of their own.
  private enum Proposal {
    case claim(Offer)
    case document(DocumentOffer)

    var from: DisplayName {
      switch self {
      case .claim(let offer): offer.from
      case .document(let offer): offer.from
      }
    }
  }

  private let settings: Settings
  /// The code or key that the sender must know too; the key of a remembered sender from its WELCOME on.
  private(set) var credential: Credential
  /// The remembered sender whose key WELCOME's hint is made with. The handshake proves it.
  private(set) var recognized: RememberedSender?
  private let takesDocuments: Bool
  private let waitsToProceed: Bool
  private let wants: @Sendable (DisplayName) -> Bool
  private let keys: SessionKeys
  private let openedAt: Moment

  private var state = State.new
  package var decoder = FrameDecoder()
  private var patience: Patience
  private var decisionEnd: Moment?
  /// When the first CHUNK was received.
  private var transferringSince: Moment?
  /// Whether other senders wait. A document has a least speed then.
  var othersWait = false
  /// Whether this process handled the deadline so late that the process must have stood still.
  private var hasStoodStill = false
  /// The sender's place in the queue; `nil` unless it waits for its turn.
  private var place: Place?
  /// When waiting for `.proceed` ends, once the sender was told that it waits.
  private var queueEnd: Moment?
  /// When the secure channel must be established after NOISE_1.
  private var handshakeEnd: Moment

  private var answerHere: RememberAnswer?
  /// Whether the sender wants to remember us, and has kept the key.
  private var answerThere: RememberAnswer?

  /// - Parameters:
  ///   - credential: the code or key that the sender must know too. It decides the one mode that is accepted. Without
  ///     one, the key of a remembered sender is accepted too.
  ///   - waitsToProceed: whether NOISE_1 waits for `.proceed`, except in mode code.
  ///   - takesDocuments: whether cards and links are accepted too.
  ///   - wants: returns whether an offer with this display name is from the wanted sender.
  ///   - keys: fresh keys for this connection.
  ///   - now: when connecting began.
  package init(
    _ settings: Settings, credential: Credential = .none, waitsToProceed: Bool = false, takesDocuments: Bool = false,
    wants: @escaping @Sendable (DisplayName) -> Bool = { _ in true }, keys: SessionKeys, at now: Moment
  ) {
    self.settings = settings
    self.credential = credential
    self.takesDocuments = takesDocuments
    self.waitsToProceed = waitsToProceed
    self.wants = wants
    self.keys = keys
    openedAt = now
    handshakeEnd = now + Times.handshake
    patience = Patience(settings.limit)
  }

  /// Whether no WELCOME was received.
  private(set) var isMute = true

  /// Whether NOISE_1 was sent in mode code.
  package private(set) var hasGuessed = false

  /// Whether the secure channel is not yet established.
  var isOpening: Bool {
    switch state {
    case .new, .awaitingWelcome, .ready, .awaitingPake, .awaitingNoise2: true
    default: false
    }
  }

  /// Whether the sender was told that it waits in the queue, and still does.
  var isQueued: Bool { place?.isTold == true }

  /// Since when the sender's OFFER is due after NOISE_1, or its CLAIM or first CHUNK after ACCEPT; `nil` if none is due.
  private(set) var dueSince: Moment?

  /// Whether the claim, or the whole document, was received.
  var isStoring: Bool {
    switch state {
    case .storing, .saving: true
    default: false
    }
  }

  /// When `.deadline` is due: at the session's limit, or when the sender is told its place.
  package var deadline: Moment? { [limit, place?.nextTold].compactMap(\.self).min() }

  private var limit: Moment? {
    switch state {
    case .new: openedAt + Times.handshake
    case .ready: queueEnd ?? openedAt + Times.handshake - (place == nil ? Times.handshakeMargin : .zero)
    case .awaitingWelcome, .awaitingPake, .awaitingNoise2: min(handshakeEnd, patience.end ?? .zero)
    case .awaitingOffer, .awaitingClaim: patience.end
    case .awaitingDocument(_, let document, _):
      [patience.end, transferEnd(of: document.offer.length)].compactMap(\.self).min()
    case .asking: decisionEnd
    case .offered, .storing, .saving, .over: nil
    }
  }

  /// When a document of this length must have been received, however steadily it comes; `nil` before its first CHUNK.
  private func transferEnd(of length: Int) -> Moment? {
    transferringSince.map { $0 + Times.transfer(of: length, whileOthersWait: othersWait) }
  }

  /// Handles an input. An input at or after the limit is too late, even if it arrived in time while this process stood
  /// still: the sender relies on a late CLAIM not being accepted.
  package mutating func handle(_ input: Input, at now: Moment) -> [Output] {
    hasStoodStill = limit.map { now - $0 >= Times.standstill } ?? false
    if let limit, now >= limit { return react(to: .deadline, at: now) }
    if case .deadline = input, let place, now >= place.nextTold { return tell(place, at: now) }
    return react(to: input, at: now)
  }

  private mutating func react(to input: Input, at now: Moment) -> [Output] {
    switch (state, input) {
    case (.over, _), (.storing(_, _, isOpen: false), .received), (.storing(_, _, isOpen: false), .closed),
      (.storing(_, _, isOpen: false), .dismissed), (.saving(_, isOpen: false), .received),
      (.saving(_, isOpen: false), .closed), (.saving(_, isOpen: false), .dismissed):
      return []
    case (.new, .opened):
      let hello = Hello(nonce: keys.nonce).frame
      state = .awaitingWelcome(hello: hello)
      patience.wait(from: now)
      return [.send(hello.bytes)]
    case (_, .received(let bytes)):
      return receive(bytes, at: now)
    case (_, .closed):
      return fail(.closed)
    case (_, .dismissed(let reason)):
      return fail(.dismissed(reason))
    case (.ready, .placed(let number)), (.offered, .placed(let number)):
      put(at: number, now)
      return []
    case (.ready(let prologue, let welcome), .proceed):
      place = nil
      if queueEnd != nil { handshakeEnd = now + Times.handshake }
      return (try? begin(prologue, welcome, at: now)) ?? fail(.protocolViolation)
    case (.ready, .deadline):
      return end(.waitedTooLong)
    case (.asking, .deadline):
      return fail(.unanswered)
    case (_, .deadline):
      return fail(hasStoodStill ? .stoodStill : .timedOut)
    case (.offered(let channel, let proposal), .chosen):
      place = nil
      return settings.asks ? ask(channel, proposal, at: now) : accept(channel, proposal, at: now)
    case (.asking(let channel, let proposal), .decided(true)):
      return accept(channel, proposal, at: now)
    case (.asking(var channel, _), .decided(false)):
      return sealed(.decline, &channel) + end(.declinedHere)
    case (.storing, .kept(let answer)):
      answerHere = answer
      return []
    case (.storing(var channel, let claim, let isOpen), .stored(let result)):
      let told = isOpen ? answer(StoredStatus(result), &channel) : []
      return told + (settings.remembers ? [.request(.remembering(remembering))] : []) + end(.received(claim, result))
    case (.storing(var channel, _, let isOpen), .notStored(let error)):
      return (isOpen ? answer(.notStored, &channel) : []) + end(.notStored(error))
    case (.saving(var channel, let isOpen), .saved(let saved)):
      return (isOpen ? sealed(.stored(saved.status), &channel) : []) + end(.saved(saved))
    case (.saving(var channel, let isOpen), .notSaved(let error)):
      return (isOpen ? sealed(.stored(.notStored), &channel) : []) + end(.notSaved(error))
    case (_, .opened), (_, .proceed), (_, .placed), (_, .chosen), (_, .decided), (_, .kept), (_, .stored),
      (_, .notStored), (_, .saved), (_, .notSaved):
      return []
    }
  }

  // MARK: Received frames

  package var due: Set<FrameType> {
    switch state {
    case .awaitingWelcome: [.welcome, .abort]
    case .awaitingPake: [.pakeS, .abort]
    case .awaitingNoise2: [.noise2, .abort]
    case .awaitingOffer, .awaitingClaim, .awaitingDocument: [.sealed, .abort]
    case .new, .ready, .offered, .asking, .storing, .saving, .over: [.abort]
    }
  }

  package mutating func handle(_ frame: Frame, at now: Moment) throws -> [Output] {
    switch state {
    case .awaitingWelcome(let hello):
      return try begin(frame, hello, at: now)
    case .awaitingPake(let prologue, let exchange, let welcome):
      return try guess(frame, prologue, exchange, welcome, at: now)
    case .awaitingNoise2(var handshake, let welcome):
      return try secure(frame, &handshake, welcome)
    case .awaitingOffer(var channel):
      guard case .offer(let json) = try channel.open(frame) else { throw SessionFailure.protocolViolation }
      patience.pause(at: now)
      dueSince = nil
      return consider(try proposal(json), &channel)
    case .awaitingClaim(var channel, let offer, let held):
      return try handle(try channel.open(frame), channel, offer, held: held, at: now)
    case .awaitingDocument(var channel, let document, let held):
      return try handle(try channel.open(frame), channel, document, held: held, at: now)
    case .new, .ready, .offered, .asking, .storing, .saving, .over:
      return []
    }
  }

  /// Handles the sender's ABORT. If the sender aborts at our guess, it has another code. If its time is up before it has
  /// received our HELLO, or while its person decides, it did not wait for us. If its time is up while its offer waits
  /// here, it waited as long as it could. If it rejects a code before NOISE_1, the wrong codes were those of others. The
  /// reason is only a hint for the message: nothing is retried in a weaker mode because of it.
  package mutating func aborted(_ reason: AbortReason) -> [Output] {
    if case .awaitingNoise2 = state, credential.mode == .code, reason == .authentication { return end(.wrongCode) }
    switch (state, reason) {
    case (.awaitingWelcome, .timedOut): return fail(.tooLate)
    case (.awaitingWelcome, .busy): return fail(.notAdmitted)
    case (.awaitingWelcome, .authentication) where credential.mode == .code: return fail(.codeBurnt)
    case (.awaitingPake, .authentication): return fail(.codeBurnt)
    case (.ready, .timedOut), (.offered, .timedOut): return fail(.keptWaiting)
    case (.awaitingClaim(_, _, held: true), .timedOut), (.awaitingDocument(_, _, held: true), .timedOut):
      return fail(.unansweredThere)
    default: return fail(.aborted(reason))
    }
  }

  private mutating func begin(_ frame: Frame, _ hello: Frame, at now: Moment) throws -> [Output] {
    switch Welcome.parse(frame) {
    case .failure(let reason):
      return fail(.dismissed(reason))
    case .success(let welcome):
      isMute = false
      return [.welcomed(welcome.mode)] + (try open(frame, hello, welcome, at: now))
    }
  }

  /// Continues in the one mode that our credential allows. Without a credential that is mode open, and mode key with a
  /// sender whose hint shows that it has the key of somebody who is remembered here.
  private mutating func open(_ frame: Frame, _ hello: Frame, _ welcome: Welcome, at now: Moment) throws -> [Output] {
    var prologue = HandshakePrologue(hello: hello, welcome: frame)
    switch (credential, welcome.mode) {
    case (.none, .open):
      return try beginInTurn(prologue, welcome, at: now)
    case (.none, .code):
      return end(.codeWanted)
    case (.none, .key):
      let known = settings.remembered.first {
        welcome.keyHint == Credential.key($0.key).keyHint(nonceR: keys.nonce, nonceS: welcome.nonce)
      }
      guard let known else { return fail(.otherMode(.key)) }
      (recognized, credential) = (known, .key(known.key))
      prologue.use(known.key, nonceR: keys.nonce, nonceS: welcome.nonce)
      return try beginInTurn(prologue, welcome, at: now)
    case (.key(let key), .key) where welcome.keyHint == credential.keyHint(nonceR: keys.nonce, nonceS: welcome.nonce):
      prologue.use(key, nonceR: keys.nonce, nonceS: welcome.nonce)
      return try beginInTurn(prologue, welcome, at: now)
    case (.key, .key):
      return [.send(AbortReason.mode.frame.bytes)] + end(.wrongKey)
    case (.code(let code), .code):
      let exchange = try prologue.exchange(code, y: keys.scalar)
      state = .awaitingPake(prologue, exchange, welcome)
      return [.send(Frame(.pakeR, exchange.share).bytes)]
    default:
      return fail(.otherMode(welcome.mode))
    }
  }

  private mutating func guess(
    _ frame: Frame, _ prologue: HandshakePrologue, _ exchange: CPace, _ welcome: Welcome, at now: Moment
  ) throws -> [Output] {
    var prologue = prologue
    try prologue.use(exchange, as: .initiator, frame)
    hasGuessed = true
    return [.guessing] + (try begin(prologue, welcome, at: now))
  }

  /// Begins the handshake now, or once `.proceed` allows it.
  private mutating func beginInTurn(_ prologue: HandshakePrologue, _ welcome: Welcome, at now: Moment) throws
    -> [Output]
  {
    guard waitsToProceed else { return try begin(prologue, welcome, at: now) }
    patience.pause(at: now)
    state = .ready(prologue, welcome)
    return [.ready]
  }

  /// Notes the sender's place. The sender is told of it only if its turn does not come soon, and before it would give us
  /// up.
  private mutating func put(at number: UInt8, _ now: Moment) {
    guard place == nil else {
      place?.number = number
      return
    }
    let delayed = now + Times.queueDelay
    let isSecured = if case .offered = state { true } else { false }
    let last = openedAt + Times.handshake - Times.handshakeMargin
    place = Place(number: number, nextTold: isSecured ? delayed : min(delayed, last))
  }

  /// Sends QUEUED, and again in a while. Before the channel is established, it becomes a part of Noise's prologue.
  private mutating func tell(_ place: Place, at now: Moment) -> [Output] {
    self.place = Place(number: place.number, nextTold: now + Times.queuedInterval, isTold: true)
    switch state {
    case .ready(var prologue, let welcome):
      let tag = credential.tag(ofPlace: place.number, nonceR: keys.nonce, nonceS: welcome.nonce)
      let queued = Queued(place: place.number, tag: tag)
      prologue.add(queued)
      state = .ready(prologue, welcome)
      // The sender has the same limit. We end first, so that it is tried again.
      queueEnd = queueEnd ?? now + Times.place * Int(place.number) - Times.handshakeMargin
      return [.send(queued.frame.bytes)]
    case .offered(var channel, let proposal):
      let told = sealed(.queued(place: place.number), &channel)
      state = .offered(channel, proposal)
      return told
    default:
      return []
    }
  }

  private mutating func begin(_ prologue: HandshakePrologue, _ welcome: Welcome, at now: Moment) throws -> [Output] {
    var handshake = prologue.handshake(.initiator, ephemeral: keys.ephemeral)
    let noise1 = Frame(.noise1, try handshake.writeMessage())
    state = .awaitingNoise2(handshake, welcome)
    patience.wait(from: now)
    dueSince = now
    return [.send(noise1.bytes)]
  }

  private mutating func secure(_ frame: Frame, _ handshake: inout NoiseHandshake, _ welcome: Welcome) throws -> [Output]
  {
    let payload = try handshake.readMessage(frame.body)
    try Commitment.check(welcome, publicKey: handshake.remoteEphemeral)
    guard payload.isEmpty else { throw SessionFailure.protocolViolation }
    let channel = try SecureChannel(handshake)
    state = .awaitingOffer(channel)
    return [.secured(channel.digits)]
  }

  private func proposal(_ json: [UInt8]) throws -> Proposal {
    if let offer = try? DocumentOffer(json: json) { return .document(offer) }
    return .claim(try Offer(json: json))
  }

  private mutating func consider(_ proposal: Proposal, _ channel: inout SecureChannel) -> [Output] {
    if case .claim(let offer) = proposal {
      let now = settings.unixTime()
      if offer.expiry.hasPassed(at: now) {
        return expire(&channel, .expiredOnArrival(secondsAgo: now - offer.expiry.unixSeconds))
      }
    }
    guard wants(proposal.from) else { return [.send(AbortReason.busy.frame.bytes)] + end(.unwanted) }
    if case .document = proposal, !takesDocuments { return fail(.takesNoDocuments) }
    state = .offered(channel, proposal)
    switch proposal {
    case .claim(let offer): return [.offered(offer)]
    case .document(let offer): return [.documentOffered(offer)]
    }
  }

  private mutating func handle(
    _ message: Message, _ channel: SecureChannel, _ offer: Offer, held: Bool, at now: Moment
  ) throws -> [Output] {
    var channel = channel
    switch message {
    case .hold(let seconds) where !held && answerThere == nil:
      patience.hold(seconds: seconds, at: now)
      state = .awaitingClaim(channel, offer, held: true)
      return [.held(seconds: seconds)]
    case .remember(let answer) where isRememberingWished && answerThere == nil:
      answerThere = answer
      state = .awaitingClaim(channel, offer, held: held)
      return []
    case .decline where answerThere == nil:
      return end(.declinedThere)
    case .claim(let mac, let payload):
      guard let claim = try? channel.verify(mac: mac, payload: payload, against: offer) else {
        return sealed(.stored(.invalid), &channel) + end(.invalidClaim)
      }
      dueSince = nil
      state = .storing(channel, claim, isOpen: true)
      return (answerThere == .yes ? [.request(.keep(channel.rememberedKey))] : []) + [.request(.store(claim))]
    default:
      throw SessionFailure.protocolViolation
    }
  }

  /// Appends a CHUNK. The document's bytes are not read before its digest is right.
  private mutating func handle(
    _ message: Message, _ channel: SecureChannel, _ document: IncomingDocument, held: Bool, at now: Moment
  ) throws -> [Output] {
    var (channel, document) = (channel, document)
    switch message {
    case .hold(let seconds) where !held && document.isEmpty:
      patience.hold(seconds: seconds, at: now)
      state = .awaitingDocument(channel, document, held: true)
      return [.held(seconds: seconds)]
    case .decline where document.isEmpty:
      return end(.declinedThere)
    case .chunk(let bytes):
      try document.take(bytes)
      guard document.isComplete else { return goOn(with: document, &channel, held: held, at: now) }
      let progress = Output.progress(document.count, of: document.offer.length)
      dueSince = nil
      guard let verified = document.verified() else {
        return [progress] + sealed(.stored(.invalid), &channel) + end(.invalidDocument)
      }
      state = .saving(channel, isOpen: true)
      return [progress, .request(.save(verified))]
    default:
      throw SessionFailure.protocolViolation
    }
  }

  /// Waits for the next CHUNK. Each CHUNK starts the time limit again; a second limit applies to the whole transfer.
  private mutating func goOn(
    with document: IncomingDocument, _ channel: inout SecureChannel, held: Bool, at now: Moment
  ) -> [Output] {
    let more = document.isMoreDue ? sealed(.more, &channel) : []
    state = .awaitingDocument(channel, document, held: held)
    transferringSince = transferringSince ?? now
    patience = Patience(settings.limit)
    patience.wait(from: now)
    dueSince = nil
    return more + (document.isMoreDue ? [.progress(document.count, of: document.offer.length)] : [])
  }

  // MARK: Sent messages

  private mutating func ask(_ channel: SecureChannel, _ proposal: Proposal, at now: Moment) -> [Output] {
    var channel = channel
    if hasExpired(proposal) { return expire(&channel) }
    let outputs = sealed(.hold(seconds: WireLimits.holdSeconds), &channel)
    decisionEnd = now + Times.hold
    state = .asking(channel, proposal)
    switch proposal {
    case .claim(let offer): return outputs + [.request(.ask(offer, channel.digits))]
    case .document(let offer): return outputs + [.request(.askAboutDocument(offer, channel.digits))]
    }
  }

  private mutating func accept(_ channel: SecureChannel, _ proposal: Proposal, at now: Moment) -> [Output] {
    var channel = channel
    // The offer may have waited for an earlier one, or for the person here.
    if hasExpired(proposal) { return expire(&channel) }
    let outputs: [Output]
    switch proposal {
    case .claim(let offer):
      outputs =
        (isRememberingWished ? sealed(.remember(.yes), &channel) : []) + sealed(.accept(settings.name), &channel)
      state = .awaitingClaim(channel, offer, held: false)
    case .document(let offer):
      outputs = sealed(.accept(settings.name), &channel)
      state = .awaitingDocument(channel, IncomingDocument(offer), held: false)
    }
    patience.limit(to: Times.claim)
    patience.wait(from: now)
    dueSince = now
    return outputs
  }

  /// Documents have no expiry.
  private func hasExpired(_ proposal: Proposal) -> Bool {
    guard case .claim(let offer) = proposal else { return false }
    return hasExpired(offer)
  }

  private func hasExpired(_ offer: Offer) -> Bool { offer.expiry.hasPassed(at: settings.unixTime()) }

  private mutating func expire(_ channel: inout SecureChannel, _ ending: Ending = .expired) -> [Output] {
    sealed(.decline, &channel) + end(ending)
  }

  /// Whether the sender is asked to remember us.
  private var isRememberingWished: Bool { settings.remembers && credential.mode == .code }

  /// Returns STORED, and before it REMEMBER if the sender has kept the key.
  private func answer(_ status: StoredStatus, _ channel: inout SecureChannel) -> [Output] {
    let kept =
      answerThere == .yes && status.isDelivered ? sealed(.remember(answerHere ?? .cannotKeep), &channel) : []
    return kept + sealed(.stored(status), &channel)
  }

  /// Whether both ends remember each other, now that the claim is stored.
  private var remembering: Remembering {
    if credential.mode != .code { return .notRemembered(.noCode) }
    return Remembering(NotRemembered(there: answerThere) ?? NotRemembered(here: answerHere))
  }

  // MARK: The end

  /// Ends the session and sends the other end the reason. If the claim is being stored, the session ends with the
  /// result of that.
  package mutating func fail(_ failure: SessionFailure) -> [Output] {
    // Ignore frames that were read together with the last one.
    if case .over = state { return [] }
    let farewell = self.farewell(failure)
    if case .storing(let channel, let claim, _) = state {
      state = .storing(channel, claim, isOpen: false)
      return farewell
    }
    if case .saving(let channel, _) = state {
      state = .saving(channel, isOpen: false)
      return farewell
    }
    return farewell + end(isExpiry(failure) ? .expired : .failed(failure))
  }

  /// Whether the sender ended because the claim expired while its offer waited here.
  private func isExpiry(_ failure: SessionFailure) -> Bool {
    switch (state, failure) {
    case (.offered(_, .claim(let offer)), .keptWaiting), (.offered(_, .claim(let offer)), .closed),
      (.asking(_, .claim(let offer)), .aborted(.timedOut)), (.asking(_, .claim(let offer)), .closed),
      (.awaitingClaim(_, let offer, _), .aborted(.timedOut)), (.awaitingClaim(_, let offer, _), .closed),
      (.awaitingClaim(_, let offer, _), .timedOut), (.awaitingClaim(_, let offer, _), .stoodStill),
      (.awaitingClaim(_, let offer, _), .unansweredThere):
      hasExpired(offer)
    default:
      false
    }
  }

  private mutating func end(_ ending: Ending) -> [Output] {
    state = .over
    place = nil
    return [.ended(ending)]
  }
}
