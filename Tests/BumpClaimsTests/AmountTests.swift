import Samples
import Testing

@testable import BumpClaims

@Suite struct AmountTests {
  @Test(arguments: [
    ("1", "1.00"), ("1.5", "1.50"), ("1.50", "1.50"), ("1.500", "1.50"), ("1.500000", "1.50"), ("0.01", "0.01"),
    ("0.000001", "0.000001"), ("0.100", "0.10"), ("0.123450", "0.12345"), ("10", "10.00"), ("9999999.99", "9999999.99"),
    ("9223372036854.775807", "9223372036854.775807"),
  ])
  func `an amount as a person writes it has one form on the wire`(given: String, wire: String) throws {
    #expect(try Amount(given).description == wire)
    #expect(try Amount(wire) == Amount(given))
  }

  @Test(arguments: [("1.00", 1_000_000), ("0.000001", 1), ("9223372036854.775807", Int64.max)])
  func `an amount is a whole number of base units`(text: String, baseUnits: Int64) throws {
    #expect(try Amount(text).baseUnits == baseUnits)
    #expect(Amount(baseUnits: baseUnits)?.description == text)
  }

  @Test(arguments: [
    "a word": "abc", "nothing": "", "zero": "0", "zero with decimals": "0.00", "a minus": "-1", "a plus": "+1",
    "a minus before zero": "-0", "an exponent": "1e3", "a capital exponent": "1E3", "not a number": "NaN",
    "infinity": "inf", "a hexadecimal": "0x1", "a seventh decimal": "1.0000001",
    "a seventh decimal of zero": "1.0000000",
    "one more than fits": "9223372036854.775808", "more than fits": "9223372036855",
    "far more than fits": "99999999999999999999999999", "a full-width digit": "１", "an Arabic digit": "١",
    "a point with nothing after it": "1.", "a point with nothing before it": ".5", "a point alone": ".",
    "two points": "1.0.0", "a leading zero": "01", "two zeros": "00", "a leading zero before a point": "00.5",
    "a comma": "1,5", "a thousands separator": "1,000.00", "an underscore": "1_000", "a space before": " 1",
    "a space after": "1 ", "a line end": "1\n", "a NUL": "1\0", "a combining mark": "1\u{301}", "a ticker": "1 USDC",
  ])
  func `what is no amount is refused`(why: String, text: String) {
    let error = #expect(throws: ClaimError.self, "\(why)") { try Amount(text) }
    #expect(error?.code == .amount)
  }

  @Test(arguments: [0, -1, Int64.min])
  func `an amount is greater than zero`(baseUnits: Int64) {
    #expect(Amount(baseUnits: baseUnits) == nil)
  }

  @Test(arguments: [
    "0": "greater than zero", "1.0000001": "six decimals", "9223372036855": "at most", "x": "decimal number",
  ])
  func `a refusal says what is wrong`(text: String, words: String) {
    let error = #expect(throws: ClaimError.self) { try Amount(text) }
    #expect(error?.description.contains(words) == true)
  }

  @Test func `amounts are ordered as numbers, not as text`() throws {
    let ascending = try ["0.000001", "0.99", "1", "1.01", "9", "10", "100"].map { try Amount($0) }
    #expect(ascending.shuffled().sorted() == ascending)
  }

  @Test func `every number of base units comes back from its wire form`() throws {
    var random = SplitMix64(seed: 1)
    for _ in 0..<20_000 {
      // Every magnitude alike: shifted, so that small ones come up too.
      let baseUnits = Int64.random(in: 1...Int64.max, using: &random) >> Int64.random(in: 0...62, using: &random)
      guard let amount = Amount(baseUnits: baseUnits) else { continue }
      #expect(try Amount(amount.description) == amount)
      #expect(amount.description.wholeMatch(of: /(0|[1-9]\d*)\.\d{2}(\d{0,3}[1-9])?/) != nil, "\(amount)")
    }
  }
}
