/// An address of NIP-19: the key of `npub…`, or the key and relays of `nprofile…`.
public struct NostrAddress: Hashable, Sendable {
  /// The person's key.
  public let key: NostrKey
  /// The URLs of relays as received, in order. A stranger chose them. None for an `npub`.
  public let relays: [String]

  /// Why a text is not an address.
  public enum Refusal: String, Error, Sendable {
    /// The characters, the case, the checksum or the length is not that of bech32.
    case bech32
    /// The text is bech32 of something else.
    case prefix
    /// The key does not have 32 bytes.
    case length
    /// A field of an `nprofile` reaches beyond the end, a relay is not ASCII, or no field is a key.
    case tlv
    /// The text is a private key, or looks like one. It must be neither shown nor logged.
    case secretKey = "secret-key"
  }

  /// Reads an `npub` or `nprofile`, alone or as a URI: `nostr:npub1…` (NIP-21).
  public init(_ text: String) throws(Refusal) {
    // Checked before the checksum, so that a private key with a typing error is not shown either.
    guard !Self.isLikePrivateKey(text) else { throw .secretKey }
    guard let bech32 = try? Bech32(String(Self.withoutScheme(text))) else { throw .bech32 }
    switch bech32.prefix {
    case "npub":
      guard let key = NostrKey(bech32.bytes) else { throw .length }
      self.init(key: key, relays: [])
    case "nprofile": try self.init(profile: bech32.bytes)
    default: throw .prefix
    }
  }

  /// Returns whether a text is meant as a private key, whole or not. NIP-21 allows none in a URI, and some write one.
  package static func isLikePrivateKey(_ text: String) -> Bool {
    String(decoding: withoutScheme(text).utf8.prefix(5), as: UTF8.self).lowercased() == "nsec1"
  }

  /// Returns an identifier without the scheme `nostr:` of NIP-21. A scheme has no case (RFC 3986 §3.1).
  package static func withoutScheme(_ text: String) -> Substring {
    let scheme = "nostr:"
    let head = String(decoding: text.utf8.prefix(scheme.utf8.count), as: UTF8.self)
    return head.lowercased() == scheme ? Substring(text.utf8.dropFirst(scheme.utf8.count)) : text[...]
  }

  /// Makes an address. The relays are not checked; without any, `text` is an `npub`.
  public init(key: NostrKey, relays: [String]) {
    (self.key, self.relays) = (key, relays)
  }

  /// Reads the fields of an `nprofile`: a type, a length, and that many bytes each. The first key counts. Unknown types
  /// are skipped.
  private init(profile bytes: [UInt8]) throws(Refusal) {
    var (key, relays): (NostrKey?, [String]) = (nil, [])
    var rest = bytes[...]
    while let type = rest.popFirst() {
      guard let count = rest.popFirst(), rest.count >= count else { throw .tlv }
      let value = rest.prefix(Int(count))
      rest = rest.dropFirst(Int(count))
      switch type {
      case 0:
        guard let read = NostrKey(value) else { throw .length }
        key = key ?? read
      case 1:
        guard value.allSatisfy({ $0 < 0x80 }) else { throw .tlv }
        relays.append(String(decoding: value, as: UTF8.self))
      default: break
      }
    }
    guard let key else { throw .tlv }
    self.init(key: key, relays: relays)
  }

  /// The address as a text: an `nprofile` if it has relays, otherwise an `npub`. `nil` if a relay has more than 255
  /// bytes, or is not ASCII.
  public var text: String? {
    guard !relays.isEmpty else { return key.npub }
    guard relays.allSatisfy({ $0.utf8.count < 256 && $0.utf8.allSatisfy { $0 < 0x80 } }) else { return nil }
    let fields = relays.flatMap { relay -> [UInt8] in [1, UInt8(relay.utf8.count)] + Array(relay.utf8) }
    return Bech32("nprofile", [0, 32] + key.bytes + fields).text
  }
}
