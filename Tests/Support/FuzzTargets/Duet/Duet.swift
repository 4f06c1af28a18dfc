import BumpClaims
import BumpWire

@testable import BumpKit

struct Duet {
  enum End { case sender, receiver }

  private var sender: SenderSession
  private var receiver: ReceiverSession
  private let isSameCredential: Bool
  private var now: Moment = .zero
  /// What is under way to each end.
  private var toSender: [[UInt8]] = []
  private var toReceiver: [[UInt8]] = []
  /// What is asked of each end, and not answered.
  private var senderQuestion: SenderSession.Output?
  private var receiverQuestion: ReceiverSession.Output?

  private var isReleased = false
  private var senderDigits: VerificationDigits?
  private var receiverDigits: VerificationDigits?
  private var status: StoredStatus?
  private var kept: Set<SharedKey> = []
  /// What each end's store answers to a key, and what became of it there.
  private let answers: (sender: RememberAnswer, receiver: RememberAnswer)
  /// Whether the receiver serves others first.
  private let isBusy: Bool
  private let isOpen: Bool
  private var isKeeping = (sender: false, receiver: false)
  private var hasKey = (sender: false, receiver: false)
  private var remembering: (sender: Remembering?, receiver: Remembering?)
  private var senderEnding: SenderSession.Ending?
  private var receiverEnding: ReceiverSession.Ending?

  init(_ program: inout Program) {
    let (here, there) = (program.pick(Fixture.credentials), program.pick(Fixture.credentials))
    isSameCredential = here == there
    let traits = (program.byte(), program.byte())
    sender = SenderSession(
      claim: Fixture.claim, offer: Fixture.offer, credential: here, asks: traits.0 & 1 != 0,
      remembers: traits.0 & 2 != 0, limit: Fixture.limit, keys: Fixture.keysS, at: .zero)
    receiver = ReceiverSession(
      .init(
        name: Fixture.bob, asks: traits.1 & 1 != 0, remembers: traits.1 & 2 != 0, limit: Fixture.limit,
        unixTime: { 0 }),
      credential: there, keys: Fixture.keysR, at: .zero)
    (isBusy, isOpen) = (traits.1 & 8 != 0, here == .none)
    answers = (traits.0 & 4 == 0 ? .yes : .nameTaken, traits.1 & 4 == 0 ? .yes : .cannotKeep)
    tellReceiver(.opened)
  }

  // MARK: What may happen

  mutating func deliver(to end: End) {
    switch end {
    case .sender where !toSender.isEmpty: tellSender(.received(toSender.removeFirst()))
    case .receiver where !toReceiver.isEmpty: tellReceiver(.received(toReceiver.removeFirst()))
    default: break
    }
  }

  mutating func close(_ end: End) {
    if end == .sender { tellSender(.closed) } else { tellReceiver(.closed) }
  }

  mutating func change(_ end: End, _ change: (inout [[UInt8]]) -> Void) {
    if end == .sender { change(&toSender) } else { change(&toReceiver) }
  }

  /// What is under way to the other end comes back too; bounded, since this doubles.
  mutating func reflect(_ end: End) {
    if end == .sender { toSender += toReceiver.prefix(8) } else { toReceiver += toSender.prefix(8) }
    toSender = toSender.suffix(16)
    toReceiver = toReceiver.suffix(16)
  }

  mutating func answer(_ end: End, yes: Bool, _ status: StoredStatus) {
    switch end {
    case .sender:
      guard let question = senderQuestion else { return }
      senderQuestion = nil
      switch question {
      case .accepted: tellSender(.chosen)
      case .ask: tellSender(.decided(yes))
      case .takeBack:
        isReleased = !yes
        tellSender(yes ? .takenBack : .notTakenBack)
      default:
        if isKeeping.sender {
          isKeeping.sender = false
          hasKey.sender = answers.sender == .yes
          tellSender(.kept(answers.sender))
        }
        isReleased = yes
        tellSender(yes ? .released : .notReleased)
      }
    case .receiver:
      guard let question = receiverQuestion else { return }
      receiverQuestion = nil
      switch question {
      case .offered: tellReceiver(.chosen)
      case .request(.ask): tellReceiver(.decided(yes))
      default:
        if isKeeping.receiver {
          isKeeping.receiver = false
          hasKey.receiver = answers.receiver == .yes && status.isDelivered
          tellReceiver(.kept(answers.receiver))
        }
        self.status = status
        tellReceiver(StoreResult(status).map { .stored($0) } ?? .notStored(StoreError(.failed, "fuzzed")))
      }
    }
  }

