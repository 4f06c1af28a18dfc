import BumpClaims
import BumpNoise
import BumpTesting
import BumpWire
import Testing

@testable import BumpSession

/// Somebody in the middle, who answers with a handshake of his own to both sides.
@Suite struct ImpostorTests {
  /// What both ends come to, each in a session with the impostor.
  private func meet(_ credential: Credential, impostor: Credential) throws -> (
    sender: SenderScene, receiver: ReceiverScene
  ) {
    var sender = try SenderScene(credential: credential)
    var receiver = try ReceiverScene(credential: credential)
    sender.peer = ScriptedPeer(.receiver, credential: impostor)
    receiver.peer = ScriptedPeer(.sender, credential: impostor)
    try sender.say(sender.peer.hello())
    try receiver.handle(.opened)
    try receiver.say(receiver.peer.welcome())
    if impostor.mode == .code {
      try sender.say(sender.peer.pake())
      // NOISE_1 comes back at once, and he cannot open it.
      #expect(throws: NoiseError.self) { try receiver.say(receiver.peer.pake()) }
    }
    try sender.say(sender.peer.noise())
    return (sender, receiver)
  }

  @Test func `in mode open the digits on the two screens differ, but by chance`() throws {
    var alike = 0
    for _ in 1...1000 {
      var (sender, receiver) = try meet(.none, impostor: .none)
      try receiver.say(receiver.peer.noise())
      if sender.peer.channel?.digits == receiver.peer.channel?.digits { alike += 1 }
    }
    // A chance of one in a million each: one in a thousand runs of this would see one.
    #expect(alike <= 1)
  }

  @Test(
    arguments: try [
      (Credential.code(OneTimeCode("27-482915")), Credential.code(OneTimeCode("27-482916"))),
      (SessionVector.key().credential, .key(#require(SharedKey([UInt8](repeating: 7, count: 32))))),
    ])
  func `who does not know the code or the key gets no offer from one side, and makes none to the other`(
    credential: Credential, guess: Credential
  ) throws {
    let (sender, receiver) = try meet(credential, impostor: guess)
    #expect(sender.toldReason == .authentication)
    #expect(!sender.heard.contains { if case .message = $0 { true } else { false } }, "nothing was sealed for him")
    var other = receiver
    if credential.mode == .key {
      #expect(other.toldReason == .mode, "his hint is not that of the key")
    } else {
      let answer = try other.say(Frame(.noise2, [UInt8](repeating: 9, count: 48)).bytes)
      #expect(other.ending(answer) == .failed(.authentication))
    }
  }
}
