import BumpChannel
public import BumpClaims
import BumpNoise
public import BumpText
import BumpWire
public import Crypto

/// What is fresh for every connection. Whoever drives a session draws it.
public struct SessionKeys: Redacted, Sendable {
  public let nonce: [UInt8]
  public let ephemeral: Curve25519.KeyAgreement.PrivateKey
  /// CPace's scalar, of use in mode code alone.
  public let scalar: SymmetricKey

  /// - Parameters:
  ///   - nonce: 16 bytes.
  ///   - ephemeral: an X25519 private key.
  ///   - scalar: 32 bytes, a scalar of ristretto255 that is not zero.
  public init(nonce: [UInt8], ephemeral: Curve25519.KeyAgreement.PrivateKey, scalar: SymmetricKey) {
    precondition(nonce.count == 16 && scalar.bitCount == 256)
    (self.nonce, self.ephemeral, self.scalar) = (nonce, ephemeral, scalar)
  }

  /// Draws all three.
  public init(drawnFrom random: RandomBytes) {
    // Any 32 bytes are an X25519 private key (RFC 7748 §5), so this does not fail.
    let ephemeral = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: random.key(32))
    self.init(
      nonce: random.draw(16), ephemeral: ephemeral ?? Curve25519.KeyAgreement.PrivateKey(),
      scalar: CPace.sampleScalar(random.key(64)))
  }
}

extension SessionFailure: Error {
  /// What an error in reading the other end's bytes makes of the session.
  init(_ error: any Error) {
    switch error {
    case let failure as SessionFailure: self = failure
    case is SecureChannelError, is NoiseError: self = .authentication
    default: self = .protocolViolation
    }
  }
}

extension AbortReason {
  /// - Throws: `SessionFailure.protocolViolation` for a reason that there is not.
  init(_ frame: Frame) throws {
    guard let reason = frame.body.first.flatMap(AbortReason.init(rawValue:)) else {
      throw SessionFailure.protocolViolation
    }
    self = reason
  }
}

extension Opening {
  /// Goes on with the key that both shares of the exchange make.
  ///
  /// - Throws: `SessionFailure.protocolViolation` for a share that is no element of the group: to go on would make a key
  ///   that is known under every code.
  mutating func use(_ exchange: CPace, as role: NoiseHandshake.Role, _ peerShare: Frame) throws {
    do {
      try use(exchange, role: role, peerShare: peerShare.body)
    } catch {
      throw SessionFailure.protocolViolation
    }
  }
}