  mutating func pass(_ time: Duration) {
    let end = now + time
    while let next = [sender.deadline, receiver.deadline].compactMap(\.self).min(), next <= end { reach(next) }
    now = end
  }

  /// Nothing passes any more; what is asked is answered, and both must end.
  mutating func finish() {
    for _ in 0..<16 {
      answer(.sender, yes: true, .stored)
      answer(.receiver, yes: true, .stored)
      if let next = [sender.deadline, receiver.deadline].compactMap(\.self).min() { reach(next) }
    }
    check(senderEnding != nil && receiverEnding != nil, "a session that does not end")
    checkAgreement()
  }

  private mutating func reach(_ moment: Moment) {
    now = max(now, moment)
    if let deadline = sender.deadline, deadline <= now { tellSender(.deadline) }
    if let deadline = receiver.deadline, deadline <= now { tellReceiver(.deadline) }
  }

  // MARK: What must hold

  private mutating func tellSender(_ input: SenderSession.Input) {
    for output in sender.handle(input, at: now) {
      check(senderEnding == nil, "an output after the sender's end")
      switch output {
      case .send(let bytes): toReceiver.append(bytes)
      case .secured(let digits): senderDigits = digits
      case .guessed, .held: break
      // In mode open the network can say so.
      case .placed(let place): check(place == 2 && isBusy || isOpen, "a place that the receiver did not give")
      case .accepted:
        check(senderDigits == receiverDigits, "accepted over another channel")
        senderQuestion = output
      case .ask, .release: senderQuestion = output
      case .takeBack:
        isReleased = false
        senderQuestion = output
      case .keep(let key):
        kept.insert(key)
        isKeeping.sender = true
      case .remembering(let outcome): remembering.sender = outcome
      case .progress: check(false, "a document that nobody offered")
      case .ended(let ending): senderEnding = ending
      }
    }
  }

  private mutating func tellReceiver(_ input: ReceiverSession.Input) {
    for output in receiver.handle(input, at: now) {
      check(receiverEnding == nil, "an output after the receiver's end")
      switch output {
      case .request(.send(let bytes)): toSender.append(bytes)
      case .welcomed, .ready, .guessing, .held: break
      case .secured(let digits):
        check(isSameCredential && senderDigits == digits, "secured with nobody")
        receiverDigits = digits
      case .offered(let offer):
        check(offer == Fixture.offer, "an offer that was not made")
        receiverQuestion = output
        if isBusy { tellReceiver(.placed(2)) }
      case .request(.ask): receiverQuestion = output
      case .request(.store(let claim)):
        check(isReleased && claim.claim == Fixture.claim, "a claim that was not released")
        receiverQuestion = output
      case .request(.keep(let key)):
        kept.insert(key)
        isKeeping.receiver = true
      case .request(.remembering(let outcome)): remembering.receiver = outcome
      case .documentOffered, .request(.askAboutDocument), .progress, .request(.save):
        check(false, "a document that nobody takes")
      case .ended(let ending): receiverEnding = ending
      }
    }
  }

  private func checkAgreement() {
    check(kept.count <= 1, "two keys to remember one another by")
    check(remembering.sender != .remembered || hasKey == (true, true), "the sender is wrong about who remembers")
    check(remembering.receiver != .remembered || hasKey == (true, true), "the receiver is wrong about who remembers")
    if case .notRemembered = remembering.sender { check(!hasKey.receiver, "the receiver is left with a key") }
    if case .notRemembered = remembering.receiver { check(!hasKey.receiver, "a key kept and denied") }
    if case .received(let claim, let result) = receiverEnding {
      check(claim.claim == Fixture.claim && StoredStatus(result) == status, "received, and not stored")
    }
    switch senderEnding {
    case .delivered(let result, let name):
      check(StoredStatus(result) == status && name == Fixture.bob, "delivered, and not stored")
    case .unknown:
      check(isReleased, "unknown, and not released")
    default:
      check(!isReleased && status == nil, "stored there, and free to be sent again here")
    }
  }
}
