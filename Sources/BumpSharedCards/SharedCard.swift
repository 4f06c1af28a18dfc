import Crypto

/// A card that was shared, as a store keeps it: ciphertext, under a random name, until a time.
///
/// It is encrypted by ChaCha20-Poly1305 (RFC 8439). Name and time are authenticated with it, so that a store can neither
/// give one card for another nor prolong one without its reader noticing.
public struct SharedCard: Hashable, Sendable {
  /// Bytes of a card, at most.
  public static let limit = 262_144
  /// How long a card is shared, in seconds.
  public static let lifetime: Int64 = 86_400
  /// What Poly1305 adds.
  static let tagCount = 16

  public let id: SharedCardID
  /// Seconds since 1970. At this time the card is gone, by the clock of whoever gives it out.
  public let expiresAt: Int64
  /// The card and the tag.
  public let ciphertext: [UInt8]

  /// Encrypts a card.
  ///
  /// - Parameters:
  ///   - key: one that was made for this card. A second card with it would give both away.
  ///   - now: seconds since 1970, by the store's clock.
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
      // swift-crypto seals any bytes with a key of 32.
      throw SharedCardError(.notAuthentic)
    }
  }

  /// Decrypts the card.
  ///
  /// - Throws: `SharedCardError`, `notAuthentic` where the key is another one's, or anything of the record was changed.
  public func opened(with key: SharedCardKey) throws(SharedCardError) -> [UInt8] {
    do {
      let box = try ChaChaPoly.SealedBox(
        nonce: try Self.nonce, ciphertext: ciphertext.dropLast(Self.tagCount), tag: ciphertext.suffix(Self.tagCount))
      return Array(try ChaChaPoly.open(box, using: key.key, authenticating: Self.authenticated(id, expiresAt)))
    } catch {
      throw SharedCardError(.notAuthentic)
    }
  }

  public func hasExpired(at now: Int64) -> Bool { now >= expiresAt }

  /// Zeros: each key encrypts one message.
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
  /// Bytes of a record before its ciphertext.
  static let headCount = 9 + 16 + 8
  /// Bytes of a record, at most.
  public static let recordLimit = headCount + limit + tagCount

  /// The record as it is stored and sent: the word `bumpcard`, 1, the UUID, `expiresAt` in 8 bytes, big-endian, and the
  /// ciphertext.
  public var record: [UInt8] { Self.authenticated(id, expiresAt) + ciphertext }

  /// Reads a record.
  ///
  /// - Parameter id: the name under which it was found.
  /// - Throws: `SharedCardError`, `damaged` unless it is a whole record of that name.
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

  /// The time in the beginning of a record; `nil` unless it is that of a record of that name.
  static func expiry(inHead head: [UInt8], named id: SharedCardID) -> Int64? {
    guard head.count >= headCount, head.starts(with: mark + id.bytes) else { return nil }
    let expiresAt = head[25..<33].reduce(0) { $0 << 8 | UInt64($1) }
    return Int64(exactly: expiresAt)
  }
}
