package import BumpNostr
import CSecp256k1
import FoundationEssentials

/// A person who signs events, with a key of the test's.
package struct NostrAuthor: Sendable {
  private let secret: [UInt8]
  package let key: NostrKey

  /// - Parameter number: the last byte of the private key; not 0.
  package init(_ number: UInt8) {
    self.init(secret: [UInt8](repeating: 0, count: 31) + [number])
  }

  /// - Parameter secret: the private key, 32 bytes.
  package init(secret: [UInt8]) {
    self.secret = secret
    let bytes = Self.withPair(of: secret) { context, pair in
      var point = secp256k1_xonly_pubkey()
      var bytes = [UInt8](repeating: 0, count: 32)
      precondition(secp256k1_keypair_xonly_pub(context, &point, nil, &pair) == 1)
      precondition(secp256k1_xonly_pubkey_serialize(context, &bytes, &point) == 1)
      return bytes
    }
    guard let key = NostrKey(bytes) else { preconditionFailure("32 bytes are a key") }
    self.key = key
  }

  private static func withPair<Result>(
    of secret: [UInt8], _ body: (OpaquePointer, inout secp256k1_keypair) -> Result
  ) -> Result {
    guard let context = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_SIGN)) else {
      preconditionFailure("libsecp256k1 made no context")
    }
    defer { secp256k1_context_destroy(context) }
    var pair = secp256k1_keypair()
    precondition(secp256k1_keypair_create(context, &pair, secret) == 1, "no private key")
    return body(context, &pair)
  }

  /// Signs 32 bytes (BIP-340).
  ///
  /// - Parameter chance: the auxiliary randomness, 32 bytes; zeros unless said.
  package func sign(_ digest: [UInt8], chance: [UInt8] = [UInt8](repeating: 0, count: 32)) -> [UInt8] {
    Self.withPair(of: secret) { context, pair in
      var signature = [UInt8](repeating: 0, count: 64)
      precondition(secp256k1_schnorrsig_sign32(context, &signature, digest, &pair, chance) == 1)
      return signature
    }
  }

  /// An event with its id and signature, as JSON.
  package func event(
    _ content: String, at createdAt: Int64 = 1_700_000_000, kind: Int64 = 0, tags: [[String]] = []
  ) -> SignedEvent {
    let draft = UnverifiedEvent(
      id: [], author: key, createdAt: createdAt, kind: kind, tags: tags, content: content, signature: [])
    let id = draft.computedID
    return SignedEvent(
      id: Self.hex(id), pubkey: key.hex, created_at: createdAt, kind: kind, tags: tags, content: content,
      sig: Self.hex(sign(id)))
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

/// An event as it travels. Its fields may be changed, which nobody has signed.
package struct SignedEvent: Encodable, Sendable {
  package var id: String
  package var pubkey: String
  package var created_at: Int64
  package var kind: Int64
  package var tags: [[String]]
  package var content: String
  package var sig: String

  package var json: String {
    // Strings and integers are always encoded.
    String(decoding: (try? JSONEncoder().encode(self)) ?? Data(), as: UTF8.self)
  }

  /// As a relay sends it.
  package var message: String { #"["EVENT","profile",\#(json)]"# }
}
