import CSodium

/// The group ristretto255 (RFC 9496), in libsodium's constant time.
enum Ristretto255 {
  static let elementLength = Int(crypto_core_ristretto255_BYTES)
  static let scalarLength = Int(crypto_core_ristretto255_SCALARBYTES)
  static let wideScalarLength = Int(crypto_core_ristretto255_NONREDUCEDSCALARBYTES)

  /// The one-way map of 64 uniform bytes to an element.
  static func element(fromUniform bytes: [UInt8]) -> [UInt8] {
    precondition(bytes.count == Int(crypto_core_ristretto255_HASHBYTES))
    var element = [UInt8](repeating: 0, count: elementLength)
    crypto_core_ristretto255_from_hash(&element, bytes)
    return element
  }

  /// 64 uniform bytes modulo the order of the group.
  static func scalar(fromUniform bytes: [UInt8]) -> [UInt8] {
    precondition(bytes.count == wideScalarLength)
    var scalar = [UInt8](repeating: 0, count: scalarLength)
    crypto_core_ristretto255_scalar_reduce(&scalar, bytes)
    return scalar
  }

  /// `scalar · element`; `nil` where the encoding is not an element's, or the result is the identity.
  static func multiply(_ scalar: [UInt8], _ element: [UInt8]) -> [UInt8]? {
    guard scalar.count == scalarLength, element.count == elementLength else { return nil }
    var product = [UInt8](repeating: 0, count: elementLength)
    return crypto_scalarmult_ristretto255(&product, scalar, element) == 0 ? product : nil
  }
}
