import CSecp256k1
import Crypto

/// Calls libsecp256k1 with arrays whose lengths were checked. Its functions take constant time for secret values.
enum Secp256k1 {
  /// The library's tables and its blinding. Once made, it is only read, by any number of threads at once (secp256k1.h).
  private struct Context: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Makes and blinds the context, once for each process. The blinding hides signing keys from measurements such as
    /// timing.
    init() {
      guard let pointer = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_SIGN | SECP256K1_CONTEXT_VERIFY)) else {
        preconditionFailure("libsecp256k1 made no context")
      }
      let isBlinded = SymmetricKey(size: .bits256).withUnsafeBytes { seed in
        seed.assumingMemoryBound(to: UInt8.self).baseAddress.map { secp256k1_context_randomize(pointer, $0) }
      }
      precondition(isBlinded == 1, "libsecp256k1 refused its blinding")
      self.pointer = pointer
    }
  }

  private static let context = Context()

  /// Returns the public key of a private key; `nil` unless it is 32 bytes, for an integer from 1 to n − 1.
  static func publicKey(of key: SymmetricKey) -> PublicKey? {
    var point = secp256k1_pubkey()
    let isMade = withBytes(of: key) { secp256k1_ec_pubkey_create(context.pointer, &point, $0) }
    return isMade == 1 ? publicKey(point) : nil
  }

  /// Returns the signature with RFC 6979's nonce and the lower s: r ‖ s, and the number of its point among those with
  /// that r.
  static func sign(_ digest: Bytes32, with key: SymmetricKey) -> (compact: [UInt8], recoveryID: Int32) {
    var signature = secp256k1_ecdsa_recoverable_signature()
    let isMade = withBytes(of: key) {
      secp256k1_ecdsa_sign_recoverable(context.pointer, &signature, digest.bytes, $0, nil, nil)
    }
    precondition(isMade == 1, "an invalid key")
    var compact = [UInt8](repeating: 0, count: 64)
    var recoveryID: Int32 = 0
    secp256k1_ecdsa_recoverable_signature_serialize_compact(context.pointer, &compact, &recoveryID, &signature)
    return (compact, recoveryID)
  }

  /// Returns the one key for which r ‖ s is a signature of the digest; `nil` if no point has that r, or if the key is
  /// infinity.
  static func recover(_ compact: [UInt8], recoveryID: Int32, _ digest: Bytes32) -> PublicKey? {
    var signature = secp256k1_ecdsa_recoverable_signature()
    var point = secp256k1_pubkey()
    guard
      secp256k1_ecdsa_recoverable_signature_parse_compact(context.pointer, &signature, compact, recoveryID) == 1,
      secp256k1_ecdsa_recover(context.pointer, &point, &signature, digest.bytes) == 1
    else { return nil }
    return publicKey(point)
  }

  private static func publicKey(_ point: secp256k1_pubkey) -> PublicKey {
    var point = point
    var bytes = [UInt8](repeating: 0, count: 65)
    var count = bytes.count
    secp256k1_ec_pubkey_serialize(context.pointer, &bytes, &count, &point, UInt32(SECP256K1_EC_UNCOMPRESSED))
    return PublicKey(bytes: Array(bytes.dropFirst()))
  }

  /// Calls a function with the 32 bytes of a key, without copying them.
  private static func withBytes(of key: SymmetricKey, _ call: (UnsafePointer<UInt8>) -> Int32) -> Int32 {
    key.withUnsafeBytes { bytes in
      guard bytes.count == 32, let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return 0 }
      return call(start)
    }
  }
}
