import Crypto
import FoundationEssentials

/// CipherState of the Noise Protocol Framework, revision 34, §5.1, with ChaChaPoly (§12.3).
struct CipherState: Sendable {
  private var k: SymmetricKey?
  private var n: UInt64 = 0

  /// InitializeKey(key).
  init(key: SymmetricKey?) { k = key }

  /// EncryptWithAd(ad, plaintext).
  mutating func encryptWithAd(_ ad: [UInt8], _ plaintext: [UInt8]) throws -> [UInt8] {
    guard let k else { return plaintext }
    let box = try ChaChaPoly.seal(plaintext, using: k, nonce: nonce(), authenticating: ad)
    n += 1
    return Array(box.ciphertext + box.tag)
  }

  /// DecryptWithAd(ad, ciphertext). A failure does not advance the nonce.
  mutating func decryptWithAd(_ ad: [UInt8], _ ciphertext: [UInt8]) throws -> [UInt8] {
    guard let k else { return ciphertext }
    let nonce = try nonce()
    guard
      let plaintext = try? ChaChaPoly.open(.init(combined: nonce + ciphertext), using: k, authenticating: ad)
    else { throw NoiseError(.decryption, "a message that this session's key did not make") }
    n += 1
    return Array(plaintext)
  }

  /// 32 zero bits, then n in little-endian order (§12.3). The last value is reserved (§5.1).
  private func nonce() throws -> ChaChaPoly.Nonce {
    guard n != .max else { throw NoiseError(.nonceExhausted, "too many messages under one key") }
    return try ChaChaPoly.Nonce(data: [0, 0, 0, 0] + withUnsafeBytes(of: n.littleEndian, Array.init))
  }
}
