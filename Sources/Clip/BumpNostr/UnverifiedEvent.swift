import Crypto

/// An event as a relay sends it (NIP-01). Only its form has been checked.
package struct UnverifiedEvent: Sendable {
  package let id: [UInt8]
  package let author: NostrKey
  /// When the event was made, in seconds since 1970, by its author's clock.
  package let createdAt: Int64
  package let kind: Int64
  package let tags: [[String]]
  package let content: String
  /// The signature, 64 bytes.
  package let signature: [UInt8]

  package init(
    id: [UInt8], author: NostrKey, createdAt: Int64, kind: Int64, tags: [[String]], content: String, signature: [UInt8]
  ) {
    (self.id, self.author, self.createdAt, self.kind) = (id, author, createdAt, kind)
    (self.tags, self.content, self.signature) = (tags, content, signature)
  }

  /// The SHA-256 of `[0,author,createdAt,kind,tags,content]` as NIP-01 writes it.
  package var computedID: [UInt8] { Array(SHA256.hash(data: serialized)) }

  /// The text whose hash is the id: without white space, and with seven characters escaped. All others stand for
  /// themselves.
  ///
  /// `JSONEncoder` cannot write this: it escapes other control characters too.
  package var serialized: [UInt8] {
    var bytes = Array("[0,\"\(author.hex)\",\(createdAt),\(kind),[".utf8)
    for (index, tag) in tags.enumerated() {
      bytes += (index == 0 ? "[" : ",[").utf8
      for (index, item) in tag.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.append(item, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    }
    bytes += "],".utf8
    Self.append(content, to: &bytes)
    return bytes + "]".utf8
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case 0x0A: bytes += #"\n"#.utf8
      case 0x22: bytes += #"\""#.utf8
      case 0x5C: bytes += #"\\"#.utf8
      case 0x0D: bytes += #"\r"#.utf8
      case 0x09: bytes += #"\t"#.utf8
      case 0x08: bytes += #"\b"#.utf8
      case 0x0C: bytes += #"\f"#.utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension UnverifiedEvent: Decodable {
  private enum Field: String, CodingKey {
    case id, pubkey, kind, tags, content, sig
    case createdAt = "created_at"
  }

  struct Malformed: Error {}

  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    guard
      let id = Hex.bytes(try fields.decode(String.self, forKey: .id), count: 32),
      let author = Hex.bytes(try fields.decode(String.self, forKey: .pubkey), count: 32).flatMap(NostrKey.init),
      let signature = Hex.bytes(try fields.decode(String.self, forKey: .sig), count: 64)
    else { throw Malformed() }
    (self.id, self.author, self.signature) = (id, author, signature)
    createdAt = try fields.decode(Int64.self, forKey: .createdAt)
    kind = try fields.decode(Int64.self, forKey: .kind)
    tags = try fields.decode([[String]].self, forKey: .tags)
    content = try fields.decode(String.self, forKey: .content)
    guard createdAt >= 0, kind >= 0, !tags.contains([]) else { throw Malformed() }
  }
}
