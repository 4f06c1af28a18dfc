import BumpText
import Samples
import Testing

@Suite struct VisibleTextTests {
  @Test(arguments: [
    "", "alice", "Alice B. (home)", "Zoë", "Đặng Thị", "e\u{323}\u{302}", "明日香", "Ελένη", "دانة", "👋🏽", "🇨🇭",
    "1/2 $5 'x' \"y\" #&;|`<>",
  ])
  func `a harmless text is shown as it is`(text: String) {
    #expect(VisibleText.of(text) == text)
    #expect(VisibleText.isPlain(text))
  }

  static let deceptions: [String: (given: String, shown: String)] = [
    "a line feed": ("a\nb", #"a\u{a}b"#), "a carriage return": ("a\rb", #"a\u{d}b"#),
    "both": ("a\r\nb", #"a\u{d}\u{a}b"#),
    "a tab": ("a\tb", #"a\u{9}b"#), "a backspace": ("a\u{8}b", #"a\u{8}b"#), "a NUL": ("a\0b", #"a\u{0}b"#),
    "a bell": ("\u{7}", #"\u{7}"#), "DEL": ("\u{7F}", #"\u{7f}"#), "a colour": ("\u{1B}[31mred", #"\u{1b}[31mred"#),
    "a cleared screen": ("\u{1B}[2J", #"\u{1b}[2J"#), "a C1 control sequence": ("\u{9B}2J", #"\u{9b}2J"#),
    "a C1 line end": ("a\u{85}b", #"a\u{85}b"#), "a window title": ("\u{1B}]0;x\u{7}", #"\u{1b}]0;x\u{7}"#),
    "the clipboard (OSC 52)": ("\u{1B}]52;c;cm0gLXJm\u{1B}\\", #"\u{1b}]52;c;cm0gLXJm\u{1b}\u{5c}"#),
    "a hyperlink (OSC 8)": ("\u{1B}]8;;https://x\u{1B}\\", #"\u{1b}]8;;https://x\u{1b}\u{5c}"#),
    "a right-to-left override": ("a\u{202E}b", #"a\u{202e}b"#), "a left-to-right override": ("\u{202D}", #"\u{202d}"#),
    "an embedding": ("\u{202A}\u{202B}\u{202C}", #"\u{202a}\u{202b}\u{202c}"#),
    "an isolate": ("\u{2066}\u{2067}\u{2068}\u{2069}", #"\u{2066}\u{2067}\u{2068}\u{2069}"#),
    "a direction mark": ("\u{200E}\u{200F}\u{61C}", #"\u{200e}\u{200f}\u{61c}"#),
    "a zero width space": ("a\u{200B}b", #"a\u{200b}b"#),
    "a zero width joiner": ("a\u{200D}\u{200C}b", #"a\u{200d}\u{200c}b"#), "a word joiner": ("\u{2060}", #"\u{2060}"#),
    "a byte order mark": ("\u{FEFF}a", #"\u{feff}a"#), "a soft hyphen": ("a\u{AD}b", #"a\u{ad}b"#),
    "a no-break space": ("a\u{A0}b", #"a\u{a0}b"#), "an em space": ("a\u{2003}b", #"a\u{2003}b"#),
    "an ideographic space": ("a\u{3000}b", #"a\u{3000}b"#), "a line separator": ("a\u{2028}b", #"a\u{2028}b"#),
    "a paragraph separator": ("a\u{2029}b", #"a\u{2029}b"#), "a Hangul filler": ("\u{3164}", #"\u{3164}"#),
    "a variation selector": ("❤\u{FE0F}", #"❤\u{fe0f}"#), "a tag": ("\u{E0041}", #"\u{e0041}"#),
    "a private character": ("\u{E000}", #"\u{e000}"#), "an unassigned one": ("\u{378}", #"\u{378}"#),
    "a noncharacter": ("\u{FFFF}", #"\u{ffff}"#), "an interlinear annotation": ("\u{FFF9}", #"\u{fff9}"#),
    "a third mark in a row": ("a\u{301}\u{302}\u{303}\u{304}b", "a\u{301}\u{302}\\u{303}\\u{304}b"),
    "enclosing marks": ("a\u{20DD}\u{20DE}\u{20DF}", "a\u{20DD}\u{20DE}\\u{20df}"),
    "a mark that has nothing before it": ("\u{301}a", #"\u{301}a"#),
    "a mark behind an escape": ("a\n\u{338}b", #"a\u{a}\u{338}b"#),
    "sixty-two bytes of marks": (
      String(repeating: "\u{334}", count: 31), String(repeating: #"\u{334}"#, count: 31)
    ), "a mark on a quote": ("\"\u{301}", #""\u{301}"#),
    "a keycap": ("1\u{FE0F}\u{20E3}", #"1\u{fe0f}\u{20e3}"#),
    "an empty Braille pattern": ("a\u{2800}", #"a\u{2800}"#), "a null notehead": ("\u{1D159}", #"\u{1d159}"#),
    "a Khitan filler": ("a\u{16FE4}", #"a\u{16fe4}"#),
    "a backslash": (#"\"#, #"\u{5c}"#), "a forged escape": (#"\u{a}"#, #"\u{5c}u{a}"#),
  ]

  @Test(arguments: deceptions)
  func `what deceives is made visible`(what: String, text: (given: String, shown: String)) {
    #expect(Array(VisibleText.of(text.given).unicodeScalars) == Array(text.shown.unicodeScalars), "\(what)")
    #expect(!VisibleText.isPlain(text.given), "\(what)")
  }

  /// Scalars alone, all of those where most scripts and controls are and many of the rest, and random texts of the
  /// nastier ones.
  private static let texts: [String] = {
    var random = SplitMix64(seed: 8)
    let values = Array(0..<0x3400) + Array(stride(from: 0x3400, through: 0x10FFFF, by: 61)) + Array(0xE0000...0xE01FF)
    let scalars = values.compactMap(UnicodeScalar.init)
    let nasty =
      (0...0xFF).compactMap(UnicodeScalar.init) + "\u{301}\u{302}\u{202E}\u{2028}\u{FEFF}👋\u{FE0F}u{}".unicodeScalars
    let mixed = (0..<5000).map { _ in
      var text = ""
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        nasty.randomElement(using: &random).map { text.unicodeScalars.append($0) }
      }
      return text
    }
    return scalars.map { String($0) } + mixed
  }()

  @Test func `whatever the text, what is shown is one line of harmless characters`() {
    for text in Self.texts {
      let shown = VisibleText.of(text)
      // But for the backslashes, all that is shown would be shown as it is, behind a letter for the marks among it.
      let harmless = shown.unicodeScalars.allSatisfy { $0 == "\\" || VisibleText.isPlain("a" + String($0)) }
      let isOneLine = !shown.contains(where: \.isNewline)
      if !harmless || !isOneLine { Issue.record("\(text.unicodeScalars.map { String($0.value, radix: 16) })") }
    }
  }

  @Test func `two texts are never shown alike`() throws {
    for text in Self.texts {
      let original = try #require(Self.unescaped(VisibleText.of(text)))
      if !original.elementsEqual(text.unicodeScalars) {
        Issue.record("\(text.unicodeScalars.map { String($0.value, radix: 16) })")
      }
    }
  }

  @Test func `what is shown can be shown again without harm`() {
    let shown = VisibleText.of("a\u{1B}[2J\n\u{202E}b")
    #expect(VisibleText.of(shown) == shown.replacing(#"\"#, with: #"\u{5c}"#))
  }

  @Test(arguments: [
    (#"{"a":"bob"}"#, #"{"a":"bob"}"#), (#"{"a":"\\ \" \n"}"#, #"{"a":"\\ \" \n"}"#),
    ("\"\u{202E}\"", #""\u202e""#), ("\"\u{7F}\u{9B}\"", #""\u007f\u009b""#), ("\"\u{2028}\"", #""\u2028""#),
    ("\"\u{200B}Zoë 明\"", #""\u200bZoë 明""#), ("\"\u{E0041}\"", #""\udb40\udc41""#),
    ("\"\u{301}\"", #""\u0301""#), ("\"a\u{301}\u{302}\u{303}\"", "\"a\u{301}\u{302}\\u0303\""),
  ])
  func `JSON is made harmless without a change of its meaning`(json: String, shown: String) throws {
    #expect(VisibleText.ofJSON(json).unicodeScalars.elementsEqual(shown.unicodeScalars))
  }

  /// The text behind a visible one: each backslash begins an escape.
  private static func unescaped(_ shown: String) -> [UnicodeScalar]? {
    var scalars: [UnicodeScalar] = []
    var rest = Array(shown.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\\" else {
        scalars.append(scalar)
        continue
      }
      guard rest.popFirst() == "u", rest.popFirst() == "{", let end = rest.firstIndex(of: "}") else { return nil }
      let digits = String(String.UnicodeScalarView(rest[..<end]))
      guard let value = UInt32(digits, radix: 16), let original = UnicodeScalar(value) else { return nil }
      scalars.append(original)
      rest = rest[(end + 1)...]
    }
    return scalars
  }
}
