import BumpClaims
import Samples
import Testing

@testable import BumpWire

@Suite struct OfferTests {
  private func offer(from: DisplayName, id: String = "bumpVectorClaim0000001") throws -> Offer {
    Offer(
      claimID: try ClaimID(id), token: .usdc, amount: try Amount("1.00"),
      expiry: try #require(Expiry(unixSeconds: 1_795_300_000)), from: from)
  }

  private func json(from escaped: String) -> String {
    #"{"v":1,"claimId":"bumpVectorClaim0000001","token":"USDC","amount":1.00,"expiry":1795300000,"from":""#
      + escaped + #""}"#
  }

  @Test func `the offer of the vectors has their JSON`() throws {
    let offer = try offer(from: DisplayName("alice"))
    #expect(offer.json == Array(Vector.offer.utf8))
    #expect(try Offer(json: Vector.offer.utf8) == offer)
  }

  @Test(arguments: [
    ("", ""), ("alice", "alice"), ("\"", #"\""#), ("\\", #"\\"#), ("\\n", #"\\n"#), ("/", "/"), ("é", "é"), ("👋", "👋"),
    ("\u{7F}", "\u{7F}"), ("\u{1}", #"\u0001"#), ("\t", #"\u0009"#), ("\n", #"\u000a"#), ("\r\n", #"\u000d\u000a"#),
    ("\u{10}", #"\u0010"#), ("\u{1B}[2J", #"\u001b[2J"#), ("\u{1F}", #"\u001f"#), ("\u{2028}", "\u{2028}"),
    ("a\"\\\u{1}z", #"a\"\\\u0001z"#),
  ])
  func `a name has one escaped form`(name: String, escaped: String) throws {
    let offer = try offer(from: DisplayName(name))
    #expect(offer.json == Array(json(from: escaped).utf8))
    #expect(try Array(Offer(json: offer.json).from.text.unicodeScalars) == Array(name.unicodeScalars))
  }

  @Test func `every control character but zero comes back`() throws {
    for value in UInt8(1)..<0x20 {
      let offer = try offer(from: DisplayName(String(UnicodeScalar(value))))
      #expect(try Offer(json: offer.json) == offer)
    }
  }

  @Test(arguments: [
    "an escaped line feed": #"\n"#, "an escaped tab": #"\t"#, "an escaped slash": #"\/"#, "an escaped letter": #"\a"#,
    "a letter as a number": #"\u0041"#, "a quote as a number": #"\u0022"#, "a backslash as a number": #"\u005c"#,
    "capital hexadecimal": #"\u001F"#, "DEL as a number": #"\u007f"#, "an accent as a number": #"\u00e9"#,
    "UTF-8 in numbers": #"\u00c3\u00a9"#, "a character past U+00FF as a number": #"\u2028"#,
    "a surrogate pair": #"\ud83d\udc4b"#,
    "three digits": #"\u001"#, "a plus among the digits": #"\u00+1"#, "a raw tab": "\t", "a raw line feed": "\n",
    "a raw NUL": "\0", "a raw escape": "\u{1B}", "a raw quote": "\"", "a backslash at the end": "\\",
    "64 bytes": String(repeating: "a", count: 64), "a zero": #"\u0000"#, "a zero at the end": #"alice\u0000"#,
    "a zero within": #"bob\u0000evil"#,
  ])
  func `another form of a name is refused`(why: String, escaped: String) {
    let error = #expect(throws: WireError.self, "\(why)") { try Offer(json: json(from: escaped).utf8) }
    #expect(error?.code == .offer)
  }

  @Test(arguments: [
    "a lone continuation": [0x80], "a start without its end": [0xC3], "an overlong slash": [0xC0, 0xAF],
    "a surrogate": [0xED, 0xA0, 0x80], "past U+10FFFF": [0xF4, 0x90, 0x80, 0x80], "a byte of no UTF-8": [0xFF],
  ])
  func `a name that is not UTF-8 is refused`(why: String, bytes: [UInt8]) {
    let json = Array(json(from: "x").utf8).split(separator: UInt8(ascii: "x"), maxSplits: 1)
    let error = #expect(throws: WireError.self, "\(why)") { try Offer(json: json[0] + bytes + json[1]) }
    #expect(error?.code == .offer)
  }

  @Test func `a name of sixty-three bytes is read`() throws {
    let name = String(repeating: "é", count: 31) + "x"
    #expect(try Offer(json: json(from: name).utf8).from.text == name)
  }

  static let deviations: [String: (part: String, instead: String)] = [
    "a space before": ("{", " {"), "a space after a colon": (#""v":"#, #""v": "#), "a line end": ("}", "}\n"),
    "trailing bytes": ("}", "}}"), "no end": ("}", ""), "another version": (#""v":1"#, #""v":2"#),
    "another order": (#""token":"USDC","amount":1.00"#, #""amount":1.00,"token":"USDC""#),
    "an extra key": (#","from""#, #","x":1,"from""#),
    "a secret": (#","token""#, #","secret":"7BdsstEA8zBj4r1e4B9dcg==","token""#),
    "no name": (#","from":"alice""#, ""), "a name of null": (#""alice""#, "null"),
    "an escaped key": ("from", #"\u0066rom"#),
    "an amount of 1": ("1.00", "1"), "an amount of 1.0": ("1.00", "1.0"), "an amount of 1.000": ("1.00", "1.000"),
    "an exponent": ("1.00", "1e0"), "an amount of zero": ("1.00", "0.00"), "a negative amount": ("1.00", "-1.00"),
    "an expiry with a leading zero": ("1795300000", "01795300000"), "a negative expiry": ("1795300000", "-1"),
    "an expiry with a fraction": ("1795300000", "1795300000.0"), "an expiry as text": ("1795300000", #""1795300000""#),
    "an expiry past 63 bits": ("1795300000", "9223372036854775808"), "no expiry": ("1795300000", ""),
    "a token in small letters": ("USDC", "usdc"), "an empty id": ("bumpVectorClaim0000001", ""),
    "an id that is an option": ("bumpVectorClaim0000001", "-h"),
  ]

  @Test(arguments: deviations.keys.sorted())
  func `another encoding of an offer is refused`(why: String) throws {
    let (part, instead) = try #require(Self.deviations[why])
    let json = try #require(Vector.offer.changing(part, to: instead))
    let error = #expect(throws: WireError.self) { try Offer(json: json.utf8) }
    #expect(error?.code == .offer)
  }

  @Test func `an offer cut anywhere is refused`() {
    let json = Array(Vector.offer.utf8)
    for end in json.indices {
      #expect(throws: WireError(.offer, "")) { try Offer(json: json[..<end]) }
    }
  }

  @Test func `an offer is at most 512 bytes`() throws {
    // The longest id, token, amount and expiry leave 512 bytes to a name of 63 bytes only if few of them are escaped.
    func longest(escapes: Int) throws -> Offer {
      Offer(
        claimID: try ClaimID(String(repeating: "a", count: 64)), token: try Token("ABCDEFGHIJKL"),
        amount: try #require(Amount(baseUnits: .max)), expiry: try #require(Expiry(unixSeconds: .max)),
        from: try DisplayName(String(repeating: "\u{1}", count: escapes) + String(repeating: "\"", count: 63 - escapes))
      )
    }
    let (fitting, tooLong) = (try longest(escapes: 49), try longest(escapes: 63))
    #expect(fitting.json.count <= 512)
    #expect(try Offer(json: fitting.json) == fitting)
    #expect(tooLong.json.count > 512)
    #expect(throws: WireError(.offer, "")) { try Offer(json: tooLong.json) }
  }

  @Test(arguments: [
    "the same": ("bumpVectorClaim0000001", "USDC", "1.00", true), "another id": ("another", "USDC", "1.00", false),
    "another token": ("bumpVectorClaim0000001", "USDT", "1.00", false),
    "another amount": ("bumpVectorClaim0000001", "USDC", "1.000001", false),
  ])
  func `a claim matches its offer in id, token and amount`(
    what: String, claim: (id: String, token: String, amount: String, matches: Bool)
  ) throws {
    let offer = try offer(from: .somebody)
    let claimed = Claim(
      id: try ClaimID(claim.id), secret: try ClaimSecret(Vector.secretBytes), token: try Token(claim.token),
      amount: try Amount(claim.amount))
    #expect(offer.matches(claimed) == claim.matches, "\(what)")
  }
}
