import Crypto
import Samples
import Testing

/// The library calls that all else here is built on, against the vectors of their standards.
@Suite struct PrimitiveTests {
  /// RFC 4231, test cases 1 to 3.
  @Test(arguments: [
    (
      String(repeating: "0b", count: 20), "4869205468657265",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      String(repeating: "aa", count: 20), String(repeating: "dd", count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
  ])
  func `HMAC-SHA256 is RFC 4231's`(key: String, data: String, mac: String) {
    let made = HMAC<SHA256>.authenticationCode(for: bytes(data), using: SymmetricKey(data: bytes(key)))
    #expect(Array(made) == bytes(mac))
  }

  /// RFC 5869, appendices A.1 and A.3.
  @Test(arguments: [
    (
      "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9",
      "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
    ),
    ("", "", "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"),
  ])
  func `HKDF-SHA256 is RFC 5869's`(salt: String, info: String, okm: String) {
    let ikm = SymmetricKey(data: [UInt8](repeating: 0x0B, count: 22))
    let made = HKDF<SHA256>.deriveKey(inputKeyMaterial: ikm, salt: bytes(salt), info: bytes(info), outputByteCount: 42)
    #expect(made.withUnsafeBytes(Array.init) == bytes(okm))
    if salt.isEmpty {
      let unsalted = HKDF<SHA256>.deriveKey(inputKeyMaterial: ikm, info: bytes(info), outputByteCount: 42)
      #expect(unsalted == made, "no salt is the empty salt")
    }
  }
}
