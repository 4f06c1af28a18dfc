/// A point of secp256k1 other than infinity.
public struct PublicKey: Hashable, Sendable {
  /// x ‖ y, 32 bytes each, big-endian: SEC 1's uncompressed form without its first byte.
  public let bytes: [UInt8]

  /// The key's address: the last 20 bytes of keccak256(x ‖ y).
  public var address: Address { Address(self) }

  /// - Parameter bytes: x ‖ y of a point.
  init(bytes: [UInt8]) {
    self.bytes = bytes
  }
}
