import Crypto

/// SymmetricState of the Noise Protocol Framework, revision 34, §5.2, with SHA-256 (§12.5).
struct SymmetricState: Sendable {
  /// HASHLEN.
  private static let hashLen = SHA256.byteCount
  private(set) var ck: SymmetricKey
  /// The handshake hash: GetHandshakeHash(), after both messages.
  private(set) var h: [UInt8]
  private var cipherState = CipherState(key: nil)

  /// InitializeSymmetric(protocol_name).
  init(protocolName: String) {
    let name = Array(protocolName.utf8)
    let isLong = name.count > Self.hashLen
    h = isLong ? Array(SHA256.hash(data: name)) : name + [UInt8](repeating: 0, count: Self.hashLen - name.count)
    ck = SymmetricKey(data: h)
  }

  /// MixKey(input_key_material).
  mutating func mixKey(_ inputKeyMaterial: SymmetricKey) {
    let output = hkdf(inputKeyMaterial, 2)
    ck = output[0]
    cipherState = CipherState(key: output[1])
  }

  /// MixHash(data).
  mutating func mixHash(_ data: [UInt8]) { h = Array(SHA256.hash(data: h + data)) }

  /// MixKeyAndHash(input_key_material).
  mutating func mixKeyAndHash(_ inputKeyMaterial: SymmetricKey) {
    let output = hkdf(inputKeyMaterial, 3)
    ck = output[0]
    mixHash(output[1].withUnsafeBytes(Array.init))
    cipherState = CipherState(key: output[2])
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
    let output = hkdf(SymmetricKey(data: []), 2)
    return (CipherState(key: output[0]), CipherState(key: output[1]))
  }

  /// HKDF(chaining_key, input_key_material, num_outputs) of §4.3: RFC 5869 with the chaining key as salt and no info.
  private func hkdf(_ inputKeyMaterial: SymmetricKey, _ numOutputs: Int) -> [SymmetricKey] {
    let output = ck.withUnsafeBytes {
      HKDF<SHA256>.deriveKey(inputKeyMaterial: inputKeyMaterial, salt: $0, outputByteCount: numOutputs * Self.hashLen)
    }
    return output.withUnsafeBytes { bytes in
      (0..<numOutputs).map { SymmetricKey(data: bytes.dropFirst($0 * Self.hashLen).prefix(Self.hashLen)) }
    }
  }
}
