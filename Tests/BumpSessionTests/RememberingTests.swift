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
    /// Whether the sender speaks version 2.
    let isNew: Bool
    let sender, receiver: Bool
    let version: UInt8
    var atSender: Remembering?
    var atReceiver: Remembering?
    var isOlder = false

    var description: String {
      "a sender of version \(isNew ? 2 : 1) that \(sender ? "wants" : "does not"), a receiver that "
        + (receiver ? "wants" : "does not")
    }
  }

  static let pairings = [
    Pairing(
      isNew: true, sender: true, receiver: true, version: 2, atSender: .remembered, atReceiver: .remembered),
    Pairing(isNew: true, sender: true, receiver: false, version: 1, atSender: .notRemembered(.notAskedThere)),
    Pairing(isNew: true, sender: false, receiver: true, version: 2, atReceiver: .notRemembered(.notAskedThere)),
    Pairing(isNew: true, sender: false, receiver: false, version: 1),
    Pairing(isNew: false, sender: true, receiver: true, version: 2, isOlder: true),
    Pairing(isNew: false, sender: true, receiver: false, version: 1, atSender: .notRemembered(.notAskedThere)),
    Pairing(isNew: false, sender: false, receiver: true, version: 2, isOlder: true),
    Pairing(isNew: false, sender: false, receiver: false, version: 1),
  ]

  @Test(arguments: pairings)
  func `both ends remember, or neither does, and both know which`(pairing: Pairing) throws {
    var duet = try Duet(SessionVector.code(), remember: (pairing.sender, pairing.receiver))
    // To a sender of version 1 a HELLO of 2 is what one of 4 is to ours.
    if !pairing.isNew { duet.alter = { index, bytes in index == 0 && bytes[7] == 2 ? bytes.with(4, at: 7) : bytes } }
    duet.talk()
    #expect(duet.frames.first?[7] == pairing.version)
    #expect(duet.rememberingAtSender == pairing.atSender)
    #expect(duet.rememberingAtReceiver == pairing.atReceiver)
    #expect(duet.kept.count == (pairing.atSender == .remembered ? 2 : 0) && Set(duet.kept).count <= 1)
    if pairing.isOlder {
      #expect(duet.senderEnding == .failed(.dismissed(.version)) && duet.receiverEnding == .olderSender)
      #expect(duet.frames.count == 2 && duet.released == 0, "nothing is said after ABORT 1")
    } else {
      #expect(duet.stored.count == 1, "the claim arrives, whoever wants what")
      guard case .delivered(.stored, _) = duet.senderEnding else { throw Unexpected() }
    }
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
    var duet = try Duet(SessionVector.code(), remember: (true, true))
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
      var duet = try Duet(SessionVector.code(), remember: (true, true))
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
    var duet = try Duet(SessionVector.code(), remember: (true, true))
    duet.stores = .notStored
    duet.talk()
    #expect(duet.rememberingAtSender == .notRemembered(.cannotKeepThere))
    #expect(duet.rememberingAtReceiver == nil && duet.receiverEnding == .notStored(Fixture.storeError))
  }

  @Test func `a version 2 without a wish is a version 1 with another byte`() throws {
    for credential in [Credential.none, try SessionVector.code().credential, try SessionVector.key().credential] {
      var scene = try SenderScene(credential: credential, version: .two)
      try scene.go(to: .claimed)
      guard case .delivered(.stored, _) = try scene.ending(scene.say(.stored(.stored))) else { throw Unexpected() }
    }
  }

  // MARK: What a peer may not say

  /// Each REMEMBER out of its place, at a sender.
  @Test(arguments: [
    ("in version 1", ProtocolVersion.one, [Message.remember(.yes)]),
    ("twice", .two, [.remember(.yes), .remember(.yes)]),
    ("a wish that is a no", .two, [.remember(.notAsked)]),
    ("a wish that is a taken name", .two, [.remember(.nameTaken)]),
    ("HOLD after it", .two, [.remember(.yes), .hold(seconds: 1)]),
    ("DECLINE after it", .two, [.remember(.yes), .decline]),
  ])
  func `a wish out of its place ends the session, and the claim stays`(
    why: String, version: ProtocolVersion, messages: [Message]
  ) throws {
    var scene = try SenderScene(credential: SessionVector.code().credential, version: version, remembers: true)
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
    var scene = try SenderScene(credential: SessionVector.code().credential, version: .two, remembers: true)
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
    var scene = try SenderScene(credential: credential, version: .two, remembers: true)
    try scene.go(to: .offered)
    #expect(try scene.ending(scene.say(.remember(.yes))) == .failed(.protocolViolation))
  }

  @Test(arguments: [ProtocolVersion.one, .two])
  func `WELCOME in another version than HELLO's ends the session`(version: ProtocolVersion) throws {
    var scene = try ReceiverScene(credential: SessionVector.code().credential, remembers: version == .two)
    try scene.go(to: .opened)
    var welcome = scene.peer.welcome()
    #expect(welcome[7] == version.rawValue)
    welcome[7] = 3 - version.rawValue
    #expect(try scene.ending(scene.say(welcome)) == .failed(.dismissed(.version)))
    #expect(scene.toldReason == .version)
  }

  /// Somebody in the middle who has either end believe in another version than the other end's.
  @Test(arguments: try SessionVector.all(), [true, false])
  func `a version byte that is changed on the way ends the session before the offer`(
    vector: SessionVector, isWanted: Bool
  ) throws {
    var duet = try Duet(vector, remember: (isWanted, isWanted))
    // HELLO, and WELCOME back.
    duet.alter = { index, bytes in index < 2 ? bytes.with(3 - bytes[7], at: 7) : bytes }
    duet.talk()
    duet.waitOut()
    #expect(duet.released == 0 && duet.stored.isEmpty && duet.kept.isEmpty)
    // The receiver has a channel only where NOISE_2 opens.
    #expect(duet.digits.count <= 1)
    #expect(
      duet.receiverEnding == (vector.credential.mode == .code ? .wrongCode : .failed(.authentication))
        || duet.receiverEnding == .failed(.aborted(.authentication)))
  }

  @Test func `ABORT 1 says nothing about age to who said version 1`() throws {
    var scene = try ReceiverScene(credential: SessionVector.code().credential)
    try scene.go(to: .opened)
    #expect(
      try scene.ending(scene.say(AbortReason.version.frame.bytes)) == .failed(.aborted(.version)))
  }

  @Test func `ABORT 1 after WELCOME says nothing about age`() throws {
    var scene = try ReceiverScene(credential: SessionVector.code().credential, remembers: true)
    try scene.go(to: .welcomed)
    #expect(try scene.ending(scene.say(AbortReason.version.frame.bytes)) == .failed(.aborted(.version)))
  }

  @Test func `the TXT record names the highest version that the sender speaks`() throws {
    for credential in [Credential.none, try SessionVector.code().credential, try SessionVector.key().credential] {
      #expect(try Announcement(credential, expiry: Expiry(clamping: 2_000_000_000)).record()["v"] == "3")
    }
  }

  @Test func `the TXT record tells when the offer ends in mode open alone`() throws {
    let expiry = Expiry(clamping: 2_000_000_000)
    #expect(try Announcement(.none, expiry: expiry).record()["x"] == "2000000000")
    for credential in [try SessionVector.code().credential, try SessionVector.key().credential] {
      #expect(try Announcement(credential, expiry: expiry).record()["x"] == nil)
    }
  }

  private func whole() throws -> Duet {
    var duet = try Duet(SessionVector.code(), remember: (true, true))
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
