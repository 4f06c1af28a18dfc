import CSodium
import Crypto

/// CPace's group G: ristretto255 (RFC 9496) by libsodium, in constant time. The functions have the draft's names.
enum Ristretto255 {
  /// The length of a scalar and of an encoded element, in bytes.
  private static let length = Int(crypto_core_ristretto255_BYTES)

  /// element_derivation(…): maps 64 uniform bytes to an encoded element (RFC 9496 §4.3.4).
  static func elementDerivation(_ uniform: SHA512.Digest) -> [UInt8] {
    var element = [UInt8](repeating: 0, count: length)
    crypto_core_ristretto255_from_hash(&element, Array(uniform))
    return element
  }

  /// sample_scalar(): reduces 64 uniform bytes modulo the order of the group.
  static func sampleScalar(_ uniform: SymmetricKey) -> SymmetricKey {
    precondition(uniform.bitCount == 8 * Int(crypto_core_ristretto255_NONREDUCEDSCALARBYTES))
    var scalar = [UInt8](repeating: 0, count: length)
    defer { sodium_memzero(&scalar, length) }
    _ = uniform.withUnsafeBytes { $0.baseAddress.map { crypto_core_ristretto255_scalar_reduce(&scalar, $0) } }
    return SymmetricKey(data: scalar)
  }

  /// scalar_mult_vfy(y, X) and, since generators are encoded here too, scalar_mult(y, g).
  ///
  /// - Throws: `SecureChannelError.lowOrderKey` for G.I: X is not the encoding of an element, or the result is the
  ///   identity.
  static func scalarMultVfy(_ y: SymmetricKey, _ x: [UInt8]) throws -> SymmetricKey {
    var product = [UInt8](repeating: 0, count: length)
    defer { sodium_memzero(&product, length) }
    guard
      y.bitCount == 8 * length, x.count == length,
      y.withUnsafeBytes({ $0.baseAddress.map { crypto_scalarmult_ristretto255(&product, $0, x) } }) == 0
    else { throw SecureChannelError(.lowOrderKey, "an invalid share") }
    return SymmetricKey(data: product)
  }
}
