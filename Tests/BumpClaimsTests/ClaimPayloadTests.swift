import BumpClaims
import Samples
import Testing

@Suite struct ClaimPayloadTests {
  @Test func `the claim of the vectors has their payload`() throws {
    #expect(try Vector.claim.payload == Array(Vector.payload.utf8))
    #expect(try Claim(payload: Vector.payload.utf8) == Vector.claim)
  }

  @Test func `every claim comes back from its payload`() throws {
    var random = SplitMix64(seed: 4)
    for _ in 0..<1000 {
      let claim = Claim(
        id: ClaimID(drawing: { random.bytes(16) }), secret: try ClaimSecret(random.bytes(16)),
        token: try #require(["USDC", "A", "0", "ABCDEFGHIJKL"].map { try Token($0) }.randomElement(using: &random)),
        amount: try #require(Amount(baseUnits: Int64.random(in: 1...Int64.max, using: &random))))
      #expect(try Claim(payload: claim.payload) == claim)
    }
  }

  @Test func `the largest claim is far below the limit`() throws {
    let claim = Claim(
      id: try ClaimID(String(repeating: "a", count: 64)), secret: try ClaimSecret(Vector.secretBytes),
      token: try Token("ABCDEFGHIJKL"), amount: try #require(Amount(baseUnits: .max)))
    #expect(claim.payload.count < ClaimLimits.claim)
    #expect(try Claim(payload: claim.payload) == claim)
  }

  /// The vectors' payload with one part of it written in another way, and what that is.
  static let deviations: [String: (part: String, instead: String)] = [
    "a space after the brace": ("{", "{ "), "a space after a colon": (#""v":"#, #""v": "#),
    "a space after a comma": (",", ", "), "a space before": ("{", " {"), "a space after": ("}", "} "),
    "a line end": ("}", "}\n"), "a byte order mark": ("{", "\u{FEFF}{"), "a NUL": ("}", "}\0"),
    "trailing bytes": ("}", "}x"), "two claims": ("}", "}{}"), "no end": ("}", ""), "no beginning": ("{", ""),
    "another version": (#""v":1"#, #""v":2"#), "a version as text": (#""v":1"#, #""v":"1""#),
    "a version as a decimal": (#""v":1"#, #""v":1.0"#), "no version": (#""v":1,"#, ""),
    "a key in capitals": ("claimId", "CLAIMID"), "another key": ("claimId", "id"),
    "another order": (#""v":1,"claimId":"bumpVectorClaim0000001""#, #""claimId":"bumpVectorClaim0000001","v":1"#),
    "an extra key": ("}", #","x":1}"#), "a key twice": ("}", #","amount":1.00}"#),
    "no amount": (#","amount":1.00"#, ""),
    "an escaped character": ("bumpV", #"\u0062umpV"#), "an escaped key": ("claimId", #"claim\u0049d"#),
    "an escaped slash in the secret": ("7Bdsst", #"7B\/sst"#), "an id with a space": ("bumpV", "bump V"),
    "an empty id": ("bumpVectorClaim0000001", ""), "an id that is an option": ("bumpVectorClaim0000001", "-h"),
    "an id of 65": ("bumpVectorClaim0000001", String(repeating: "a", count: 65)),
    "an id with a kelvin sign": ("bumpV", "bump\u{212A}"), "an id of null": (#""bumpVectorClaim0000001""#, "null"),
    "a secret without padding": ("cg==", "cg"), "a secret with half the padding": ("cg==", "cg="),
    "a secret with bits that say nothing": ("cg==", "ch=="), "a secret of base64url": ("7Bds", "7B_s"),
    "a secret of 15 bytes": ("7BdsstEA8zBj4r1e4B9dcg==", "7BdsstEA8zBj4r1e4B9d"),
    "a secret of 17 bytes": ("7BdsstEA8zBj4r1e4B9dcg==", "7BdsstEA8zBj4r1e4B9dcnI="),
    "no secret": ("7BdsstEA8zBj4r1e4B9dcg==", ""),
    "a token in small letters": ("USDC", "usdc"), "an empty token": ("USDC", ""),
    "a token of 13": ("USDC", "ABCDEFGHIJKLM"),
    "an amount of 1": ("1.00", "1"), "an amount of 1.0": ("1.00", "1.0"), "an amount of 1.000": ("1.00", "1.000"),
    "an amount of 1.1": ("1.00", "1.1"), "an amount of 1.100": ("1.00", "1.100"),
    "an amount of 01.00": ("1.00", "01.00"),
    "an amount of 1.": ("1.00", "1."), "an amount of .50": ("1.00", ".50"), "an amount of zero": ("1.00", "0.00"),
    "a negative amount": ("1.00", "-1.00"), "an amount with a plus": ("1.00", "+1.00"), "an exponent": ("1.00", "1e0"),
    "a capital exponent": ("1.00", "1.00E0"), "seven decimals": ("1.00", "1.0000001"),
    "an amount as text": ("1.00", #""1.00""#),
    "an amount past 63 bits": ("1.00", "9223372036854.775808"), "an amount of null": ("1.00", "null"),
    "a full-width digit": ("1.00", "１.00"),
  ]

  @Test(arguments: deviations.keys.sorted())
  func `another encoding of a claim is refused`(why: String) throws {
    let (part, instead) = try #require(Self.deviations[why])
    let payload = try #require(Vector.payload.changing(part, to: instead))
    let error = #expect(throws: ClaimError.self) { try Claim(payload: payload.utf8) }
    #expect(error?.code == .claim)
  }

  @Test func `the same claim of another amount shows that it is the form that is refused`() throws {
    #expect(try Claim(payload: Vector.payload.replacing("1.00", with: "1.10").utf8) == Vector.claim(amount: "1.1"))
  }

  @Test(arguments: [0, 1, 1024, 1025, 65_535])
  func `bytes of any number that are no claim are refused`(count: Int) {
    #expect(throws: ClaimError(.claim, "")) { try Claim(payload: [UInt8](repeating: UInt8(ascii: "{"), count: count)) }
  }

  @Test func `a payload cut anywhere is refused`() {
    let payload = Array(Vector.payload.utf8)
    for end in payload.indices {
      #expect(throws: ClaimError(.claim, "")) { try Claim(payload: payload[..<end]) }
      #expect(throws: ClaimError(.claim, "")) { try Claim(payload: payload[(end + 1)...]) }
    }
  }

  @Test func `a byte changed anywhere makes another claim, or none`() throws {
    let payload = Array(Vector.payload.utf8)
    let claim = try Vector.claim
    for index in payload.indices {
      for byte in UInt8.min ... .max where byte != payload[index] {
        var changed = payload
        changed[index] = byte
        if let other = try? Claim(payload: changed) {
          #expect(other != claim && other.payload == changed)
        }
      }
    }
  }
}
