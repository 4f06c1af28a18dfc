import BumpChannel
public import BumpWire
public import Crypto

/// What is fresh for every connection. Whoever drives a session draws it.
public struct SessionKeys: Sendable {
  public let nonce: [UInt8]
  public let ephemeral: Curve25519.KeyAgreement.PrivateKey

  /// - Parameters:
  ///   - nonce: 16 bytes.
  ///   - ephemeral: an X25519 private key.
  public init(nonce: [UInt8], ephemeral: Curve25519.KeyAgreement.PrivateKey) {
    precondition(nonce.count == 16)
    self.nonce = nonce
    self.ephemeral = ephemeral
  }

  /// Draws both.
  public init(drawnFrom random: RandomBytes) {
    // Any 32 bytes are an X25519 private key (RFC 7748 §5), so this does not fail.
    let ephemeral = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: random.draw(32))
    self.init(nonce: random.draw(16), ephemeral: ephemeral ?? Curve25519.KeyAgreement.PrivateKey())
  }
}

/// What both ends have seen of a connection before Noise begins. Mixed into the handshake, it shows any change.
public enum Prologue {
  /// `"bump/1"` ‖ `00` ‖ every frame so far, exactly as on the wire.
  public static func of(_ frames: [Frame]) -> [UInt8] {
    frames.reduce(into: Array("bump/1".utf8) + [0]) { $0 += $1.bytes }
  }
}

extension SessionFailure: Error {
  /// What an error in reading the other end's bytes makes of the session.
  init(_ error: any Error) {
    switch error {
    case let failure as SessionFailure: self = failure
    case is SecureChannelError: self = .authentication
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
