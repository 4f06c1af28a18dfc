import BumpClaims
import BumpTesting
import BumpWire
import Samples
import Testing

@testable import BumpSession

/// Senders that are remembered, and not named: only their keys prove who they are.
@Suite struct RecognitionTests {
  private static func sender(_ name: String, _ byte: UInt8) throws -> RememberedSender {
    RememberedSender(name: try DisplayName(name), key: try key(byte))
  }

  private static func key(_ byte: UInt8) throws -> SharedKey {
    try #require(SharedKey([UInt8](repeating: byte, count: SharedKey.length)))
  }

  private static func remembered() throws -> [RememberedSender] { [try sender("ally", 7), try sender("dora", 8)] }

  @Test func `a sender that has a remembered key is recognized by it, and no code and no name is needed`() throws {
    var scene = try ReceiverScene(theirs: .key(Self.key(8)), remembered: Self.remembered())
    try scene.go(to: .welcomed)
    #expect(scene.session.recognized?.name.text == "dora")
    try scene.go(from: .welcomed, to: .accepted)
    #expect(
      try scene.say(scene.claimMessage(Fixture.claim())).contains {
        if case .request(.store) = $0 { true } else { false }
      })
  }

  @Test func `a sender with another key is left, as where nobody is remembered`() throws {
    for remembered in [try Self.remembered(), []] {
      var scene = try ReceiverScene(theirs: .key(Self.key(9)), remembered: remembered)
      try scene.handle(.opened)
      #expect(scene.ending(try scene.say(scene.peer.welcome())) == .failed(.otherMode(.key)))
      #expect(scene.toldReason == .mode && scene.session.recognized == nil)
    }
  }

  /// Somebody who repeats the hint of a remembered sender, as it was on another connection, has not the key.
  @Test func `a hint that is copied proves nothing`() throws {
    var scene = try ReceiverScene(theirs: .key(Self.key(7)), remembered: Self.remembered())
    try scene.handle(.opened)
    let other = Welcome(
      mode: .key, nonce: [UInt8](repeating: 1, count: 16), commit: [UInt8](repeating: 2, count: 32),
      keyHint: Credential.key(try Self.key(7)).keyHint(
        nonceR: [UInt8](repeating: 3, count: 16), nonceS: [UInt8](repeating: 1, count: 16)))
    #expect(scene.ending(try scene.say(other.frame.bytes)) == .failed(.otherMode(.key)))
  }

  /// The one in the middle passes the true hint on, and does not know the key of the handshake.
  @Test func `a sender whose handshake is made without the key is not believed`() throws {
    let credential = Credential.key(try Self.key(7))
    var scene = try ReceiverScene(theirs: credential, remembered: Self.remembered())
    try scene.go(to: .welcomed)
    #expect(scene.session.recognized?.name.text == "ally")
    var noise = try scene.peer.noise()
    noise[noise.count - 1] ^= 1
    #expect(scene.ending(try scene.say(noise)) == .failed(.authentication))
  }

  @Test(arguments: [Mode.code, .key])
  func `with a code or a key no remembered sender is taken`(ours: Mode) throws {
    let credential: Credential =
      ours == .code ? .code(try OneTimeCode("27-482915")) : .key(try Self.key(9))
    var scene = try ReceiverScene(
      credential: credential, theirs: .key(Self.key(7)), remembered: Self.remembered())
    try scene.handle(.opened)
    let ending = scene.ending(try scene.say(scene.peer.welcome()))
    #expect(ending == (ours == .code ? .failed(.otherMode(.key)) : .wrongKey))
  }

  // MARK: In a bump

  private static func bump(keeps: Bool = false) throws -> ReceiverBumpScene {
    try ReceiverBumpScene(asks: true, choosesSender: !keeps, remembered: remembered(), keeps: keeps)
  }

  @Test func `a remembered sender that is alone there is met after 300 ms, and said to be recognized`() throws {
    var scene = try Self.bump()
    try scene.reach("alice", mode: .key)
    try scene.pass(.milliseconds(300))
    #expect(scene.lists.isEmpty)
    let alice = try scene.connect("alice", credential: .key(Self.key(7)))
    try scene.go(alice, to: .offered)
    #expect(scene.events.contains(.recognized(try DisplayName("ally"), peer: "alice")))
    #expect(scene.asking == [alice] && scene.bump.recognized(on: alice)?.name.text == "ally")
  }

  @Test func `beside another sender it is chosen from, since its announcement does not say whose key it has`() throws {
    var scene = try Self.bump()
    for (name, mode) in [("alice", Mode.key), ("carol", .open)] { try scene.reach(name, mode: mode) }
    try scene.pass(.milliseconds(300))
    #expect(scene.lists.map { $0.map(\.shown) } == [["alice", "carol"]] && scene.connectedTo.isEmpty)
  }

  @Test func `a receive that goes on recognizes it too`() throws {
    var scene = try Self.bump(keeps: true)
    let alice = try scene.meet("alice", credential: .key(Self.key(8)))
    try scene.go(alice, to: .offered)
    #expect(scene.bump.recognized(on: alice)?.name.text == "dora")
  }
}
