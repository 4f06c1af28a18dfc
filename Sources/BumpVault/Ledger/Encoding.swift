import BumpWallet
import Crypto

/// Bytes of fixed places: what is hashed of journal entries and batches. Integers are big-endian.
struct Encoding {
  private(set) var bytes: [UInt8]

  /// - Parameter name: what is encoded, and in which version. A zero follows it.
  init(_ name: String) {
    bytes = Array(name.utf8) + [0]
  }

  mutating func append(_ integer: some FixedWidthInteger) {
    withUnsafeBytes(of: integer.bigEndian) { bytes += $0 }
  }

  mutating func append(_ other: some Sequence<UInt8>) { bytes += other }

  /// SHA-256.
  var hash: Bytes32 {
    guard let hash = Bytes32(Array(SHA256.hash(data: bytes))) else { preconditionFailure("SHA-256 has 32 bytes") }
    return hash
  }
}
