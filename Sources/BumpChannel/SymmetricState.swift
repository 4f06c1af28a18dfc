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
    let keys = hkdf(inputKeyMaterial, 2)
    ck = keys[0]
    cipherState = CipherState(key: keys[1])
  }

  /// MixHash(data).
  mutating func mixHash(_ data: [UInt8]) {
    h = Array(SHA256.hash(data: h + data))
  }

  /// MixKeyAndHash(input_key_material).
  mutating func mixKeyAndHash(_ inputKeyMaterial: SymmetricKey) {
    let keys = hkdf(inputKeyMaterial, 3)
    ck = keys[0]
    mixHash(keys[1].withUnsafeBytes(Array.init))
    cipherState = CipherState(key: keys[2])
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
    let keys = hkdf(SymmetricKey(data: []), 2)
    return (CipherState(key: keys[0]), CipherState(key: keys[1]))
  }

  /// HKDF(chaining_key, input_key_material, num_outputs) of §4.3: RFC 5869 with the chaining key as salt and no info.
  private func hkdf(_ inputKeyMaterial: SymmetricKey, _ outputs: Int) -> [SymmetricKey] {
    let length = SHA256.byteCount
    let output = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: inputKeyMaterial, salt: ck.withUnsafeBytes(Array.init), info: [UInt8](),
      outputByteCount: outputs * length)
    return output.withUnsafeBytes { bytes in
      (0..<outputs).map { SymmetricKey(data: bytes[$0 * length..<($0 + 1) * length]) }
    }
  }
}
