import BumpClaims
import BumpTesting
import BumpWire

@testable import BumpKit

struct ReceiverScene: Scene {
  var peer: ScriptedPeer
  var session: ReceiverSession
  var facts: Facts

  // What the peer has done.
  private var offers: [[UInt8]] = []
  private var payloads: [[UInt8]] = []

  // What the session has done.
  private var isGuessing = false
  private var offer: Offer?
  private var isPlaced = false
  private var hasAccepted = false
  private var claim: VerifiedClaim?
  private var status: StoredStatus?
  private var ending: ReceiverSession.Ending?

  init(_ program: inout Program) {
    facts = Facts(&program)
    peer = ScriptedPeer(.sender, credential: facts.otherCredential, keys: Fixture.keysS)
    session = ReceiverSession(
      .init(
        name: Fixture.bob, asks: facts.asks, remembers: facts.remembers, limit: Fixture.limit, unixTime: { 0 }),
      credential: facts.credential, keys: Fixture.keysR, at: .zero)
    if program.bool() { handle(.opened) }
  }

  mutating func greeting() -> [UInt8] { peer.welcome() }

  mutating func noted(_ message: Message) {
    if case .offer(let json) = message { offers.append(json) }
    if case .claim(_, let payload) = message { payloads.append(payload) }
    if case .remember(let answer) = message { facts.answers.insert(answer) }
  }

  mutating func receive(_ bytes: [UInt8]) { handle(.received(bytes)) }

  mutating func act(_ program: inout Program) {
    switch program.byte() % 8 {
    case 0: handle(.opened)
    case 7:
      isPlaced = isPlaced || offer != nil && !facts.isChosen
      handle(.placed(program.pick(Array(WireLimits.places))))
    case 1:
      facts.isChosen = facts.isChosen || offer != nil
      handle(.chosen)
    case 2:
      facts.isApproved = facts.isApproved || facts.isAsked
      handle(.decided(true))
    case 3: handle(.decided(false))
    case 4: answerStore(program.pick(StoredStatus.allCases))
    case 5: handle(.closed)
    default: handle(.dismissed(program.pick(AbortReason.allCases)))
    }
  }

  mutating func answer() {
    if claim != nil { answerStore(.stored) } else { handle(.dismissed(.timedOut)) }
  }

  // MARK: What must hold

  var hasEnded: Bool { ending != nil }
  private var isStoring: Bool { claim != nil && status == nil }
  var isOurTurn: Bool { offer != nil && !hasAccepted || isStoring }
  var isUpToUs: Bool { isStoring || offer != nil && !facts.isChosen && !isPlaced }

  private mutating func answerStore(_ status: StoredStatus) {
    if isStoring {
      if facts.isKeeping {
        facts.isKeeping = false
        facts.answer = RememberAnswer(rawValue: status.rawValue % 4)
        facts.answer.map { handle(.kept($0)) }
      }
      self.status = status
    }
    handle(StoreResult(status).map { .stored($0) } ?? .notStored(StoreError(.failed, "fuzzed")))
  }

  mutating func take(_ output: ReceiverSession.Output) {
    switch output {
    case .request(.send(let bytes)):
      for case .message(.accept) in (try? peer.read(bytes)) ?? [] {
        check(facts.isChosen && facts.isApproved == facts.asks && !hasAccepted, "accepted out of turn")
        hasAccepted = true
      }
    case .welcomed:
      check(facts.digits == nil, "welcomed late")
    case .ready:
      check(false, "nobody told it to wait")
    case .guessing:
      check(facts.credential.mode == .code && !isGuessing && session.hasGuessed, "a guess out of turn")
      isGuessing = true
    case .secured(let digits):
      check(facts.digits == nil, "secured twice")
      check(facts.hasShakenHands && facts.isKnown, "secured with somebody who does not know")
      check(digits == peer.channel?.digits, "secured with other digits")
      facts.digits = digits
    case .offered(let offer):
      check(
        self.offer == nil && facts.digits != nil && offers.contains(offer.json), "an offer that the peer did not make")
      check(!offer.expiry.hasPassed(at: 0), "an offer whose time has passed")
      self.offer = offer
    case .request(.ask(let offer, let digits)):
      check(
        facts.asks && facts.isChosen && !facts.isAsked && offer == self.offer && digits == facts.digits,
        "asked out of turn")
      facts.isAsked = true
    case .documentOffered, .request(.askAboutDocument), .progress, .request(.save):
      check(false, "a document that nobody takes")
    case .held(let seconds):
      check(hasAccepted && claim == nil && seconds <= WireLimits.holdSeconds, "held out of turn")
    case .request(.store(let claim)):
      check(hasAccepted && self.claim == nil, "to be stored out of turn")
      check(payloads.contains(claim.claim.payload), "a claim that the peer did not send")
      check(offer?.matches(claim.claim) ?? false, "a claim other than the one offered")
      self.claim = claim
    case .request(.keep(let key)):
      check(claim == nil, "a key to keep after the claim")
      facts.keep(key, of: peer)
    case .request(.remembering(let outcome)):
      facts.remember(outcome)
      check(outcome != .unknown, "unknown, and it has the last word")
      check(
        outcome != .remembered || facts.answer == .yes && status?.isDelivered ?? false, "remembered by itself")
    case .ended(let ending):
      self.ending = ending
      take(ending)
    }
  }

  private func take(_ ending: ReceiverSession.Ending) {
    switch ending {
    case .received(let claim, let result):
      check(claim == self.claim && StoredStatus(result) == status, "received, and not stored")
      check(facts.remembers == (facts.remembering != nil), "no word of remembering")
    case .notStored:
      check(status.map { !$0.isDelivered } ?? false, "not stored, and nobody said so")
    default:
      check(claim == nil, "an end without a word of the claim that came")
    }
  }
}
