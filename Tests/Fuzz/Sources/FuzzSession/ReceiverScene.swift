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
  private let remembers: Bool
  private var now: Moment = .zero
  private var waited: Duration = .zero

  // What the peer has done.
  private var hasShakenHands = false
  private var offers: [[UInt8]] = []
  private var payloads: [[UInt8]] = []
  private var answers: Set<RememberAnswer> = []

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
  private var isKeeping = false
  private var answer: RememberAnswer?
  private var remembering: Remembering?
  private var ending: ReceiverSession.Ending?

  init(_ program: inout Program) {
    credential = program.pick(Fixture.credentials)
    let other = program.pick(Fixture.credentials)
    let traits = program.byte()
    asks = traits & 1 != 0
    remembers = traits & 2 != 0
    isKnown = other == credential
    peer = ScriptedPeer(.sender, credential: other, keys: Fixture.keysS)
    session = ReceiverSession(
      name: Fixture.bob, credential: credential, asks: asks, remembers: remembers, limit: Fixture.limit,
      keys: Fixture.keysR, at: .zero, unixTime: { 0 })
    if program.bool() { handle(.opened) }
  }

  mutating func greeting() -> [UInt8] { peer.welcome() }
  mutating func shookHands() { hasShakenHands = true }

  mutating func noted(_ message: Message) {
    if case .offer(let json) = message { offers.append(json) }
    if case .claim(_, let payload) = message { payloads.append(payload) }
    if case .remember(let answer) = message { answers.insert(answer) }
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
    if isStoring {
      if isKeeping {
        isKeeping = false
        answer = RememberAnswer(rawValue: status.rawValue % 4)
        answer.map { handle(.kept($0)) }
      }
      self.status = status
    }
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
    case .ready:
      check(false, "nobody told it to wait")
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
      check(!offer.expiry.hasPassed(at: 0), "an offer whose time has passed")
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
    case .keep(let key):
      check(remembers && credential.mode == .code && answers.contains(.yes), "a key to keep that nobody wants")
      check(key == peer.channel?.rememberedKey && claim == nil, "a key to keep of another session")
      isKeeping = true
    case .remembering(let outcome):
      check(remembers && remembering == nil && outcome != .unknown, "remembered unasked")
      remembering = outcome
      check(outcome != .remembered || answer == .yes && status?.isDelivered ?? false, "remembered by itself")
    case .ended(let ending):
      self.ending = ending
      take(ending)
    }
  }

  private func take(_ ending: ReceiverSession.Ending) {
    switch ending {
    case .received(let claim, let status):
      check(claim == self.claim && status == self.status && status.isDelivered, "received, and not stored")
      check(remembers == (remembering != nil), "no word of remembering")
    case .notStored:
      check(status.map { !$0.isDelivered } ?? false, "not stored, and nobody said so")
    default:
      check(claim == nil, "an end without a word of the claim that came")
    }
  }
}
