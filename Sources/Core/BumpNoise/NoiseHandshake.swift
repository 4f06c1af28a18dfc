public import Crypto

/// An X25519 private key (RFC 7748).
public typealias EphemeralKey = Curve25519.KeyAgreement.PrivateKey

/// HandshakeState of the Noise Protocol Framework, revision 34, §5.3: patterns NN and NNpsk0, 25519, ChaChaPoly,
/// SHA-256.
public struct NoiseHandshake: Sendable {
  /// The initiator sends the first message: the receiver of a bump, or the peer that opened a multipeer connection.
  public enum Role: Sendable { case initiator, responder }
  private enum Token { case e, ee, psk }
  /// DHLEN.
  private static let dhLen = 32

  package let role: Role
  private let e: EphemeralKey
  private var re: Curve25519.KeyAgreement.PublicKey?
  private let psk: SymmetricKey?
  private(set) var symmetricState: SymmetricState
  private var messagePatterns: [[Token]]

  /// Initialize(handshake_pattern, initiator, prologue, …).
  ///
  /// - Parameters:
  ///   - ephemeral: this end's ephemeral key, fresh for every connection.
  ///   - psk: 32 bytes that both ends know, for NNpsk0; `nil` for NN.
  public init(role: Role, prologue: [UInt8], ephemeral: EphemeralKey, psk: SymmetricKey? = nil) {
    precondition(psk.map { $0.bitCount == 256 } ?? true)
    (self.role, e, self.psk) = (role, ephemeral, psk)
    // NN (§7.4): `-> e`, `<- e, ee`. NNpsk0 (§9.4): `-> psk, e`, `<- e, ee`.
    messagePatterns = [psk == nil ? [.e] : [.psk, .e], [.e, .ee]]
    symmetricState = SymmetricState(protocolName: "Noise_NN\(psk == nil ? "" : "psk0")_25519_ChaChaPoly_SHA256")
    symmetricState.mixHash(prologue)
  }

  /// The handshake hash (§11.2), 32 bytes: after both messages, the same at both ends and unique to them.
  public var handshakeHash: [UInt8] { symmetricState.h }

  /// The chaining key after both messages, from which a protocol derives further keys. It is a secret of both ends.
  package var chainingKey: SymmetricKey { symmetricState.ck }

  /// The other end's ephemeral key, once it is known.
  public var remoteEphemeral: [UInt8]? { re.map { Array($0.rawRepresentation) } }

  /// WriteMessage(payload).
  public mutating func writeMessage(_ payload: [UInt8] = []) throws -> [UInt8] {
    try processTokens(e.publicKey)
    return e.publicKey.rawRepresentation + (try symmetricState.encryptAndHash(payload))
  }

  /// ReadMessage(message). Returns the payload.
  public mutating func readMessage(_ message: [UInt8]) throws -> [UInt8] {
    guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: message.prefix(Self.dhLen)) else {
      throw NoiseError(.handshake, "a handshake message that is too short")
    }
    re = key
    try processTokens(key)
    return try symmetricState.decryptAndHash(Array(message.dropFirst(Self.dhLen)))
  }

  /// Split(), after both messages.
  func split() throws -> (send: CipherState, receive: CipherState) {
    guard messagePatterns.isEmpty else { throw NoiseError(.handshake, "the handshake is not over") }
    let (initiator, responder) = symmetricState.split()
    return role == .initiator ? (initiator, responder) : (responder, initiator)
  }

  /// Processes the tokens of the next message pattern, in the same way at both ends (§5.3).
  ///
  /// - Parameter publicKey: the writer's key. Each message of these patterns has one `e`, and begins with it.
  private mutating func processTokens(_ publicKey: Curve25519.KeyAgreement.PublicKey) throws {
    guard !messagePatterns.isEmpty else { throw NoiseError(.handshake, "the handshake is over") }
    for token in messagePatterns.removeFirst() {
      switch token {
      case .e:
        symmetricState.mixHash(Array(publicKey.rawRepresentation))
        // A psk handshake calls MixKey(e.public_key) too (§9.2).
        if psk != nil { symmetricState.mixKey(SymmetricKey(data: publicKey.rawRepresentation)) }
      case .ee: symmetricState.mixKey(try dh())
      case .psk: if let psk { symmetricState.mixKeyAndHash(psk) }
      }
    }
  }

  /// DH(e, re) (§12.1). swift-crypto returns zero for a point of low order, so this checks for it.
  private func dh() throws -> SymmetricKey {
    guard let re else { throw NoiseError(.handshake, "a key that is not there yet") }
    let output = try e.sharedSecretFromKeyAgreement(with: re).withUnsafeBytes(SymmetricKey.init(data:))
    guard output != SymmetricKey(data: [UInt8](repeating: 0, count: Self.dhLen)) else {
      throw NoiseError(.lowOrderKey, "a key agreement that gives zero")
    }
    return output
  }
}
