import BumpTesting
import BumpWire

@testable import BumpKit

struct SenderScene: Scene {
  var peer: ScriptedPeer
  var session: SenderSession
  var facts: Facts

  // What the peer has done.
  private var hasAccepted = false
  private var statuses: Set<StoredStatus> = []

  // What the session has done.
  private(set) var isOurTurn = false
  private var isReleasing = false
  private var isReleased = false
  private var isTakingBack = false
  private var ending: SenderSession.Ending?

  init(_ program: inout Program) {
    facts = Facts(&program)
    peer = ScriptedPeer(
      .receiver, version: facts.traits & 4 == 0 ? 1 : 2, credential: facts.otherCredential, keys: Fixture.keysR)
    session = SenderSession(
      claim: Fixture.claim, offer: Fixture.offer, credential: facts.credential, asks: facts.asks,
      remembers: facts.remembers, limit: Fixture.limit, keys: Fixture.keysS, at: .zero)
  }

  mutating func greeting() -> [UInt8] { peer.hello() }

  mutating func noted(_ message: Message) {
    if case .accept = message { hasAccepted = true }
    if case .stored(let status) = message { statuses.insert(status) }
    if case .remember(let answer) = message { facts.answers.insert(answer) }
    if case .queued = message { facts.isQueued = true }
  }

  mutating func receive(_ bytes: [UInt8]) { handle(.received(bytes)) }

  mutating func act(_ program: inout Program) {
    switch program.byte() % 7 {
    case 0:
      facts.isChosen = facts.isChosen || isOurTurn
      handle(.chosen)
    case 1:
      facts.isApproved = facts.isApproved || facts.isAsked
      handle(.decided(true))
    case 2: handle(.decided(false))
    case 3: answerRelease(true)
    case 4: answerRelease(false)
    case 5: handle(.closed)
    default: handle(.dismissed(program.pick(AbortReason.allCases)))
    }
  }

  mutating func answer() { answerRelease(true) }

  // MARK: What must hold

  var hasEnded: Bool { ending != nil }
  var isUpToUs: Bool { isReleasing || isTakingBack }

  private mutating func answerRelease(_ isDone: Bool) {
    if isTakingBack {
      isTakingBack = false
      isReleased = !isDone
      return handle(isDone ? .takenBack : .notTakenBack)
    }
    if isReleasing {
      // In its turn each answer of the store's to the key, where there is one.
      if facts.isKeeping {
        facts.isKeeping = false
        facts.answer = isDone ? .yes : .nameTaken
        handle(.kept(isDone ? .yes : .nameTaken))
      }
      isReleasing = false
      isReleased = isDone
    }
    handle(isDone ? .released : .notReleased)
  }

  mutating func take(_ output: SenderSession.Output) {
    switch output {
    case .send(let bytes):
      check(!bytes.contains(Fixture.claim.secret.exposed), "the secret in the clear")
      for case .message(.claim(_, let payload)) in (try? peer.read(bytes)) ?? [] {
        check(isReleased && payload == Fixture.claim.payload, "a claim sent that was not released")
        isOurTurn = false
      }
    case .secured(let digits):
      check(facts.digits == nil, "secured twice")
      check(
        facts.credential == .none || facts.hasShakenHands && facts.isKnown, "secured with somebody who does not know")
      facts.digits = digits
    case .guessed:
      check(facts.credential.mode == .code && facts.digits == nil, "a guess where there is nothing to guess")
    case .progress:
      check(false, "a document that nobody offered")
    case .placed(let place):
      check(WireLimits.places.contains(place), "a place that no queue has")
      check(
        facts.credential == .none || facts.isQueued && facts.isKnown, "in the queue of somebody who does not know")
      facts.isQueued = true
    case .held(let seconds):
      check(facts.digits != nil && seconds <= WireLimits.holdSeconds, "held out of turn")
    case .accepted:
      check(hasAccepted && facts.digits == peer.channel?.digits, "accepted, and the peer said nothing")
      isOurTurn = true
    case .ask:
      check(facts.asks && facts.isChosen && !facts.isAsked, "asked out of turn")
      facts.isAsked = true
    case .release:
      check(
        facts.isChosen && facts.isApproved == facts.asks && !isReleasing && !isReleased, "released out of turn")
      isReleasing = true
    case .takeBack:
      check(isReleased && !isTakingBack, "taken back, and not released")
      isTakingBack = true
    case .keep(let key):
      check(!isReleasing && !isReleased, "a key to keep after the release")
      facts.keep(key, of: peer)
    case .remembering(let outcome):
      facts.remember(outcome)
      let isKept = facts.answer == .yes && isReleased
      check(outcome != .remembered || isKept && facts.answers.contains(.yes), "remembered by itself")
      check(outcome != .unknown || isKept, "unknown, and never asked")
    case .ended(let ending):
      check(!isReleasing && !isTakingBack, "ended while it is not known whether the claim is released")
      self.ending = ending
      take(ending)
    }
  }

  private func take(_ ending: SenderSession.Ending) {
    switch ending {
    case .delivered(let result, _):
      check(!facts.remembers || ![nil, .unknown].contains(facts.remembering), "no word of remembering")
      check(isReleased && statuses.contains(StoredStatus(result)), "delivered, and the peer did not say so")
    case .unknown:
      check(isReleased, "unknown, and not released")
    default:
      check(!isReleased, "a claim that was released, and is not unknown")
    }
  }
}
