public import BumpText

/// The transport messages of a finished handshake (Noise Protocol Framework, revision 34, §5.3), in order and without
/// associated data.
public struct NoiseTransport: Sendable, Redacted {
  private var send: CipherState
  private var receive: CipherState

  /// Makes the transport of a finished handshake.
  ///
  /// - Throws: `NoiseError.handshake` unless both handshake messages have been processed.
  public init(_ handshake: NoiseHandshake) throws {
    (send, receive) = try handshake.split()
  }

  /// Encrypts a message. The result is 16 bytes longer.
  ///
  /// - Throws: `NoiseError.nonceExhausted` after 2⁶⁴ − 1 messages.
  public mutating func seal(_ message: [UInt8]) throws -> [UInt8] {
    try send.encryptWithAd([], message)
  }

  /// Decrypts a message.
  ///
  /// - Throws: `NoiseError.decryption` if the message is not the next one that the other end sealed.
  public mutating func open(_ message: [UInt8]) throws -> [UInt8] {
    try receive.decryptWithAd([], message)
  }
}
