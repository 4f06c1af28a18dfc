public import BumpClaims
public import BumpNoise
import Crypto

/// The encrypted channel after the handshake: seals and opens messages, and makes and verifies the claim's MAC.
public struct SecureChannel: Sendable {
  private var transport: NoiseTransport
  /// The handshake hash, 32 bytes: the same at both ends of a session, and unique to the session.
  public let handshakeHash: [UInt8]
  private let ck: SymmetricKey

  /// Makes the channel of a finished handshake.
  ///
  /// - Throws: `NoiseError.handshake` unless both handshake messages have been processed.
  public init(_ handshake: NoiseHandshake) throws {
    transport = try NoiseTransport(handshake)
    (handshakeHash, ck) = (handshake.handshakeHash, handshake.chainingKey)
  }

  /// The digits that both people compare.
  public var digits: VerificationDigits { VerificationDigits(handshakeHash: handshakeHash) }

  /// Encrypts a message as a Noise transport message with empty associated data.
  ///
  /// - Throws: `NoiseError.nonceExhausted` after 2⁶⁴ − 1 messages.
  public mutating func seal(_ message: Message) throws -> Frame {
    Frame(.sealed, try transport.seal(message.bytes))
  }

  /// Decrypts a message.
  ///
  /// - Throws: `NoiseError.decryption` if the frame is not the next one that this session's peer sealed;
  ///   `WireError.message` if its content is not a message.
  public mutating func open(_ frame: Frame) throws -> Message {
    try Message(transport.open(frame.body))
  }

  /// export(label) = HKDF-SHA256(key ck, salt h, info `"bump/1 "` ‖ label, 32 bytes).
  func export(_ label: String) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: ck, salt: handshakeHash, info: Array("bump/1 \(label)".utf8), outputByteCount: 32)
  }

  /// The key by which both ends can remember each other: export(`remember`).
  ///
  /// Use this key only if a code authenticated the session.
  public var rememberedKey: SharedKey { SharedKey(export("remember")) }

  /// Returns the CLAIM message, with the claim's MAC in this session.
  public func claimMessage(_ claim: Claim) -> Message {
    let payload = claim.payload
    return .claim(mac: claimMAC(over: payload), payload: payload)
  }

  /// Returns the MAC of a claim payload in this session.
  func claimMAC(over payload: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: macInput(payload), using: export("claim-mac")))
  }

  /// Verifies a CLAIM: its MAC over the received bytes, then their encoding, then that the claim is the offered one.
  ///
  /// - Throws: `SecureChannelError.mac`, `ClaimError.claim`, `SecureChannelError.offerMismatch`.
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
