import BumpClaims
import BumpText
import Crypto
import Samples
import Testing

@testable import BumpNoise
@testable import BumpWire

@Suite struct SecretTests {
  /// Whatever holds a secret, by its type's name, made of recognisable bytes.
  static var secrets: [String: any Redacted] {
    get throws {
      let code = try OneTimeCode("27-482915")
      let sevens = [UInt8](repeating: 7, count: 32)
      let prologue = HandshakePrologue(
        hello: Hello(nonce: [UInt8](repeating: 1, count: 16)).frame,
        welcome: Welcome(mode: .code, nonce: [UInt8](repeating: 2, count: 16), commit: sevens).frame)
      var initiator = NoiseHandshake(role: .initiator, prologue: [], ephemeral: .init(), psk: key(sevens))
      var responder = NoiseHandshake(role: .responder, prologue: [], ephemeral: .init(), psk: key(sevens))
      let symmetricState = initiator.symmetricState
      _ = try responder.readMessage(initiator.writeMessage())
      _ = try initiator.readMessage(responder.writeMessage())
      return [
        "ClaimSecret": try ClaimSecret(sevens.prefix(16)), "OneTimeCode": code,
        "SharedKey": try #require(SharedKey(sevens)), "CipherState": CipherState(key: key(sevens)),
        "SymmetricState": symmetricState, "NoiseHandshake": initiator, "SecureChannel": try SecureChannel(initiator),
        "CPace": try prologue.exchange(code, y: key([1] + [UInt8](repeating: 0, count: 31))), "Opening": prologue,
      ]
    }
  }

  private static func key(_ bytes: [UInt8]) -> SymmetricKey { SymmetricKey(data: bytes) }

  @Test(arguments: try SecretTests.secrets.keys.sorted())
  func `whatever holds a secret prints as redacted, and so does what it lies in`(type: String) throws {
    Printing.expectRedacted(try #require(try Self.secrets[type]))
  }

  @Test func `a credential prints its mode and no more`() throws {
    #expect("\(Credential.code(try OneTimeCode("27-482915")))" == "code(<redacted>)")
    #expect("\(Credential.key(try #require(SharedKey([UInt8](repeating: 7, count: 32)))))" == "key(<redacted>)")
  }

  /// What all of these hold is swift-crypto's key: it is wiped when it goes, compares in constant time, and, where it
  /// is printed by itself, tells nothing either.
  @Test func `a key prints none of its bytes`() throws {
    let symmetric = Self.key([UInt8](repeating: 7, count: 32))
    let ephemeral = try EphemeralKey(rawRepresentation: [UInt8](repeating: 7, count: 32))
    let shared = try ephemeral.sharedSecretFromKeyAgreement(with: EphemeralKey().publicKey)
    let hex = shared.withUnsafeBytes { $0.prefix(3).map { String($0) }.joined(separator: ", ") }
    for key in [symmetric, ephemeral, shared] as [Any] {
      var dumped = ""
      dump(key, to: &dumped)
      for text in ["\(key)", String(reflecting: key), dumped] {
        #expect(!text.contains("7, 7") && !text.contains("- 7\n") && !text.contains("0707") && !text.contains(hex))
      }
    }
  }

  @Test func `equal secrets are equal, and one bit makes another`() throws {
    let sevens = [UInt8](repeating: 7, count: 32)
    let other = Array(sevens.dropLast()) + [6]
    #expect(SharedKey(sevens) == SharedKey(sevens) && SharedKey(sevens) != SharedKey(other))
    #expect(try OneTimeCode("27-482915") == OneTimeCode("27 482915"))
    #expect(try OneTimeCode("27-482915") != OneTimeCode("27-482914"))
    #expect(try OneTimeCode("27-482915") != OneTimeCode("28-482915"))
  }
}
