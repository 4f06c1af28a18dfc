public import BumpClaims
import BumpNoise
public import BumpText
import BumpWire
public import Crypto

/// The fresh keys of one connection. The driver of a session draws them.
public struct SessionKeys: Redacted, Sendable {
  /// The nonce, 16 bytes.
  public let nonce: [UInt8]
  /// The ephemeral X25519 key.
  public let ephemeral: Curve25519.KeyAgreement.PrivateKey
  /// CPace's scalar, used only in mode code.
  public let scalar: SymmetricKey

  /// Takes keys that were drawn elsewhere, as for test vectors.
  ///
  /// - Parameters:
  ///   - nonce: 16 bytes.
  ///   - ephemeral: an X25519 private key.
  ///   - scalar: 32 bytes, a scalar of ristretto255 other than zero.
  public init(nonce: [UInt8], ephemeral: Curve25519.KeyAgreement.PrivateKey, scalar: SymmetricKey) {
    precondition(nonce.count == 16 && scalar.bitCount == 256)
    (self.nonce, self.ephemeral, self.scalar) = (nonce, ephemeral, scalar)
  }

  /// Draws the nonce and both keys from a source of randomness.
  public init(drawnFrom random: RandomBytes) {
    // Any 32 bytes are an X25519 private key (RFC 7748 §5), so this does not fail.
    let ephemeral = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: random.key(32))
    self.init(
      nonce: random.draw(16), ephemeral: ephemeral ?? Curve25519.KeyAgreement.PrivateKey(),
      scalar: CPace.sampleScalar(random.key(64)))
  }
}

extension SessionFailure: Error {
  /// The failure of the session for an error in reading the other end's bytes.
  init(_ error: any Error) {
    switch error {
    case let failure as SessionFailure: self = failure
    case is SecureChannelError, is NoiseError: self = .authentication
    default: self = .protocolViolation
    }
  }
}

extension AbortReason {
  /// - Throws: `SessionFailure.protocolViolation` for an unknown reason.
  init(_ frame: Frame) throws {
    guard let reason = frame.body.first.flatMap(AbortReason.init(rawValue:)) else {
      throw SessionFailure.protocolViolation
    }
    self = reason
  }
}

extension HandshakePrologue {
  /// Adds the key that the exchange makes of both shares.
  ///
  /// - Throws: `SessionFailure.protocolViolation` for a share that is not a valid element of the group. Continuing with
  ///   one would make a key that is known whatever the code.
  mutating func use(_ exchange: CPace, as role: NoiseHandshake.Role, _ peerShare: Frame) throws {
    do {
      try use(exchange, role: role, peerShare: peerShare.body)
    } catch {
      throw SessionFailure.protocolViolation
    }
  }
}
