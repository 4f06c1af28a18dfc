import BumpTesting
import BumpWire
import Checks
import Scenes

@testable import BumpKit

struct SenderScene: Scene {
  var peer: ScriptedPeer
  private var session: SenderSession
  private let credential: Credential
  private let isKnown: Bool
  private let asks: Bool
  private let remembers: Bool
  private var now: Moment = .zero
  private var waited: Duration = .zero

  // What the peer has done.
  private var hasShakenHands = false
  private var hasAccepted = false
  private var statuses: Set<StoredStatus> = []
  private var answers: Set<RememberAnswer> = []

  // What the session has done.
  private var digits: VerificationDigits?
  private var isOurTurn = false
  private var isChosen = false
  private var isAsked = false
  private var isApproved = false
  private var isKeeping = false
  private var isReleasing = false
  private var isReleased = false
  private var isTakingBack = false
  private var answer: RememberAnswer?
  private var remembering: Remembering?
  private var ending: SenderSession.Ending?

  init(_ program: inout Program) {
    credential = program.pick(Fixture.credentials)
    let other = program.pick(Fixture.credentials)
    let traits = program.byte()
    asks = traits & 1 != 0
    remembers = traits & 2 != 0
    isKnown = other == credential
    peer = ScriptedPeer(
      .receiver, version: traits & 4 == 0 ? .one : .two, credential: other, keys: Fixture.keysR)
    session = SenderSession(
      claim: Fixture.claim, offer: Fixture.offer, credential: credential, asks: asks, remembers: remembers,
      limit: Fixture.limit, keys: Fixture.keysS, at: .zero)
  }

  mutating func greeting() -> [UInt8] { peer.hello() }
  mutating func shookHands() { hasShakenHands = true }

  mutating func noted(_ message: Message) {
    if case .accept = message { hasAccepted = true }
    if case .stored(let status) = message { statuses.insert(status) }
    if case .remember(let answer) = message { answers.insert(answer) }
  }

  mutating func receive(_ bytes: [UInt8]) { handle(.received(bytes)) }

  mutating func act(_ program: inout Program) {
    switch program.byte() % 7 {
    case 0:
      isChosen = isChosen || isOurTurn
      handle(.chosen)
    case 1:
      isApproved = isApproved || isAsked
      handle(.decided(true))
    case 2: handle(.decided(false))
    case 3: answerRelease(true)
    case 4: answerRelease(false)
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
      if let deadline = session.deadline { reach(deadline) } else { answerRelease(true) }
    }
    check(ending != nil, "a session that does not end")
  }

  // MARK: What must hold

  private mutating func answerRelease(_ isDone: Bool) {
    if isTakingBack {
      isTakingBack = false
      isReleased = !isDone
      return handle(.takenBack(isDone))
    }
    if isReleasing {
      // In its turn each answer of the store's to the key, where there is one.
      if isKeeping {
        isKeeping = false
        answer = isDone ? .yes : .nameTaken
        handle(.kept(isDone ? .yes : .nameTaken))
      }
      isReleasing = false
      isReleased = isDone
    }
    handle(.released(isDone))
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

  private mutating func handle(_ input: SenderSession.Input) {
    for output in session.handle(input, at: now) {
      check(ending == nil, "an output after the end")
      take(output)
    }
    check(
      (session.deadline == nil) == (ending != nil || isReleasing || isTakingBack),
      "nothing to wait for, or no end to it")
    check(session.deadline.map { $0 <= now + .seconds(65) } ?? true, "a deadline far away")
  }

  private mutating func take(_ output: SenderSession.Output) {
    switch output {
    case .send(let bytes):
      check(!bytes.contains(Fixture.claim.secret.exposed), "the secret in the clear")
      for case .message(.claim(_, let payload)) in (try? peer.read(bytes)) ?? [] {
        check(isReleased && payload == Fixture.claim.payload, "a claim sent that was not released")
        isOurTurn = false
      }
    case .secured(let digits):
      check(self.digits == nil, "secured twice")
      check(credential == .none || hasShakenHands && isKnown, "secured with somebody who does not know")
      self.digits = digits
    case .guessed:
      check(credential.mode == .code && digits == nil, "a guess where there is nothing to guess")
    case .held(let seconds):
      check(digits != nil && seconds <= Limits.holdSeconds, "held out of turn")
    case .accepted:
      check(hasAccepted && digits == peer.channel?.digits, "accepted, and the peer said nothing")
      isOurTurn = true
    case .ask:
      check(asks && isChosen && !isAsked, "asked out of turn")
      isAsked = true
    case .release:
      check(isChosen && isApproved == asks && !isReleasing && !isReleased, "released out of turn")
      isReleasing = true
    case .takeBack:
      check(isReleased && !isTakingBack, "taken back, and not released")
      isTakingBack = true
    case .keep(let key):
      check(remembers && credential.mode == .code && answers.contains(.yes), "a key to keep that nobody wants")
      check(key == peer.channel?.rememberedKey && !isReleasing && !isReleased, "a key to keep of another session")
      isKeeping = true
    case .remembering(let outcome):
      check(remembers && remembering == nil, "remembered unasked")
      remembering = outcome
      check(outcome != .remembered || answer == .yes && isReleased && answers.contains(.yes), "remembered by itself")
      check(outcome != .unknown || answer == .yes && isReleased, "unknown, and never asked")
    case .ended(let ending):
      check(!isReleasing && !isTakingBack, "ended while it is not known whether the claim is released")
      self.ending = ending
      take(ending)
    }
  }

  private func take(_ ending: SenderSession.Ending) {
    switch ending {
    case .delivered(let status, _):
      check(!remembers || remembering != nil && remembering != .unknown, "no word of remembering")
      check(isReleased && status.isDelivered && statuses.contains(status), "delivered, and the peer did not say so")
    case .unknown:
      check(isReleased, "unknown, and not released")
    default:
      check(!isReleased, "a claim that was released, and is not unknown")
    }
  }
}
