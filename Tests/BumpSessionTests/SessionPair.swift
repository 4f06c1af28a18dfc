import BumpClaims
import BumpWire

@testable import BumpSession

/// A sender's and a receiver's session that talk to each other, with a hand on the wire between them.
/// Persons say yes, the claim is released, and what is to be stored is stored, unless a test says otherwise.
struct SessionPair {
  enum End { case sender, receiver }

  var sender: SenderSession
  var receiver: ReceiverSession
  var now: Moment = .zero
  /// What the frames on the wire become, by their number from 0.
  var alter: (_ index: Int, _ bytes: [UInt8]) -> [UInt8] = { _, bytes in bytes }
  var stores: StoredStatus = .stored

  private(set) var frames: [[UInt8]] = []
  private(set) var digits: [VerificationDigits] = []
  /// What the sender's and the receiver's store answer to a key.
  var keeps: (sender: RememberAnswer, receiver: RememberAnswer) = (.yes, .yes)
  /// The keys that were to be kept.
  private(set) var kept: [SharedKey] = []
  private(set) var rememberingAtSender: Remembering?
  private(set) var rememberingAtReceiver: Remembering?
  private(set) var released = 0
  private(set) var stored: [VerifiedClaim] = []
  private(set) var senderEnding: SenderSession.Ending?
  private(set) var receiverEnding: ReceiverSession.Ending?

  /// - Parameter remember: whether the sender's and the receiver's person want to remember the other.
  init(_ vector: SessionVector, remember: (sender: Bool, receiver: Bool) = (false, false)) throws {
    sender = SenderSession(
      claim: vector.claim, offer: vector.offer, credential: vector.credential, asks: true,
      remembers: remember.sender, limit: .seconds(5), keys: vector.keysS, at: .zero)
    receiver = ReceiverSession(
      .init(
        name: try DisplayName("bob"), asks: true, remembers: remember.receiver, limit: .seconds(5), unixTime: { 0 }),
      credential: vector.credential, keys: vector.keysR, at: .zero)
  }

  /// Lets them talk until both are silent.
  mutating func talk() {
    perform(receiver.handle(.opened, at: now))
  }

  /// Lets time pass until both have ended, as they must within their own deadlines.
  mutating func waitOut() {
    while let next = [sender.deadline, receiver.deadline].compactMap(\.self).min() {
      now = max(now, next)
      if let deadline = sender.deadline, deadline <= now { perform(sender.handle(.deadline, at: now)) }
      if let deadline = receiver.deadline, deadline <= now { perform(receiver.handle(.deadline, at: now)) }
    }
  }

  mutating func perform(_ outputs: [SenderSession.Output]) {
    for output in outputs {
      switch output {
      case .send(let bytes): deliver(bytes, to: .receiver)
      case .secured(let digits): self.digits.append(digits)
      case .guessed, .held, .placed, .progress: break
      case .accepted: perform(sender.handle(.chosen, at: now))
      case .ask: perform(sender.handle(.decided(true), at: now))
      case .keep(let key):
        kept.append(key)
        perform(sender.handle(.kept(keeps.sender), at: now))
      case .remembering(let outcome): rememberingAtSender = outcome
      case .release:
        released += 1
        perform(sender.handle(.released, at: now))
      case .takeBack:
        released -= 1
        perform(sender.handle(.takenBack, at: now))
      case .ended(let ending):
        senderEnding = ending
        perform(receiver.handle(.closed, at: now))
      }
    }
  }

  mutating func perform(_ outputs: [ReceiverSession.Output]) {
    for output in outputs {
      switch output {
      case .request(.send(let bytes)): deliver(bytes, to: .sender)
      case .welcomed, .ready, .guessing, .held: break
      case .secured(let digits): self.digits.append(digits)
      // Documents have a pair of their own.
      case .documentOffered, .request(.askAboutDocument), .progress, .request(.save): break
      case .offered: perform(receiver.handle(.chosen, at: now))
      case .request(.ask): perform(receiver.handle(.decided(true), at: now))
      case .request(.keep(let key)):
        kept.append(key)
        perform(receiver.handle(.kept(keeps.receiver), at: now))
      case .request(.remembering(let outcome)): rememberingAtReceiver = outcome
      case .request(.store(let claim)):
        if stores.isDelivered { stored.append(claim) }
        perform(receiver.handle(.of(stores), at: now))
      case .ended(let ending):
        receiverEnding = ending
        perform(sender.handle(.closed, at: now))
      }
    }
  }

  private mutating func deliver(_ bytes: [UInt8], to end: End) {
    var rest = bytes[...]
    var altered: [UInt8] = []
    // One write may hold several frames: NOISE_2 and OFFER go together.
    while rest.count > 2 {
      let length = 2 + Int(rest[rest.startIndex]) << 8 + Int(rest[rest.startIndex + 1])
      let frame = Array(rest.prefix(length))
      rest = rest.dropFirst(length)
      altered += alter(frames.count, frame)
      frames.append(frame)
    }
    switch end {
    case .sender: perform(sender.handle(.received(altered), at: now))
    case .receiver: perform(receiver.handle(.received(altered), at: now))
    }
  }
}
