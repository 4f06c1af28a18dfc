import Crypto
import Samples
import Testing

@testable import BumpNoise

@Suite struct NoiseTests {
  private func handshake(
    _ role: NoiseHandshake.Role, _ vector: NoiseVector, _ ephemeral: String
  ) throws -> NoiseHandshake {
    NoiseHandshake(
      role: role, prologue: bytes(vector.prologue),
      ephemeral: try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes(ephemeral)),
      psk: vector.psk.map { SymmetricKey(data: bytes($0)) })
  }

  @Test(arguments: NoiseVector.all)
  func `every message of a vector is written and read as it stands there`(vector: NoiseVector) throws {
    var initiator = try handshake(.initiator, vector, vector.initiatorEphemeral)
    var responder = try handshake(.responder, vector, vector.responderEphemeral)

    let first = vector.messages[0]
    #expect(try initiator.writeMessage(bytes(first.payload)) == bytes(first.ciphertext))
    #expect(try responder.readMessage(bytes(first.ciphertext)) == bytes(first.payload))
    let second = vector.messages[1]
    #expect(try responder.writeMessage(bytes(second.payload)) == bytes(second.ciphertext))
    #expect(try initiator.readMessage(bytes(second.ciphertext)) == bytes(second.payload))

    var (send, receive) = try initiator.split()
    var (peerSend, peerReceive) = try responder.split()
    let h = initiator.symmetricState.h
    #expect(h == responder.symmetricState.h)
    if let expected = vector.handshakeHash { #expect(h == bytes(expected)) }

    for (index, message) in vector.messages.dropFirst(2).enumerated() {
      if index.isMultiple(of: 2) {
        #expect(try send.encryptWithAd([], bytes(message.payload)) == bytes(message.ciphertext))
        #expect(try peerReceive.decryptWithAd([], bytes(message.ciphertext)) == bytes(message.payload))
      } else {
        #expect(try peerSend.encryptWithAd([], bytes(message.payload)) == bytes(message.ciphertext))
        #expect(try receive.decryptWithAd([], bytes(message.ciphertext)) == bytes(message.payload))
      }
    }
  }

  /// The points of small order on Curve25519 and its twist, as RFC 7748 §6.1 warns of:
  /// 0, 1, the two of order 8, p − 1, p, p + 1 (https://cr.yp.to/ecdh.html#validate).
  @Test(arguments: [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  ])
  func `a key agreement that gives zero ends the handshake`(point: String) throws {
    var responder = NoiseHandshake(role: .responder, prologue: [], ephemeral: .init())
    _ = try responder.readMessage(bytes(point))
    #expect(throws: NoiseError.self) { try responder.writeMessage() }

    var initiator = NoiseHandshake(role: .initiator, prologue: [], ephemeral: .init())
    _ = try initiator.writeMessage()
    let error = #expect(throws: NoiseError.self) {
      try initiator.readMessage(bytes(point) + [UInt8](repeating: 0, count: 16))
    }
    #expect(error?.code == .lowOrderKey)
  }

  @Test func `a handshake message that is too short is refused`() {
    var responder = NoiseHandshake(role: .responder, prologue: [], ephemeral: .init())
    #expect(throws: NoiseError.self) { try responder.readMessage([UInt8](repeating: 9, count: 31)) }
  }

  @Test func `different prologues do not meet`() throws {
    var initiator = NoiseHandshake(role: .initiator, prologue: [1], ephemeral: .init())
    var responder = NoiseHandshake(role: .responder, prologue: [2], ephemeral: .init())
    _ = try responder.readMessage(try initiator.writeMessage())
    let answer = try responder.writeMessage()
    let error = #expect(throws: NoiseError.self) { try initiator.readMessage(answer) }
    #expect(error?.code == .decryption)
  }

  @Test func `nothing is sealed before the handshake is over`() throws {
    var initiator = NoiseHandshake(role: .initiator, prologue: [], ephemeral: .init())
    _ = try initiator.writeMessage()
    #expect(throws: NoiseError.self) { try NoiseTransport(initiator) }
  }

  @Test func `a message that fails to open does not use up its nonce`() throws {
    let key = SymmetricKey(size: .bits256)
    var sender = CipherState(key: key)
    var receiver = CipherState(key: key)
    let sealed = try sender.encryptWithAd([], [1, 2, 3])
    var garbled = sealed
    garbled[0] ^= 1
    #expect(throws: NoiseError.self) { try receiver.decryptWithAd([], garbled) }
    #expect(try receiver.decryptWithAd([], sealed) == [1, 2, 3])
    #expect(throws: NoiseError.self) { try receiver.decryptWithAd([], sealed) }
  }
}
