import BumpText
import Samples
import Testing

@Suite struct VisibleTextTests {
  @Test(arguments: [
    "", "alice", "Alice B. (home)", "Zoë", "Đặng Thị", "e\u{323}\u{302}", "明日香", "Ελένη", "دانة", "👋🏽", "🇨🇭",
    "1/2 $5 'x' \"y\" #&;|`<>",
    // Three and four marks on a letter: Tibetan, pointed Hebrew, vowelled Arabic, polytonic Greek, Burmese.
    "\u{F66}\u{F92}\u{FB2}\u{F7C}\u{F63}\u{F0B}\u{F58}", "\u{5E9}\u{5C1}\u{5BC}\u{5B8}\u{5DC}\u{5D5}\u{5B9}\u{5DD}",
    "\u{644}\u{651}\u{64E}\u{670}\u{647}", "\u{3B1}\u{313}\u{301}\u{345}", "\u{101C}\u{103E}\u{102F}\u{1036}\u{1037}",
  ])
  func `a harmless text is shown as it is`(text: String) {
    #expect(VisibleText.of(text) == text)
    #expect(VisibleText.isPlain(text))
  }

  /// RFC 5892, Appendix A.1 and A.2; Unicode UTS #51.
  @Test(arguments: [
    "a Persian name": "\u{639}\u{644}\u{6CC}\u{200C}\u{631}\u{636}\u{627}",
    "a non-joiner behind a vowel": "\u{628}\u{64E}\u{200C}\u{628}",
    "a non-joiner behind a virama": "\u{930}\u{93E}\u{92E}\u{94D}\u{200C}\u{92F}",
    "a joiner behind a virama": "\u{D85}\u{DC1}\u{DCA}\u{200D}\u{DBB}\u{DD3}",
    "a final consonant of Malayalam": "\u{D30}\u{D3E}\u{D1C}\u{D28}\u{D4D}\u{200D}",
    "a family": "👩\u{200D}👩\u{200D}👧\u{200D}👦", "a skin colour and a selector": "👩🏽\u{200D}⚕\u{FE0F}",
    "a ya behind a whole Bengali ra": "\u{9B0}\u{200D}\u{9CD}\u{9AF}\u{9BE}\u{9AC}",
    "a ya behind a whole Assamese ra": "\u{9F0}\u{200D}\u{9CD}\u{9AF}",
    "a whole Kannada ra": "\u{CB0}\u{200D}\u{CCD}\u{C95}",
    "keycaps": "1\u{FE0F}\u{20E3}#\u{FE0F}\u{20E3} *\u{FE0F}\u{20E3}",
    "a flag": "🏳\u{FE0F}\u{200D}🌈", "a heart": "Zoë ❤\u{FE0F}", "a burning heart": "❤\u{FE0F}\u{200D}🔥",
  ])
  func `an invisible character that a script or an emoji needs stays`(what: String, text: String) {
    #expect(VisibleText.of(text).unicodeScalars.elementsEqual(text.unicodeScalars), "\(what)")
    #expect(VisibleText.isPlain(text), "\(what)")
  }

