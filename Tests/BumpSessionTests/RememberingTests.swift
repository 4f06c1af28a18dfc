import BumpClaims
import BumpDiscovery
import BumpTesting
import BumpWire
import Samples
import Testing

@testable import BumpSession

/// Whether both ends remember each other, in sessions without a network, a store or a clock.
@Suite struct RememberingTests {
  /// A pairing of two ends, and what must come of it.
  struct Pairing: CustomStringConvertible {
    let sender, receiver: Bool
    var atSender: Remembering?
    var atReceiver: Remembering?

    var description: String {
      "a sender that \(sender ? "wants" : "does not"), a receiver that \(receiver ? "wants" : "does not")"
    }
  }

  static let pairings = [
    Pairing(sender: true, receiver: true, atSender: .remembered, atReceiver: .remembered),
    Pairing(sender: true, receiver: false, atSender: .notRemembered(.notAskedThere)),
    Pairing(sender: false, receiver: true, atReceiver: .notRemembered(.notAskedThere)),
    Pairing(sender: false, receiver: false),
  ]

  @Test(arguments: pairings)
  func `both ends remember, or neither does, and both know which`(pairing: Pairing) throws {
    var duet = try SessionPair(SessionVector.code(), remember: (pairing.sender, pairing.receiver))
    duet.talk()
    #expect(duet.rememberingAtSender == pairing.atSender)
    #expect(duet.rememberingAtReceiver == pairing.atReceiver)
    #expect(duet.kept.count == (pairing.atSender == .remembered ? 2 : 0) && Set(duet.kept).count <= 1)
    #expect(duet.stored.count == 1, "the claim arrives, whoever wants what")
    guard case .delivered(.stored, _) = duet.senderEnding else { throw Unexpected() }
  }

  @Test(arguments: [
    (RememberAnswer.nameTaken, RememberAnswer.yes, NotRemembered.nameTakenHere, NotRemembered.nameTakenThere),
    (.cannotKeep, .yes, .cannotKeepHere, .cannotKeepThere),
    (.yes, .nameTaken, .nameTakenThere, .nameTakenHere),
    (.yes, .cannotKeep, .cannotKeepThere, .cannotKeepHere),
  ])
  func `where one store does not keep the key neither end remembers, and the claim arrives`(
    sender: RememberAnswer, receiver: RememberAnswer, atSender: NotRemembered, atReceiver: NotRemembered
  ) throws {
    var duet = try SessionPair(SessionVector.code(), remember: (true, true))
    duet.keeps = (sender, receiver)
    duet.talk()
    #expect(duet.rememberingAtSender == .notRemembered(atSender))
    #expect(duet.rememberingAtReceiver == .notRemembered(atReceiver))
    #expect(duet.stored.count == 1)
    guard case .delivered(.stored, _) = duet.senderEnding else { throw Unexpected() }
  }

  @Test func `where the answer is lost the sender says that it does not know, and the receiver is right`() throws {
    let frames = try whole().frames
    for lost in frames.indices {
      var duet = try SessionPair(SessionVector.code(), remember: (true, true))
      duet.alter = { index, bytes in index >= lost ? [] : bytes }
      duet.talk()
      duet.waitOut()
      switch duet.rememberingAtSender {
      case .remembered:
        #expect(duet.rememberingAtReceiver == .remembered, "lost from frame \(lost)")
      case .unknown:
        #expect(duet.kept.count >= 1, "the key is kept unconfirmed; lost from frame \(lost)")
      case nil:
        #expect(duet.rememberingAtReceiver == nil && duet.released == 0, "lost from frame \(lost)")
      case .notRemembered:
        Issue.record("lost from frame \(lost): nobody said no")
      }
    }
  }

  @Test func `where the receiver cannot store the claim neither end remembers`() throws {
    var duet = try SessionPair(SessionVector.code(), remember: (true, true))
    duet.stores = .notStored
    duet.talk()
    #expect(duet.rememberingAtSender == .notRemembered(.cannotKeepThere))
    #expect(duet.rememberingAtReceiver == nil && duet.receiverEnding == .notStored(Fixture.storeError))
  }

  // MARK: What a peer may not say

  /// Each REMEMBER out of its place, at a sender.
  @Test(arguments: [
    ("twice", [Message.remember(.yes), .remember(.yes)]),
    ("a wish that is a no", [.remember(.notAsked)]),
    ("a wish that is a taken name", [.remember(.nameTaken)]),
    ("HOLD after it", [.remember(.yes), .hold(seconds: 1)]),
    ("DECLINE after it", [.remember(.yes), .decline]),
  ])
  func `a wish out of its place ends the session, and the claim stays`(why: String, messages: [Message]) throws {
    var scene = try SenderScene(credential: SessionVector.code().credential, remembers: true)
    try scene.go(to: .offered)
    var ending: SenderSession.Ending?
    for message in messages { ending = try scene.ending(scene.say(message)) }
    #expect(ending == .failed(.protocolViolation), "\(why)")
  }

