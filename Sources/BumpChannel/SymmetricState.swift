import Crypto

/// SymmetricState of the Noise Protocol Framework, revision 34, §5.2, with SHA-256.
struct SymmetricState: Sendable {
  private(set) var ck: SymmetricKey
  private(set) var h: [UInt8]
  private var cipherState = CipherState(key: nil)

  /// InitializeSymmetric(protocol_name).
  init(protocolName: String) {
    let name = Array(protocolName.utf8)
    let length = SHA256.byteCount
    h =
      name.count <= length
      ? name + [UInt8](repeating: 0, count: length - name.count) : Array(SHA256.hash(data: name))
    ck = SymmetricKey(data: h)
  }

  /// MixKey(input_key_material).
  mutating func mixKey(_ inputKeyMaterial: SymmetricKey) {
    let (ck, k) = hkdf(inputKeyMaterial)
    self.ck = ck
    cipherState = CipherState(key: k)
  }

  /// MixHash(data).
  mutating func mixHash(_ data: [UInt8]) {
    h = Array(SHA256.hash(data: h + data))
  }

  /// EncryptAndHash(plaintext).
  mutating func encryptAndHash(_ plaintext: [UInt8]) throws -> [UInt8] {
    let ciphertext = try cipherState.encryptWithAd(h, plaintext)
    mixHash(ciphertext)
    return ciphertext
  }

  /// DecryptAndHash(ciphertext).
  mutating func decryptAndHash(_ ciphertext: [UInt8]) throws -> [UInt8] {
    let plaintext = try cipherState.decryptWithAd(h, ciphertext)
    mixHash(ciphertext)
    return plaintext
  }

  /// Split(): the initiator's sending key, then the responder's.
  func split() -> (CipherState, CipherState) {
    let (k1, k2) = hkdf(SymmetricKey(data: []))
    return (CipherState(key: k1), CipherState(key: k2))
  }

  /// HKDF(chaining_key, input_key_material, 2) of §4.3: RFC 5869 with the chaining key as salt and no info.
  private func hkdf(_ inputKeyMaterial: SymmetricKey) -> (SymmetricKey, SymmetricKey) {
    let output = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: inputKeyMaterial, salt: ck.withUnsafeBytes(Array.init), info: [UInt8](),
      outputByteCount: 2 * SHA256.byteCount)
    return output.withUnsafeBytes { bytes in
      (SymmetricKey(data: bytes.prefix(SHA256.byteCount)), SymmetricKey(data: bytes.suffix(SHA256.byteCount)))
    }
  }
}
