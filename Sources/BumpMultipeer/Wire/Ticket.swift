import BumpClaims
public import BumpText
public import Crypto

/// What two members of a session have in common before they connect: a name for it, which travels in clear, and a key,
/// which does not. Fresh for each pair, and good for one link.
public struct Ticket: Hashable, Sendable, Redacted {
  static let idLength = 16
  static let keyLength = 32

  /// Its name, 16 random bytes.
  public let id: [UInt8]
  /// The psk of the link's handshake, 32 random bytes.
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
