import CSecp256k1

/// Signatures of BIP-340, by libsecp256k1.
enum Schnorr {
  /// The library's context. Nothing changes it after it was made, so any number of threads may read it (secp256k1.h).
  /// It is not blinded, since nothing secret is computed with it.
  private struct Context: @unchecked Sendable {
    let pointer: OpaquePointer

    init() {
      guard let pointer = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_VERIFY)) else {
        preconditionFailure("libsecp256k1 made no context")
      }
      self.pointer = pointer
    }
  }

  private static let context = Context()

  /// Returns whether a signature of 64 bytes over a message is the key's.
  static func isValid(_ signature: [UInt8], of message: [UInt8], by key: NostrKey) -> Bool {
    guard signature.count == 64 else { return false }
    var point = secp256k1_xonly_pubkey()
    return secp256k1_xonly_pubkey_parse(context.pointer, &point, key.bytes) == 1
      && secp256k1_schnorrsig_verify(context.pointer, signature, message, message.count, &point) == 1
  }
}
