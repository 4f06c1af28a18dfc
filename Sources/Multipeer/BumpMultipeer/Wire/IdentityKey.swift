public import BumpNoise
public import BumpText
import Crypto

/// The Ed25519 key (RFC 8032) by which a peer shows on each link that it is the peer of an earlier link. It says nothing
/// about who the peer is: another peer has only seen the key before, or has not.
public struct IdentityKey: Sendable, Redacted {
  private let key: Curve25519.Signing.PrivateKey

  /// Draws a key. A process has one, and forgets it when it exits.
  public init() { key = Curve25519.Signing.PrivateKey() }

  /// Signs a link's handshake.
  ///
  /// - Parameter statement: the result of `IdentityProof.statement`.
  func proof(of statement: [UInt8]) throws -> IdentityProof {
    IdentityProof(key: Array(key.publicKey.rawRepresentation), signature: Array(try key.signature(for: statement)))
  }
}

/// A peer's public key, and the signature by which the peer proves on one link that it has the private key.
public struct IdentityProof: Hashable, Sendable {
  static let keyLength = 32
  static let signatureLength = 64

  /// The public key, 32 bytes.
  public let key: [UInt8]
  /// The signature, 64 bytes.
  public let signature: [UInt8]

  /// Makes a proof. Nothing has checked it.
  ///
  /// - Precondition: the key has 32 bytes, the signature 64.
  public init(key: [UInt8], signature: [UInt8]) {
    precondition(key.count == Self.keyLength && signature.count == Self.signatureLength)
    (self.key, self.signature) = (key, signature)
  }

  /// Returns the bytes that a peer signs. The handshake hash binds the signature to one link, and the role to one end of
  /// it, so that nobody can show another's signature as his own.
  ///
  /// - Parameters:
  ///   - role: the signer's role in the handshake.
  ///   - hash: the handshake hash, 32 bytes.
  public static func statement(by peer: PeerID, _ role: NoiseHandshake.Role, _ hash: [UInt8]) -> [UInt8] {
    Array("BMPC".utf8) + [1, role == .initiator ? 0 : 1] + hash + peer.bytes
  }

  /// Whether the signature is that of the key.
  func holds(for statement: [UInt8]) -> Bool {
    guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key) else { return false }
    return key.isValidSignature(signature, for: statement)
  }
}
