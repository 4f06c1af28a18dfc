import Testing

@testable import BumpClaims

@Suite struct ExpiryTests {
  @Test(arguments: ["0", "1", "1795300000", "9223372036854775807"])
  func `an expiry is seconds in decimal digits`(digits: String) {
    #expect(Expiry(digits: digits)?.description == digits)
  }

  @Test(arguments: [
    "nothing": "", "a leading zero": "01", "two zeros": "00", "a minus": "-1", "a plus": "+1", "a fraction": "1.0",
    "more than 63 bits": "9223372036854775808", "a word": "soon", "a full-width digit": "１",
  ])
  func `what is no expiry is refused`(why: String, digits: String) {
    #expect(Expiry(digits: digits) == nil, "\(why)")
  }

  @Test func `an expiry is not before 1970`() {
    #expect(Expiry(unixSeconds: -1) == nil)
  }

  @Test(arguments: [(99, false), (100, true), (101, true)])
  func `a claim can be taken until its last second begins`(now: Int64, hasPassed: Bool) throws {
    #expect(try #require(Expiry(unixSeconds: 100)).hasPassed(at: now) == hasPassed)
  }
}
