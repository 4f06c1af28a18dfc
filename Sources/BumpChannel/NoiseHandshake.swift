public import Crypto

/// An X25519 private key (RFC 7748).
public typealias EphemeralKey = Curve25519.KeyAgreement.PrivateKey

/// HandshakeState of the Noise Protocol Framework, revision 34, §5.3: patterns NN and NNpsk0, 25519, ChaChaPoly, SHA-256.
public struct NoiseHandshake: Sendable {
  public enum Role: Sendable { case initiator, responder }
  private enum Token { case e, ee, psk }

  /// NN (§7.4): `-> e`, `<- e, ee`. NNpsk0 (§9.4): `-> psk, e`, `<- e, ee`.
  private static func messagePatterns(isPSK: Bool) -> [[Token]] { [isPSK ? [.psk, .e] : [.e], [.e, .ee]] }

  private let role: Role
  private let e: EphemeralKey
  private var re: Curve25519.KeyAgreement.PublicKey?
  private let psk: SymmetricKey?
  private var symmetricState: SymmetricState
  private var messagePatterns: ArraySlice<[Token]>

  /// Initialize(handshake_pattern, initiator, prologue, …).
  ///
  /// - Parameters:
  ///   - ephemeral: this end's ephemeral key, fresh for every connection.
  ///   - psk: 32 bytes that both ends know, for NNpsk0; `nil` for NN.
  public init(
    role: Role, prologue: [UInt8], ephemeral: EphemeralKey, psk: SymmetricKey? = nil
  ) {
    precondition(psk.map { $0.bitCount == 256 } ?? true)
    self.role = role
    self.psk = psk
    e = ephemeral
    symmetricState = SymmetricState(
      protocolName: "Noise_NN\(psk == nil ? "" : "psk0")_25519_ChaChaPoly_SHA256")
    messagePatterns = Self.messagePatterns(isPSK: psk != nil)[...]
    symmetricState.mixHash(prologue)
  }

  /// The other end's ephemeral key, once it is known.
  public var remoteEphemeral: [UInt8]? { re.map { Array($0.rawRepresentation) } }

  /// WriteMessage(payload).
  public mutating func writeMessage(_ payload: [UInt8] = []) throws -> [UInt8] {
    var message: [UInt8] = []
    for token in try nextPattern() {
      switch token {
      case .e:
        let publicKey = Array(e.publicKey.rawRepresentation)
        message += publicKey
        mix(ephemeral: publicKey)
      case .ee:
        try mixKeyAgreement()
      case .psk:
        if let psk { symmetricState.mixKeyAndHash(psk) }
      }
    }
    return message + (try symmetricState.encryptAndHash(payload))
  }

  /// ReadMessage(message): the payload.
  public mutating func readMessage(_ message: [UInt8]) throws -> [UInt8] {
    var rest = message[...]
    for token in try nextPattern() {
      switch token {
      case .e:
        let publicKey = Array(rest.prefix(32))
        guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey) else {
          throw SecureChannelError(.handshake, "a handshake message that is too short")
        }
        rest = rest.dropFirst(publicKey.count)
        re = key
        mix(ephemeral: publicKey)
      case .ee:
        try mixKeyAgreement()
      case .psk:
        if let psk { symmetricState.mixKeyAndHash(psk) }
      }
    }
    return try symmetricState.decryptAndHash(Array(rest))
  }

  /// Split(), once both messages have passed: the cipher states, the handshake hash and the last chaining key.
  func finish() throws -> (send: CipherState, receive: CipherState, h: [UInt8], ck: SymmetricKey) {
    guard messagePatterns.isEmpty else { throw SecureChannelError(.handshake, "the handshake is not over") }
    let (initiator, responder) = symmetricState.split()
    return switch role {
    case .initiator: (initiator, responder, symmetricState.h, symmetricState.ck)
    case .responder: (responder, initiator, symmetricState.h, symmetricState.ck)
    }
  }

  private mutating func nextPattern() throws -> [Token] {
    guard let pattern = messagePatterns.popFirst() else {
      throw SecureChannelError(.handshake, "the handshake is over")
    }
    return pattern
  }

  /// MixHash(e.public_key), and in a psk handshake MixKey(e.public_key) too (§9.2).
  private mutating func mix(ephemeral publicKey: [UInt8]) {
    symmetricState.mixHash(publicKey)
    if psk != nil { symmetricState.mixKey(SymmetricKey(data: publicKey)) }
  }

  /// MixKey(DH(e, re)). swift-crypto returns zero for a point of low order without complaint, so it is refused here.
  private mutating func mixKeyAgreement() throws {
    guard let re else { throw SecureChannelError(.handshake, "a key that is not there yet") }
    let shared = try e.sharedSecretFromKeyAgreement(with: re).withUnsafeBytes(SymmetricKey.init(data:))
    guard shared != SymmetricKey(data: [UInt8](repeating: 0, count: 32)) else {
      throw SecureChannelError(.lowOrderKey, "a key agreement that gives zero")
    }
    symmetricState.mixKey(shared)
  }
}
