/// The public key of a person on Nostr: the x coordinate of a point of secp256k1 (BIP-340), 32 bytes.
///
/// Whether there is such a point is only known after a signature was verified.
public struct NostrKey: Hashable, Sendable, CustomStringConvertible {
  /// The 32 bytes, big-endian.
  public let bytes: [UInt8]

  /// Takes the 32 bytes of a key; `nil` for any other number.
  public init?(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
    guard self.bytes.count == 32 else { return nil }
  }

  /// The key as in events: 64 lower-case hex digits.
  public var hex: String { Hex.text(bytes) }

  /// The key as people write it: bech32 with the prefix `npub` (NIP-19).
  public var npub: String { Bech32("npub", bytes).text }

  public var description: String { npub }
}
