import BumpTesting
import BumpWire
import Checks
import Scenes

@testable import BumpKit

struct ReceiverScene: Scene {
  var peer: ScriptedPeer
  private var session: ReceiverSession
  private let credential: Credential
  private let isKnown: Bool
  private let asks: Bool
  private var now: Moment = .zero
  private var waited: Duration = .zero

  // What the peer has done.
  private var hasShakenHands = false
  private var offers: [[UInt8]] = []
  private var payloads: [[UInt8]] = []

  // What the session has done.
  private var digits: VerificationDigits?
  private var isGuessing = false
  private var offer: Offer?
  private var isChosen = false
  private var isAsked = false
  private var isApproved = false
  private var hasAccepted = false
  private var claim: VerifiedClaim?
  private var status: StoredStatus?
  private var ending: ReceiverSession.Ending?

  init(_ program: inout Program) {
    credential = program.pick(Fixture.credentials)
    let other = program.pick(Fixture.credentials)
    asks = program.bool()
    isKnown = other == credential
    peer = ScriptedPeer(.sender, credential: other, keys: Fixture.keysS)
    session = ReceiverSession(
      name: Fixture.bob, credential: credential, asks: asks, limit: Fixture.limit, keys: Fixture.keysR, at: .zero,
      unixTimeAtStart: 0)
    if program.bool() { handle(.opened) }
  }

  mutating func greeting() -> [UInt8] { peer.welcome() }
  mutating func shookHands() { hasShakenHands = true }

  mutating func noted(_ message: Message) {
    if case .offer(let json) = message { offers.append(json) }
    if case .claim(_, let payload) = message { payloads.append(payload) }
  }

  mutating func receive(_ bytes: [UInt8]) { handle(.received(bytes)) }

  mutating func act(_ program: inout Program) {
    switch program.byte() % 7 {
    case 0: handle(.opened)
    case 1:
      isChosen = isChosen || offer != nil
      handle(.chosen)
    case 2:
      isApproved = isApproved || isAsked
      handle(.decided(true))
    case 3: handle(.decided(false))
    case 4: answerStore(program.pick(StoredStatus.allCases))
    case 5: handle(.closed)
    default: handle(.dismissed(program.pick(AbortReason.allCases)))
    }
  }

  mutating func pass(_ time: Duration) {
    let end = now + time
    while let deadline = session.deadline, deadline <= end { reach(deadline) }
    move(to: end)
  }

  mutating func finish() {
    for _ in 0..<8 where ending == nil {
      if let deadline = session.deadline {
        reach(deadline)
      } else if claim != nil {
        answerStore(.stored)
      } else {
        handle(.dismissed(.timedOut))
      }
    }
    check(ending != nil, "a session that does not end")
  }

  // MARK: What must hold

  private var isStoring: Bool { claim != nil && status == nil }
  private var isOurTurn: Bool { offer != nil && !hasAccepted || isStoring }

  private mutating func answerStore(_ status: StoredStatus) {
    if isStoring { self.status = status }
    handle(.stored(status))
  }

  private mutating func reach(_ deadline: Moment) {
    move(to: max(now, deadline))
    handle(.deadline)
  }

  private mutating func move(to moment: Moment) {
    if !isOurTurn, ending == nil { waited += moment - now }
    now = moment
    check(waited <= .seconds(67), "a peer that is waited for \(waited)")
  }

  private mutating func handle(_ input: ReceiverSession.Input) {
    for output in session.handle(input, at: now) {
      check(ending == nil, "an output after the end")
      take(output)
    }
    let isUpToUs = isStoring || offer != nil && !isChosen
    check((session.deadline == nil) == (ending != nil || isUpToUs), "nothing to wait for, or no end to it")
    check(session.deadline.map { $0 <= now + .seconds(65) } ?? true, "a deadline far away")
  }

  private mutating func take(_ output: ReceiverSession.Output) {
    switch output {
    case .send(let bytes):
      for case .message(.accept) in (try? peer.read(bytes)) ?? [] {
        check(isChosen && isApproved == asks && !hasAccepted, "accepted out of turn")
        hasAccepted = true
      }
    case .welcomed:
      check(digits == nil, "welcomed late")
    case .guessing:
      check(credential.mode == .code && !isGuessing && session.hasGuessed, "a guess out of turn")
      isGuessing = true
    case .secured(let digits):
      check(self.digits == nil, "secured twice")
      check(hasShakenHands && isKnown, "secured with somebody who does not know")
      check(digits == peer.channel?.digits, "secured with other digits")
      self.digits = digits
    case .offered(let offer):
      check(self.offer == nil && digits != nil && offers.contains(offer.json), "an offer that the peer did not make")
      check(!offer.expiry.hasPassed(at: now.components.seconds), "an offer whose time has passed")
      self.offer = offer
    case .ask(let offer, let digits):
      check(asks && isChosen && !isAsked && offer == self.offer && digits == self.digits, "asked out of turn")
      isAsked = true
    case .held(let seconds):
      check(hasAccepted && claim == nil && seconds <= Limits.holdSeconds, "held out of turn")
    case .store(let claim):
      check(hasAccepted && self.claim == nil, "to be stored out of turn")
      check(payloads.contains(claim.claim.payload), "a claim that the peer did not send")
      check(offer?.matches(claim.claim) ?? false, "a claim other than the one offered")
      self.claim = claim
    case .met:
      check(credential.mode == .code && status?.isDelivered ?? false, "met nobody")
    case .ended(let ending):
      self.ending = ending
      take(ending)
    }
  }

  private func take(_ ending: ReceiverSession.Ending) {
    switch ending {
    case .received(let claim, let status):
      check(claim == self.claim && status == self.status && status.isDelivered, "received, and not stored")
    case .notStored:
      check(status.map { !$0.isDelivered } ?? false, "not stored, and nobody said so")
    default:
      check(claim == nil, "an end without a word of the claim that came")
    }
  }
}
