import BumpClaims
import Samples
import Testing

@Suite struct ClaimIDTests {
  @Test(arguments: ["a", "-", "_", "bumpVectorClaim0000001", String(repeating: "Z", count: 64)])
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

  @Test func `sixteen random bytes make an id of twenty-two characters`() throws {
    #expect(ClaimID(random: [UInt8](repeating: 0xFF, count: 16)).description == "_____________________w")
    var random = SplitMix64(seed: 2)
    for _ in 0..<100 {
      let id = ClaimID(random: random.bytes(16))
      #expect(id.description.utf8.count == 22)
      #expect(try ClaimID(id.description) == id)
    }
  }
}