  static let joiners: [String: (given: String, shown: String)] = [
    "between Latin letters": ("a\u{200D}b", #"a\u{200d}b"#),
    "behind a letter that does not join": ("\u{627}\u{200C}\u{628}", "\u{627}\\u{200c}\u{628}"),
    "before a letter that does not join": ("\u{628}\u{200C}a", "\u{628}\\u{200c}a"),
    "a joiner where letters join anyway": ("\u{628}\u{200D}\u{628}", "\u{628}\\u{200d}\u{628}"),
    "at the end": ("\u{628}\u{200C}", "\u{628}\\u{200c}"), "at the beginning": ("\u{200C}\u{628}", "\\u{200c}\u{628}"),
    "twice": ("\u{628}\u{200C}\u{200C}\u{628}", "\u{628}\\u{200c}\\u{200c}\u{628}"),
    "before what is escaped": ("👩\u{200D}\u{202E}👩", #"👩\u{200d}\u{202e}👩"#),
    "behind what is escaped": ("\u{94D}\u{200D}", #"\u{94d}\u{200d}"#),
    "a non-joiner behind a virama at the end": ("\u{915}\u{94D}\u{200C}", "\u{915}\u{94D}\\u{200c}"),
    "twice behind a virama": ("\u{915}\u{94D}\u{200D}\u{200D}", "\u{915}\u{94D}\u{200D}\\u{200d}"),
    "with a mark behind": ("\u{915}\u{94D}\u{200D}\u{301}", "\u{915}\u{94D}\u{200D}\\u{301}"),
    "behind one emoji": ("👩\u{200D}", #"👩\u{200d}"#), "before a letter": ("👩\u{200D}a", #"👩\u{200d}a"#),
    "behind a flag's letters": ("🇨🇭\u{200D}👩", #"🇨🇭\u{200d}👩"#), "behind a digit": ("1\u{200D}👩", #"1\u{200d}👩"#),
    "a selector behind a letter": ("a\u{FE0F}", #"a\u{fe0f}"#),
    "a selector behind a digit": ("1\u{FE0F}", #"1\u{fe0f}"#), "before a digit": ("1\u{FE0F}2", #"1\u{fe0f}2"#),
    "a keycap on a letter": ("a\u{FE0F}\u{20E3}", #"a\u{fe0f}\u{20e3}"#),
    "a keycap behind a mark": ("1\u{301}\u{FE0F}\u{20E3}", "1\u{301}\\u{fe0f}\\u{20e3}"),
    "two keycaps": ("1\u{FE0F}\u{20E3}\u{20E3}", "1\u{FE0F}\u{20E3}\\u{20e3}"),
    "behind a Bengali ra alone": ("\u{9B0}\u{200D}", "\u{9B0}\\u{200d}"),
    "before another script's virama": ("\u{9B0}\u{200D}\u{94D}", "\u{9B0}\\u{200d}\\u{94d}"),
    "behind another letter of Bengali": ("\u{995}\u{200D}\u{9CD}", "\u{995}\\u{200d}\\u{9cd}"),
    "two marks behind a joiner": ("\u{9B0}\u{200D}\u{9CD}\u{981}", "\u{9B0}\u{200D}\u{9CD}\\u{981}"),
    "two selectors": ("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}\\u{fe0f}"),
    "a selector behind what is an emoji without it": ("👋\u{FE0F}", #"👋\u{fe0f}"#),
  ]

  @Test(arguments: joiners)
  func `an invisible character that nothing needs is made visible`(
    what: String, text: (given: String, shown: String)
  ) {
    #expect(VisibleText.of(text.given).unicodeScalars.elementsEqual(text.shown.unicodeScalars), "\(what)")
    #expect(!VisibleText.isPlain(text.given), "\(what)")
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
    "a variation selector": ("❤\u{FE0E}", #"❤\u{fe0e}"#), "a tag": ("\u{E0041}", #"\u{e0041}"#),
    "a private character": ("\u{E000}", #"\u{e000}"#), "an unassigned one": ("\u{378}", #"\u{378}"#),
    "a noncharacter": ("\u{FFFF}", #"\u{ffff}"#), "an interlinear annotation": ("\u{FFF9}", #"\u{fff9}"#),
    "a fifth mark in a row": (
      "a\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}b", "a\u{301}\u{302}\u{303}\u{304}\\u{305}\\u{306}b"
    ), "a mark twice": ("a\u{301}\u{301}b", "a\u{301}\\u{301}b"),
    "enclosing marks": ("a\u{20DD}\u{20DE}\u{20DF}", "a\u{20DD}\u{20DE}\\u{20df}"),
    "a mark that has nothing before it": ("\u{301}a", #"\u{301}a"#),
    "a mark behind an escape": ("a\n\u{338}b", #"a\u{a}\u{338}b"#),
    "sixty-two bytes of marks": (
      String(repeating: "\u{334}", count: 31), String(repeating: #"\u{334}"#, count: 31)
    ), "a mark on a quote": ("\"\u{301}", #""\u{301}"#),
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
      (0...0xFF).compactMap(UnicodeScalar.init)
      + "\u{301}\u{302}\u{202E}\u{2028}\u{FEFF}👋\u{FE0F}❤\u{200C}\u{200D}\u{628}\u{915}\u{94D}\u{9B0}\u{9CD}\u{20E3}u{}"
      .unicodeScalars
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
      // But for the backslashes and joiners, all that is shown would be shown as it is, behind a letter for the marks.
      let harmless = shown.unicodeScalars.allSatisfy {
        "\\\u{200C}\u{200D}\u{FE0F}".unicodeScalars.contains($0) || VisibleText.isPlain("a" + String($0))
      }
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
    for text in Self.texts {
      let shown = VisibleText.of(text)
      let again = shown.unicodeScalars.map { $0 == "\\" ? #"\u{5c}"# : String($0) }.joined()
      if !VisibleText.of(shown).utf8.elementsEqual(again.utf8) { Issue.record("\(shown)") }
    }
  }

  @Test(arguments: [
    (#"{"a":"bob"}"#, #"{"a":"bob"}"#), (#"{"a":"\\ \" \n"}"#, #"{"a":"\\ \" \n"}"#),
    ("\"\u{202E}\"", #""\u202e""#), ("\"\u{7F}\u{9B}\"", #""\u007f\u009b""#), ("\"\u{2028}\"", #""\u2028""#),
    ("\"\u{200B}Zoë 明\"", #""\u200bZoë 明""#), ("\"\u{E0041}\"", #""\udb40\udc41""#),
    ("\"\u{301}\"", #""\u0301""#), ("\"a\u{301}\u{301}\"", "\"a\u{301}\\u0301\""),
    ("\"\u{6CC}\u{200C}\u{631} \u{200C}\"", "\"\u{6CC}\u{200C}\u{631} \\u200c\""),
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
