import BumpClaims
import Samples
import Testing

@testable import BumpWire

@Suite struct DocumentOfferTests {
  private static let digest = [UInt8](repeating: 0xA1, count: 32)
  private static let json =
    #"{"v":1,"kind":"vcard","length":262144,"sha256":""# + String(repeating: "a1", count: 32) + #"","from":"alice"}"#

  private func offer(_ length: Int, _ kind: DocumentKind = .card) throws -> DocumentOffer {
    try DocumentOffer(kind: kind, length: length, digest: Self.digest, from: DisplayName("alice"))
  }

  @Test func `an offer of a document has one encoding, and comes back from it`() throws {
    let offer = try offer(262_144)
    #expect(String(decoding: offer.json, as: UTF8.self) == Self.json)
    #expect(try DocumentOffer(json: offer.json) == offer)
    let link = try DocumentOffer(kind: .link, length: 1, digest: Self.digest, from: DisplayName("\"\\\u{1}é"))
    #expect(try DocumentOffer(json: link.json) == link)
  }

  @Test func `the longest name fits into an offer`() throws {
    let name = try DisplayName(String(repeating: "\u{1}", count: 63))
    let offer = try DocumentOffer(kind: .card, length: 262_144, digest: Self.digest, from: name)
    #expect(offer.json.count <= WireLimits.offer)
    #expect(try DocumentOffer(json: offer.json) == offer)
  }

  static let deviations: [String: (part: String, instead: String)] = [
    "another version": (#""v":1"#, #""v":2"#), "another kind": ("vcard", "vcards"), "no kind": ("vcard", ""),
    "a kind in capitals": ("vcard", "VCARD"), "no length": ("262144", ""), "a length of zero": ("262144", "0"),
    "a length with a sign": ("262144", "-1"), "a leading zero": ("262144", "026214"),
    "a length beyond the limit": ("262144", "262145"),
    "a length beyond all numbers": ("262144", "99999999999999999999"),
    "a link longer than links are": (#"vcard","length":262144"#, #"link","length":2049"#),
    "half a digest": (String(repeating: "a1", count: 32), String(repeating: "a1", count: 16)),
    "a digest and a byte": (String(repeating: "a1", count: 32), String(repeating: "a1", count: 33)),
    "a digest in capitals": (String(repeating: "a1", count: 32), String(repeating: "A1", count: 32)),
    "a digest that is no number": (String(repeating: "a1", count: 32), String(repeating: "z1", count: 32)),
    "half an octet": (String(repeating: "a1", count: 32), String(repeating: "a1", count: 31) + "a"),
    "white space": (",", ", "), "a line end": ("}", "}\n"), "a key more": (#"}"#, #","x":1}"#),
    "a name with a zero": ("alice", "ali\\u0000ce"),
    "a name of 64 bytes": ("alice", String(repeating: "a", count: 64)),
  ]

  @Test(arguments: deviations)
  func `whatever deviates from it is refused`(why: String, change: (part: String, instead: String)) throws {
    let json = try #require(Self.json.changing(change.part, to: change.instead))
    #expect(throws: WireError(.offer, ""), "\(why)") { try DocumentOffer(json: Array(json.utf8)) }
  }

  @Test func `an offer that is cut anywhere is refused, and a claim's offer is none of a document`() throws {
    for count in Self.json.utf8.indices {
      #expect(throws: WireError.self) { try DocumentOffer(json: Array(Self.json.utf8[..<count])) }
    }
    #expect(throws: WireError.self) { try Offer(json: Array(Self.json.utf8)) }
  }

  @Test func `lengths that there are not are refused`() throws {
    #expect(throws: WireError.self) { try offer(0) }
    #expect(throws: WireError.self) { try offer(262_145) }
    #expect(throws: WireError.self) { try offer(2049, .link) }
    #expect(throws: WireError.self) {
      try DocumentOffer(kind: .link, length: 1, digest: Array(Self.digest.dropLast()), from: DisplayName("a"))
    }
  }

  @Test func `MORE is due behind each sixteenth chunk, and not behind the last of all`() throws {
    func due(_ length: Int) throws -> [Int] { try (0...300).filter { try offer(length).isMoreDue(after: $0) } }
    #expect(try offer(1).chunks == 1 && offer(1056).chunks == 1 && offer(1057).chunks == 2)
    #expect(try offer(262_144).chunks == 249)
    #expect(try due(1).isEmpty && due(16 * 1056).isEmpty)
    #expect(try due(16 * 1056 + 1) == [16] && due(32 * 1056) == [16])
    #expect(try due(262_144) == Array(stride(from: 16, through: 240, by: 16)))
  }
}
