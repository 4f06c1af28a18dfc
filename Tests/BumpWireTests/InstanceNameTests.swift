import BumpClaims
import BumpWire
import Testing

@Suite struct InstanceNameTests {
  private static let random: UInt64 = 0x7F3A_91C2_D4E5_B607
  private static let suffix = "-7f3a91c2d4e5b607"

  @Test(arguments: [
    (UInt64(0x7F3A_91C2_D4E5_B607), "alice-7f3a91c2d4e5b607"), (0, "alice-0000000000000000"),
    (0xF, "alice-000000000000000f"),
    (.max, "alice-ffffffffffffffff"),
  ])
  func `an instance name is the display name and sixteen hex digits`(random: UInt64, whole: String) throws {
    #expect(InstanceName(displayName: try DisplayName("alice"), random: random).description == whole)
  }

  /// A display name, and what of it fits 46 bytes.
  static let cut: [String: (given: String, kept: String)] = [
    "46 letters": (String(repeating: "a", count: 46), String(repeating: "a", count: 46)),
    "47 letters": (String(repeating: "a", count: 47), String(repeating: "a", count: 46)),
    "letters of two bytes": ("a" + String(repeating: "é", count: 31), "a" + String(repeating: "é", count: 22)),
    "letters of three bytes": (String(repeating: "明", count: 21), String(repeating: "明", count: 15)),
    "emoji": (String(repeating: "👋", count: 15), String(repeating: "👋", count: 11)),
    "emoji with a skin colour": (String(repeating: "👋🏽", count: 7), String(repeating: "👋🏽", count: 5)),
    "a family": ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"),
    "flags": (String(repeating: "🇨🇭", count: 7), String(repeating: "🇨🇭", count: 5)),
    "combining marks": (String(repeating: "e\u{301}", count: 21), String(repeating: "e\u{301}", count: 15)),
    "one character of 63 bytes": ("a" + String(repeating: "\u{301}", count: 31), ""),
    "a non-joiner at the cut": (
      String(repeating: "\u{6CC}\u{200C}", count: 12) + "\u{631}",
      String(repeating: "\u{6CC}\u{200C}", count: 8) + "\u{6CC}"
    ), "nothing": ("", ""),
  ]

  @Test(arguments: cut)
  func `an instance name fits a DNS label, cut at a character`(what: String, name: (given: String, kept: String)) throws
  {
    let whole = InstanceName(displayName: try DisplayName(name.given), random: Self.random).description
    #expect(whole == name.kept + Self.suffix, "\(what)")
    #expect(whole.utf8.count <= 63)
  }

  @Test(arguments: [
    ("alice-7f3a91c2d4e5b607", "alice", "alice-7f3a"), ("a-b-7f3a91c2d4e5b607", "a-b", "a-b-7f3a"),
    ("Zoë-0000000000000000", "Zoë", "Zoë-0000"), ("\u{1B}[2J-7f3a91c2d4e5b607", #"\u{1b}[2J"#, #"\u{1b}[2J-7f3a"#),
  ])
  func `people are shown the display name, and four digits where two look alike`(
    name: String, short: String, distinct: String
  ) {
    #expect(InstanceName.shown(name) == (short, distinct))
  }

  @Test(arguments: [
    "no digits": "alice", "fifteen digits": "alice-7f3a91c2d4e5b60", "seventeen digits": "alice-07f3a91c2d4e5b607",
    "capital digits": "alice-7F3A91C2D4E5B607", "no hyphen": "alice7f3a91c2d4e5b607",
    "digits alone": "7f3a91c2d4e5b607",
    "nothing before the hyphen": "-7f3a91c2d4e5b607", "full-width digits": "alice-７f3a91c2d4e5b607",
    "another service's": "Office Printer",
  ])
  func `a name of another form is shown whole`(why: String, name: String) {
    #expect(InstanceName.shown(name) == (name, name), "\(why)")
  }

  @Test func `a name of another form is shown harmless`() {
    #expect(InstanceName.shown("a\u{1B}[2J").short == #"a\u{1b}[2J"#)
    #expect(InstanceName.shown("a\u{1B}[2J").distinct == #"a\u{1b}[2J"#)
  }

  @Test(arguments: [
    ("   -7f3a91c2d4e5b607", "(no name)", "(no name)-7f3a"), ("   ", "(no name)", "(no name)"),
    ("", "(no name)", "(no name)"), ("\u{2800}-7f3a91c2d4e5b607", #"\u{2800}"#, #"\u{2800}-7f3a"#),
  ])
  func `a blank name is something to see`(name: String, short: String, distinct: String) {
    #expect(InstanceName.shown(name) == (short, distinct))
  }

  @Test func `what is shown of our own name is our display name`() throws {
    let name = InstanceName(displayName: try DisplayName("Alice B."), random: Self.random)
    #expect(InstanceName.shown(name.description) == ("Alice B.", "Alice B.-7f3a"))
  }
}
