import BumpWallet
import Crypto

/// The fixed encoding of journal entries and batches from which their hashes are computed. Integers are big-endian.
struct Encoding {
  private(set) var bytes: [UInt8]

  /// - Parameter name: the kind of the encoded thing, with the version. A zero byte follows it.
  init(_ name: String) {
    bytes = Array(name.utf8) + [0]
  }

  mutating func append(_ integer: some FixedWidthInteger) {
    withUnsafeBytes(of: integer.bigEndian) { bytes += $0 }
  }

  mutating func append(_ other: some Sequence<UInt8>) { bytes += other }

  /// The SHA-256 of the bytes.
  var hash: Bytes32 {
    guard let hash = Bytes32(Array(SHA256.hash(data: bytes))) else { preconditionFailure("SHA-256 has 32 bytes") }
    return hash
  }
}