  /// Each REMEMBER out of its place, behind CLAIM.
  @Test(arguments: [
    ("without a key of ours", RememberAnswer.cannotKeep, [Message.remember(.yes)]),
    ("twice", .yes, [.remember(.yes), .remember(.nameTaken)]),
    ("an answer that is none", .yes, [.remember(.notAsked)]),
  ])
  func `an answer out of its place ends the session, and the claim is unknown`(
    why: String, here: RememberAnswer, messages: [Message]
  ) throws {
    var scene = try SenderScene(credential: SessionVector.code().credential, remembers: true)
    let bob = try DisplayName(Fixture.bob)
    try scene.go(to: .offered)
    try scene.say(.remember(.yes))
    try scene.say(.accept(bob))
    for input in [SenderSession.Input.chosen, .kept(here), .released] { try scene.handle(input) }
    var ending: SenderSession.Ending?
    for message in messages { ending = try scene.ending(scene.say(message)) }
    #expect(ending == .unknown(bob, nil), "\(why)")
  }

  @Test(arguments: [Credential.none, try SessionVector.key().credential])
  func `nobody is remembered without a code`(credential: Credential) throws {
    var scene = try SenderScene(credential: credential, remembers: true)
    try scene.go(to: .offered)
    #expect(try scene.ending(scene.say(.remember(.yes))) == .failed(.protocolViolation))
  }

  /// A sender cannot make a receiver keep a key that its person did not ask for.
  @Test func `an answer to a wish that nobody had ends the session`() throws {
    var scene = try ReceiverScene(credential: SessionVector.code().credential)
    try scene.go(to: .accepted)
    #expect(try scene.ending(scene.say(.remember(.yes))) == .failed(.protocolViolation))
  }

  // MARK: Another version

  @Test func `a sender answers a HELLO of version 2 with ABORT 1`() throws {
    var scene = try SenderScene(credential: SessionVector.code().credential, version: 2)
    #expect(try scene.ending(scene.handle(.received(scene.peer.hello()))) == .failed(.dismissed(.version)))
    #expect(scene.toldReason == .version)
  }

  @Test func `a receiver answers a WELCOME of version 2 with ABORT 1`() throws {
    var scene = try ReceiverScene(credential: SessionVector.code().credential)
    try scene.go(to: .opened)
    #expect(try scene.ending(scene.say(scene.peer.welcome().with(2, at: 7))) == .failed(.dismissed(.version)))
    #expect(scene.toldReason == .version)
  }

  /// Somebody in the middle who has either end believe that the other speaks another version.
  @Test(arguments: try SessionVector.all(), 0..<2)
  func `a version byte that is changed on the way ends the session before the offer`(
    vector: SessionVector, frame: Int
  ) throws {
    var duet = try SessionPair(vector)
    duet.alter = { index, bytes in index == frame ? bytes.with(2, at: 7) : bytes }
    duet.talk()
    duet.waitOut()
    #expect(duet.released == 0 && duet.stored.isEmpty && duet.kept.isEmpty && duet.digits.isEmpty)
    #expect(duet.receiverEnding == .failed(frame == 0 ? .aborted(.version) : .dismissed(.version)))
  }

  @Test func `the TXT record names the version that the sender speaks`() throws {
    for credential in [Credential.none, try SessionVector.code().credential, try SessionVector.key().credential] {
      #expect(try Announcement(credential, expiry: Expiry(clamping: 2_000_000_000)).record()["v"] == "1")
    }
  }

  @Test func `the TXT record tells when the offer ends in mode open alone`() throws {
    let expiry = Expiry(clamping: 2_000_000_000)
    #expect(try Announcement(.none, expiry: expiry).record()["x"] == "2000000000")
    for credential in [try SessionVector.code().credential, try SessionVector.key().credential] {
      #expect(try Announcement(credential, expiry: expiry).record()["x"] == nil)
    }
  }

  private func whole() throws -> SessionPair {
    var duet = try SessionPair(SessionVector.code(), remember: (true, true))
    duet.talk()
    return duet
  }
}

extension [UInt8] {
  fileprivate func with(_ byte: UInt8, at index: Int) -> [UInt8] {
    var copy = self
    copy[index] = byte
    return copy
  }
}
