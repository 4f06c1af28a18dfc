import Testing

@testable import BumpTerminal
@testable import BumpWire

/// What a question about digits is answered by.
@Suite struct ComparisonsTests {
  private static func last(_ digits: VerificationDigits) -> Substring { digits.description.suffix(3) }

  /// Digits of which the first two end differently, and the first and the last alike.
  private let digits: [VerificationDigits]

  init() throws {
    let all = (0..<10_000).map { VerificationDigits(handshakeHash: Array("\($0)".utf8)) }
    let first = all[0]
    digits = [
      first, try #require(all.first { Self.last($0) != Self.last(first) }),
      try #require(all.first { $0 != first && Self.last($0) == Self.last(first) }),
    ]
  }

  @Test func `the first digits on a screen are answered by a yes, and all later ones by their last three`() {
    var comparisons = Comparisons()
    for _ in 1...2 { comparisons.show(digits[0]) }
    #expect(!comparisons.hasOthers)
    comparisons.show(digits[1])
    #expect(comparisons.hasOthers && comparisons.answer(to: digits[1]) == Self.last(digits[1]))
  }

  @Test func `digits that end like others that were on the screen are answered by all six`() {
    var comparisons = Comparisons()
    for each in [digits[0], digits[2]] { comparisons.show(each) }
    #expect(comparisons.answer(to: digits[2]) == digits[2].description)
  }
}
