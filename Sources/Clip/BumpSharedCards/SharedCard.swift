import Crypto

/// A shared card as a store keeps it: encrypted, under a random name, until it expires.
///
/// It is encrypted with ChaCha20-Poly1305 (RFC 8439). Name and expiry are authenticated too: a store can neither give
/// out another card under this name nor extend the card's time without its reader noticing.
public struct SharedCard: Hashable, Sendable {
  /// The greatest size of a card in bytes.
  public static let limit = 262_144
  /// How long a card is shared, in seconds.
  public static let lifetime: Int64 = 86_400
  /// The size of the tag that Poly1305 adds, in bytes.
  static let tagCount = 16

  /// The name of the card.
  public let id: SharedCardID
  /// When the card expires, in seconds since 1970, by the clock of the store that gives it out.
  public let expiresAt: Int64
  /// The encrypted card and the tag.
  public let ciphertext: [UInt8]

  /// Encrypts a card.
  ///
  /// - Parameters:
  ///   - key: a key that was made for this card. A second card with the same key would expose both.
  ///   - now: the time in seconds since 1970, by the store's clock.
  /// - Throws: `SharedCardError`, `empty` or `tooLarge`.
  public init(
    sealing card: [UInt8], as id: SharedCardID, with key: SharedCardKey, at now: Int64
  ) throws(SharedCardError) {
    guard !card.isEmpty else { throw SharedCardError(.empty) }
    guard card.count <= Self.limit else { throw SharedCardError(.tooLarge) }
    (self.id, expiresAt) = (id, now + Self.lifetime)
    do {
      let box = try ChaChaPoly.seal(
        card, using: key.key, nonce: try Self.nonce, authenticating: Self.authenticated(id, expiresAt))
      ciphertext = Array(box.ciphertext) + Array(box.tag)
    } catch {
      // Never reached: swift-crypto encrypts any bytes with a key of 32 bytes.
      throw SharedCardError(.notAuthentic)
    }
  }

  /// Decrypts the card.
  ///
  /// - Throws: `SharedCardError`, `notAuthentic` if the key is another card's, or if anything in the record was
  ///   changed.
  public func opened(with key: SharedCardKey) throws(SharedCardError) -> [UInt8] {
    do {
      let box = try ChaChaPoly.SealedBox(
        nonce: try Self.nonce, ciphertext: ciphertext.dropLast(Self.tagCount), tag: ciphertext.suffix(Self.tagCount))
      return Array(try ChaChaPoly.open(box, using: key.key, authenticating: Self.authenticated(id, expiresAt)))
    } catch {
      throw SharedCardError(.notAuthentic)
    }
  }

  /// Returns whether the card has expired at a time in seconds since 1970.
  public func hasExpired(at now: Int64) -> Bool { now >= expiresAt }

  /// Twelve zeros, since each key encrypts one message.
  private static var nonce: ChaChaPoly.Nonce {
    get throws { try ChaChaPoly.Nonce(data: [UInt8](repeating: 0, count: 12)) }
  }

  private static func authenticated(_ id: SharedCardID, _ expiresAt: Int64) -> [UInt8] {
    mark + id.bytes + bigEndian(expiresAt)
  }

  private static let mark = Array("bumpcard".utf8) + [1]

  private static func bigEndian(_ integer: Int64) -> [UInt8] { withUnsafeBytes(of: integer.bigEndian, Array.init) }
}

extension SharedCard {
  /// The size of a record before its ciphertext, in bytes.
  static let headCount = 9 + 16 + 8
  /// The greatest size of a record in bytes.
  public static let recordLimit = headCount + limit + tagCount

  /// The record as stored and sent: the word `bumpcard`, the byte 1, the UUID, `expiresAt` in 8 bytes, big-endian, and
  /// the ciphertext.
  public var record: [UInt8] { Self.authenticated(id, expiresAt) + ciphertext }

  /// Reads a record. Only `opened` shows whether the ciphertext is complete.
  ///
  /// - Parameter id: the name under which the record was found.
  /// - Throws: `SharedCardError`, `damaged` unless the bytes have the form of a record with that name.
  public init(record: [UInt8], named id: SharedCardID) throws(SharedCardError) {
    guard
      record.count > Self.headCount + Self.tagCount, record.count <= Self.recordLimit,
      let expiresAt = Self.expiry(inHead: record, named: id)
    else { throw SharedCardError(.damaged) }
    self.init(id: id, expiresAt: expiresAt, ciphertext: Array(record.dropFirst(Self.headCount)))
  }

  private init(id: SharedCardID, expiresAt: Int64, ciphertext: [UInt8]) {
    (self.id, self.expiresAt, self.ciphertext) = (id, expiresAt, ciphertext)
  }

  /// Returns the expiry in the head of a record; `nil` unless it is the head of a record with that name.
  static func expiry(inHead head: [UInt8], named id: SharedCardID) -> Int64? {
    guard head.count >= headCount, head.starts(with: mark + id.bytes) else { return nil }
    let expiresAt = head[25..<33].reduce(0) { $0 << 8 | UInt64($1) }
    return Int64(exactly: expiresAt)
  }
}
