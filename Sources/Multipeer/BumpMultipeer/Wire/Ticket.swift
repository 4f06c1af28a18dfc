import BumpClaims
public import BumpText
public import Crypto

/// What two members of a session share before they connect: a name, which is sent in clear, and a key, which is not. A
/// ticket is new for each pair, and valid for one link.
public struct Ticket: Hashable, Sendable, Redacted {
  static let idLength = 16
  static let keyLength = 32

  /// The name, 16 random bytes.
  public let id: [UInt8]
  /// The PSK of the link's handshake, 32 random bytes.
  public let key: SymmetricKey

  /// Makes a ticket.
  ///
  /// - Precondition: the id has 16 bytes, the key 32.
  public init(id: [UInt8], key: SymmetricKey) {
    precondition(id.count == Self.idLength && key.bitCount == 8 * Self.keyLength)
    self.id = id
    self.key = key
  }

  /// Draws a ticket.
  public init(using generator: inout some RandomNumberGenerator) {
    self.init(id: generator.bytes(Self.idLength), key: SymmetricKey(data: generator.bytes(Self.keyLength)))
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
