import BumpWallet
import Samples

/// Keys and digests that are the same in every run.
enum Seeded {
  static func bytes(_ seed: Int) -> [UInt8] {
    var generator = SplitMix64(seed: UInt64(seed))
    return generator.bytes(32)
  }

  static func key(_ seed: Int) throws -> PrivateKey { try PrivateKey(bytes(seed)) }
  static func digest(_ seed: Int) -> Bytes32 { Keccak256.hash(bytes(seed)) }
}

/// n / 2, n being the order of secp256k1.
let halfOrder = bytes("7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0")

/// A big-endian integer plus a small one.
func adding(_ summand: Int, to integer: [UInt8]) -> [UInt8] {
  var carry = summand
  return integer.reversed().map { byte in
    let sum = Int(byte) + carry
    carry = sum >> 8
    return UInt8(sum & 0xFF)
  }.reversed()
}
