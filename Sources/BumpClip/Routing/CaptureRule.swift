import BumpNostr

/// The rule for a captured value.
public struct CaptureRule: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A Nostr key (NIP-19): bech32 of 32 bytes, captured in lower case.
    case npub
    /// A UUID, captured in upper case.
    case uuid
    /// A handle or a DID of the AT protocol.
    case name
    /// A record key of the AT protocol.
    case recordKey
    /// One or more of these characters, at most `limit`.
    case characters(ASCIISet, limit: Int)
    /// One or more bytes of UTF-8, at most `limit`, without control characters other than LF and TAB.
    case text(limit: Int)
  }

  /// The reason for rejecting a value.
  public struct Reason: Hashable, Sendable, CustomStringConvertible {
    /// A word for programs, such as `npub`.
    public let description: String
    init(_ word: String) { description = word }

    /// A private key in place of a public one. The URL must be neither shown nor logged.
    public static let secretKey = Reason("secret-key")
  }

  let kind: Kind
  let reason: Reason

  /// The rules that have a name in a product's file.
  static let named: [String: CaptureRule] = [
    "npub": CaptureRule(kind: .npub, reason: Reason("npub")), "uuid": CaptureRule(kind: .uuid, reason: Reason("uuid")),
    "name": CaptureRule(kind: .name, reason: Reason("name")),
    "rkey": CaptureRule(kind: .recordKey, reason: Reason("rkey")),
  ]

  /// Returns a value in the form in which it is captured.
  func captured(_ bytes: some Collection<UInt8>) throws(Refusal) -> String {
    switch kind {
    case .npub: return try Self.npub(bytes)
    case .uuid: if let uuid = Self.uuid(bytes) { return uuid }
    case .name where ATName.isHandle(bytes) || ATName.isDID(bytes): return String(decoding: bytes, as: UTF8.self)
    case .recordKey where Self.isRecordKey(bytes): return String(decoding: bytes, as: UTF8.self)
    case .characters(let set, let limit) where (1...limit).contains(bytes.count) && bytes.allSatisfy(set.contains):
      return String(decoding: bytes, as: UTF8.self)
    case .text(let limit) where (1...limit).contains(bytes.count):
      if let text = String(validating: bytes, as: UTF8.self), !text.unicodeScalars.contains(where: Self.isControl) {
        return text
      }
    default: break
    }
    throw Refusal(reason: reason)
  }

  struct Refusal: Error, Hashable { let reason: Reason }

  /// Returns whether a scalar is of the general category Cc, and neither LF nor TAB.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
  }

  private static func npub(_ bytes: some Collection<UInt8>) throws(Refusal) -> String {
    do throws(NostrAddress.Refusal) {
      let text = String(decoding: bytes, as: UTF8.self)
      _ = try NostrAddress(text)
      guard bytes.starts(with: "npub".utf8) || bytes.starts(with: "NPUB".utf8) else { throw .prefix }
      // Bech32 has one text for a key, but for its case.
      return text.lowercased()
    } catch {
      throw Refusal(reason: error == .secretKey ? .secretKey : Reason("npub"))
    }
  }

  /// Returns a UUID (RFC 9562 §4) in upper case, from one in either case.
  private static func uuid(_ bytes: some Collection<UInt8>) -> String? {
    guard bytes.count == 36 else { return nil }
    for (index, byte) in bytes.enumerated() {
      if [8, 13, 18, 23].contains(index) {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard ASCIISet.hex.contains(byte) else { return nil }
      }
    }
    return String(decoding: bytes, as: UTF8.self).uppercased()
  }

  private static func isRecordKey(_ bytes: some Collection<UInt8>) -> Bool {
    (1...512).contains(bytes.count) && bytes.allSatisfy(ASCIISet.recordKey.contains)
      && !bytes.elementsEqual(".".utf8) && !bytes.elementsEqual("..".utf8)
  }
}
