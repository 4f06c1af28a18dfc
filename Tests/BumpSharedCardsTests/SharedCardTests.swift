import Testing

@testable import BumpSharedCards

/// Cards as ciphertext, and the links to them.
@Suite struct SharedCardTests {
  static let now: Int64 = 1_700_000_000
  static let vcard = Array("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann\r\nN:;Ann;;;\r\nEND:VCARD\r\n".utf8)

  static func id(_ seed: UInt64) -> SharedCardID {
    var generator = Counting(seed)
    return SharedCardID(using: &generator)
  }

  static func refusal<Value>(_ body: () throws(SharedCardError) -> Value) -> SharedCardError.Code? {
    do throws(SharedCardError) {
      _ = try body()
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `a card comes back with its key alone`() throws {
    let key = SharedCardKey()
    let card = try SharedCard(sealing: Self.vcard, as: Self.id(1), with: key, at: Self.now)
    #expect(try card.opened(with: key) == Self.vcard)
    #expect(card.expiresAt == Self.now + 86_400)
    #expect(Self.refusal { () throws(SharedCardError) in try card.opened(with: SharedCardKey()) } == .notAuthentic)
    #expect(!String(decoding: card.record, as: UTF8.self).contains("Ann"))
  }

  /// RFC 8439 by another implementation, Python's cryptography: key 00…1f, nonce of zeros.
  @Test func `a record is what its description says`() throws {
    let key = try #require(SharedCardKey((0..<32).map { UInt8($0) }))
    let id = try #require(SharedCardID("0A1B2C3D-0000-4000-8000-00000000ABCD"))
    let card = try SharedCard(sealing: Array("card".utf8), as: id, with: key, at: Self.now)
    let hex = card.record.map { String(UInt8($0), radix: 16) }.map { $0.count == 1 ? "0\($0)" : $0 }.joined()
    #expect(
      hex == "62756d7063617264010a1b2c3d00004000800000000000abcd0000000065554280"
        + "7bd930556c8607242433e989bca1cb70b8764bfe")
  }

  @Test func `each changed bit of a record is seen`() throws {
    let key = SharedCardKey()
    let card = try SharedCard(sealing: Self.vcard, as: Self.id(1), with: key, at: Self.now)
    for index in card.record.indices {
      for bit in 0..<8 {
        var record = card.record
        record[index] ^= 1 << UInt8(bit)
        let code = Self.refusal { () throws(SharedCardError) in
          try SharedCard(record: record, named: card.id).opened(with: key)
        }
        #expect(code == (index < 25 || (index == 25 && bit == 7) ? .damaged : .notAuthentic), "\(index), \(bit)")
      }
    }
  }

  @Test func `a store cannot give one card for another`() throws {
    let key = SharedCardKey()
    let card = try SharedCard(sealing: Self.vcard, as: Self.id(1), with: key, at: Self.now)
    #expect(
      Self.refusal { () throws(SharedCardError) in try SharedCard(record: card.record, named: Self.id(2)) } == .damaged)
    let renamed = Array(card.record[..<9]) + Self.id(2).bytes + card.record[25...]
    #expect(
      Self.refusal { () throws(SharedCardError) in try SharedCard(record: renamed, named: Self.id(2)).opened(with: key)
      }
        == .notAuthentic)
  }

  @Test(arguments: [(0, SharedCardError.Code.empty), (1, nil), (262_144, nil), (262_145, .tooLarge)])
  func `a card has at most 262,144 bytes`(count: Int, code: SharedCardError.Code?) throws {
    let bytes = [UInt8](repeating: 7, count: count)
    let made = Self.refusal { () throws(SharedCardError) in
      let card = try SharedCard(sealing: bytes, as: Self.id(1), with: SharedCardKey(), at: Self.now)
      return try SharedCard(record: card.record, named: card.id)
    }
    #expect(made == code)
  }

  @Test(arguments: [0, 1, 33, 49]) func `a record that was cut is damaged`(count: Int) throws {
    let card = try SharedCard(sealing: Self.vcard, as: Self.id(1), with: SharedCardKey(), at: Self.now)
    let cut = Array(card.record.prefix(count))
    #expect(Self.refusal { () throws(SharedCardError) in try SharedCard(record: cut, named: card.id) } == .damaged)
  }

  @Test func `an id is a random UUID, in upper case`() throws {
    for seed in 0..<64 {
      let text = Self.id(UInt64(seed)).description
      #expect(text.wholeMatch(of: /[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}/) != nil)
      #expect(SharedCardID(text)?.description == text && SharedCardID(text.lowercased()) == SharedCardID(text))
    }
    var system = SystemRandomNumberGenerator()
    #expect(SharedCardID(using: &system) != SharedCardID(using: &system))
  }

  @Test(arguments: [
    "", "0a1b2c3d", "0a1b2c3d00004000800000000000abcd", "0a1b2c3d-0000-4000-8000-00000000abc",
    "0a1b2c3d-0000-4000-8000-00000000abcg", "+a1b2c3d-0000-4000-8000-00000000abcd",
    "0a1b2c3d-0000-4000-8000-00000000abcd-", "../b2c3d-0000-4000-8000-00000000abcd",
  ]) func `what is no UUID is no id`(text: String) { #expect(SharedCardID(text) == nil) }

  @Test func `a link comes back, and prints without its key`() throws {
    let link = try SharedCardLink(id: Self.id(1), key: SharedCardKey())
    #expect(try SharedCardLink(link.text) == link)
    #expect(link.text.hasPrefix("https://yourapp.com/appclip/shared/\(link.id)#k="))
    #expect("\(link)" == "https://yourapp.com/appclip/shared/\(link.id)#<redacted>")
    var dumped = ""
    dump(link, to: &dumped)
    let key = link.text.split(separator: "=").last ?? ""
    #expect(key.count == 43 && !dumped.contains(key) && "\(link.key)" == "<redacted>")
  }

  @Test(arguments: [
    ("no key", "https://a/0A1B2C3D-0000-4000-8000-00000000ABCD"),
    ("a short key", "https://a/0A1B2C3D-0000-4000-8000-00000000ABCD#k=AAAA"),
    ("bits left over", "https://a/0A1B2C3D-0000-4000-8000-00000000ABCD#k=\(String(repeating: "A", count: 42))B"),
    ("another name", "https://a/0A1B2C3D-0000-4000-8000-00000000ABCD#s=\(String(repeating: "A", count: 43))"),
    ("no UUID", "https://a/b#k=\(String(repeating: "A", count: 43))"),
    ("http", "http://a/0A1B2C3D-0000-4000-8000-00000000ABCD#k=\(String(repeating: "A", count: 43))"),
    (
      "http on this machine",
      "http://localhost/0A1B2C3D-0000-4000-8000-00000000ABCD#k=\(String(repeating: "A", count: 43))"
    ),
    ("nothing", ""),
    ("two #", "https://a/0A1B2C3D-0000-4000-8000-00000000ABCD#k=#\(String(repeating: "A", count: 43))"),
  ]) func `what is no link is refused`(what: String, text: String) {
    #expect(Self.refusal { () throws(SharedCardError) in try SharedCardLink(text) } == .link, "\(what)")
  }
}

/// Numbers one after the other.
struct Counting: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return state ^ state >> 29
  }
}
