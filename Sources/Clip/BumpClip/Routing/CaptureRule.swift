import BumpNostr

/// The rule for a captured value.
public struct CaptureRule: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A Nostr key (NIP-19): bech32 of 32 bytes, captured in lower case. `nostr:` may be before it (NIP-21), and is
    /// not captured.
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

  /// Checks a value.
  func check(_ bytes: some Collection<UInt8>) throws(Refusal) {
    let isValid =
      switch kind {
      case .npub: try Self.isNpub(bytes)
      case .uuid: Self.isUUID(bytes)
      case .name: ATName.isHandle(bytes) || ATName.isDID(bytes)
      case .recordKey: Self.isRecordKey(bytes)
      case .characters(let set, let limit): (1...limit).contains(bytes.count) && bytes.allSatisfy(set.contains)
      case .text(let limit): (1...limit).contains(bytes.count) && Self.isText(bytes)
      }
    guard isValid else { throw Refusal(reason: reason) }
  }

  struct Refusal: Error, Hashable { let reason: Reason }

  /// Returns a value that was checked in the form in which it is captured.
  func captured(_ bytes: some Collection<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    return switch kind {
    // Bech32 has one text for a key, but for its case.
    case .npub: NostrAddress.withoutScheme(text).lowercased()
    case .uuid: text.uppercased()
    default: text
    }
  }

  /// Returns whether a text is a value in the form in which it is captured.
  func captures(_ text: String) -> Bool { (try? check(text.utf8)) != nil && captured(text.utf8) == text }

  private static func isText(_ bytes: some Collection<UInt8>) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    return !text.unicodeScalars.contains(where: isControl)
  }

  /// Returns whether a scalar is of the general category Cc, and neither LF nor TAB.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
  }

  private static func isNpub(_ bytes: some Collection<UInt8>) throws(Refusal) -> Bool {
    do throws(NostrAddress.Refusal) {
      let text = String(decoding: bytes, as: UTF8.self)
      _ = try NostrAddress(text)
      return NostrAddress.withoutScheme(text).prefix(4).lowercased() == "npub"
    } catch {
      if error == .secretKey { throw Refusal(reason: .secretKey) }
      return false
    }
  }

  /// Returns whether bytes are a UUID (RFC 9562 §4), in either case.
  private static func isUUID(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.count == 36
      && bytes.enumerated().allSatisfy { index, byte in
        switch index {
        case 8, 13, 18, 23: byte == UInt8(ascii: "-")
        default: ASCIISet.hex.contains(byte)
        }
      }
  }

  private static func isRecordKey(_ bytes: some Collection<UInt8>) -> Bool {
    (1...512).contains(bytes.count) && bytes.allSatisfy(ASCIISet.recordKey.contains)
      && !bytes.elementsEqual(".".utf8) && !bytes.elementsEqual("..".utf8)
  }
}
