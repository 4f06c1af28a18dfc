public import BumpWire
import Crypto

/// What stands after the handshake: it seals and opens messages, and makes and checks the claim's mac.
public struct SecureChannel: Sendable {
  private var send: CipherState
  private var receive: CipherState
  /// The handshake hash, the same at both ends of one session and of no other.
  public let handshakeHash: [UInt8]
  private let ck: SymmetricKey

  /// - Throws: `SecureChannelError.handshake` before both handshake messages have passed.
  public init(_ handshake: NoiseHandshake) throws {
    (send, receive) = try handshake.split()
    (handshakeHash, ck) = (handshake.symmetricState.h, handshake.symmetricState.ck)
  }

  public var digits: VerificationDigits { VerificationDigits(handshakeHash: handshakeHash) }

  /// The Noise transport message that carries `message`, with empty associated data.
  public mutating func seal(_ message: Message) throws -> Frame {
    Frame(.sealed, try send.encryptWithAd([], message.bytes))
  }

  /// - Throws: `SecureChannelError.decryption` where this session's peer did not seal it, in this order;
  ///   `WireError` where what it sealed is not a message.
  public mutating func open(_ frame: Frame) throws -> Message {
    try Message(receive.decryptWithAd([], frame.body))
  }

  /// export(label) = HKDF-SHA256(key ck, salt h, info `"bump/1 "` ‖ label, 32 bytes).
  func export(_ label: String) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: ck, salt: handshakeHash, info: Array("bump/1 \(label)".utf8), outputByteCount: 32)
  }

  /// A key that both ends can remember each other by: export(`remember`).
  ///
  /// Of use only where the session itself was authenticated, by a code.
  public var rememberedKey: SharedKey { SharedKey(export("remember")) }

  /// CLAIM with its mac.
  public func claimMessage(_ claim: Claim) -> Message {
    let payload = claim.payload
    return .claim(mac: claimMAC(over: payload), payload: payload)
  }

  /// The mac of a claim payload in this session.
  func claimMAC(over payload: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: macInput(payload), using: export("claim-mac")))
  }

  /// Checks a CLAIM: its mac over the bytes received, then their encoding, then that they are what was offered.
  ///
  /// - Throws: `SecureChannelError.mac`, `WireError.claim`, `SecureChannelError.offerMismatch`.
  public func verify(mac: [UInt8], payload: [UInt8], against offer: Offer) throws -> VerifiedClaim {
    guard
      HMAC<SHA256>.isValidAuthenticationCode(mac, authenticating: macInput(payload), using: export("claim-mac"))
    else { throw SecureChannelError(.mac, "a claim whose mac is not valid") }
    let claim = try Claim(payload: payload)
    guard offer.matches(claim) else { throw SecureChannelError(.offerMismatch, "a claim other than the one offered") }
    return VerifiedClaim(claim: claim, expiry: offer.expiry, origin: .session(from: offer.from))
  }

  /// `"bump/1 claim"` ‖ `00` ‖ h ‖ claim payload.
  private func macInput(_ payload: [UInt8]) -> [UInt8] {
    Array("bump/1 claim".utf8) + [0] + handshakeHash + payload
  }
}
