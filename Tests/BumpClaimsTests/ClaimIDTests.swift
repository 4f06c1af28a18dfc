import BumpClaims
import Samples
import Testing

@Suite struct ClaimIDTests {
  @Test(arguments: ["a", "_", "a-", "bumpVectorClaim0000001", String(repeating: "Z", count: 64)])
  func `a claim id is one to sixty-four of the URL-safe characters`(text: String) throws {
    #expect(try ClaimID(text).description == text)
  }

  @Test(arguments: [
    "nothing": "", "sixty-five characters": String(repeating: "Z", count: 65), "a slash": "a/b", "a plus": "a+b",
    "padding": "ab==", "a point": "a.b", "a space": "a b", "a quote": "a\"b", "a hash": "a#b", "a percent sign": "a%20",
    "a kelvin sign": "\u{212A}", "a letter with an accent": "é", "a letter and a combining mark": "e\u{301}",
    "a line end": "a\n", "a NUL": "a\0",
  ])
  func `what is no claim id is refused`(why: String, text: String) {
    let error = #expect(throws: ClaimError.self, "\(why)") { try ClaimID(text) }
    #expect(error?.code == .claimID)
  }

  /// `bump claim "$id"` in a script would ask for help, and end well.
  @Test(arguments: ["-", "-h", "--", "--help", "--version", "-bumpVectorClaim000001"])
  func `what a program would take for an option is no claim id`(text: String) {
    let error = #expect(throws: ClaimError.self) { try ClaimID(text) }
    #expect(error?.code == .claimID)
  }

  @Test func `an id that would begin with a hyphen is drawn again`() throws {
    // In base64url 111110 is the hyphen.
    var draws = [0b1111_1000, 0b1111_1011, 0b0000_0000] as [UInt8]
    let id = ClaimID { [draws.removeFirst()] + [UInt8](repeating: 0, count: 15) }
    #expect(id.description == "AAAAAAAAAAAAAAAAAAAAAA")
  }

  @Test func `sixteen random bytes make an id of twenty-two characters`() throws {
    #expect(ClaimID { [UInt8](repeating: 0xFF, count: 16) }.description == "_____________________w")
    var random = SplitMix64(seed: 2)
    for _ in 0..<200 {
      let id = ClaimID { random.bytes(16) }
      #expect(id.description.utf8.count == 22)
      #expect(try ClaimID(id.description) == id)
    }
  }
}
