import BumpText
import Glibc
import Testing

/// Names that strangers chose, as they stand in sentences.
@Suite struct QuotedNameTests {
  @Test(arguments: [
    ("alice", #""alice""#), ("", #""(no name)""#), ("   ", #""(no name)""#), ("日本", #""日本""#),
    ("O’Brien", #""O’Brien""#),
    // What poses as the program stays between the quotes, and is cut.
    ("550 508, and on the screen of bob. bob accepts", #""550 508, and on the screen of b…""#),
    (#"bob" accepts. "eve"#, #""bob\u{22} accepts. \u{22}eve""#), ("bob” accepts", #""bob\u{201d} accepts""#),
    ("  bob          Send? y ", #""bob Send? y""#),
    (String(repeating: "a", count: 32), "\"\(String(repeating: "a", count: 32))\""),
    (String(repeating: "a", count: 33), "\"\(String(repeating: "a", count: 31))…\""),
    (String(repeating: "日", count: 21), "\"\(String(repeating: "日", count: 15))…\""),
    (String(repeating: "e\u{301}", count: 21), "\"\(String(repeating: "e\u{301}", count: 21))\""),
    (String(repeating: "\u{1B}", count: 63), #""\u{1b}\u{1b}\u{1b}\u{1b}\u{1b}…""#),
    (#"\u{1b}"#, #""\u{5c}u{1b}""#),
    // A joiner takes no column, a selector makes its emoji wide.
    (
      String(repeating: "\u{6CC}\u{200C}", count: 32) + "\u{631}",
      "\"\(String(repeating: "\u{6CC}\u{200C}", count: 31))…\""
    ),
    (String(repeating: "❤\u{FE0F}", count: 17), "\"\(String(repeating: "❤\u{FE0F}", count: 15))…\""),
  ])
  func `a name stands in quotes, with single spaces, and is cut to 32 columns`(name: String, shown: String) throws {
    #expect(QuotedName.of(name) == shown)
    #expect(TextWidth.columns(of: shown) <= QuotedName.columns + 2)
  }

  @Test func `no character is wider on a terminal than it is taken to be`() throws {
    // Swift does not see it: wchar.h has it for _XOPEN_SOURCE alone.
    let symbol = try #require(dlsym(nil, "wcwidth"))
    let wcwidth = unsafeBitCast(symbol, to: (@convention(c) (wchar_t) -> CInt).self)
    let locale = try #require(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))
    defer { freelocale(locale) }
    let before = uselocale(locale)
    defer { uselocale(before) }
    for value in UInt32(0x20)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), VisibleText.isPlain("a" + String(scalar)) else { continue }
      let width = Int(wcwidth(wchar_t(value)))
      #expect(width <= TextWidth.columns(of: String(scalar)), "U+\(String(value, radix: 16))")
    }
  }
}
