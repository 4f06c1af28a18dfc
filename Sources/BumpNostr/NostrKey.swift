/// The public key of a person on Nostr: the x coordinate of a point of secp256k1 (BIP-340), 32 bytes.
///
/// Whether there is such a point is known once a signature is verified.
public struct NostrKey: Hashable, Sendable, CustomStringConvertible {
  public let bytes: [UInt8]

  /// - Returns: `nil` unless there are 32 bytes.
  public init?(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
    guard self.bytes.count == 32 else { return nil }
  }

  /// As events have it: 64 lower-case hex digits.
  public var hex: String { Hex.text(bytes) }

  /// As people have it: bech32 with the prefix `npub` (NIP-19).
  public var npub: String { Bech32("npub", bytes).text }

  public var description: String { npub }
}
