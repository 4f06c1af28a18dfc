import Testing

@testable import BumpClaims

@Suite struct DisplayNameTests {
  @Test(arguments: [
    "a", "alice", "Zoë", "明日香", "👋", "Alice & Bob", "O'Neil", String(repeating: "é", count: 31) + "x",
    "\u{F66}\u{F92}\u{FB2}\u{F7C}\u{F63}\u{F0B}\u{F58}", "\u{639}\u{644}\u{6CC}\u{200C}\u{631}\u{636}\u{627}",
    "👩\u{200D}👧 ❤\u{FE0F}",
  ])
  func `a name for oneself is shown as it is`(text: String) throws {
    #expect(try DisplayName(own: text).visible == text)
  }

  @Test(arguments: [
    "nothing": "", "a space": " ", "spaces": "   ", "64 bytes": String(repeating: "é", count: 32),
    "a line end": "alice\n",
    "a tab": "alice\tbob", "an escape": "\u{1B}[31malice", "a bidirectional override": "alice\u{202E}bob",
    "a zero width space": "al\u{200B}ice", "a no-break space": "al\u{A0}ice", "a backslash": #"alice\bob"#,
    "a NUL": "alice\0", "a joiner": "al\u{200D}ice",
    "too many marks": "a\u{301}\u{301}\u{301}",
  ])
  func `a name for oneself that would not be shown as it is is refused`(why: String, text: String) {
    let error = #expect(throws: ClaimError.self, "\(why)") { try DisplayName(own: text) }
    #expect(error?.code == .displayName)
  }

  @Test(arguments: ["", "   ", "\n", String(repeating: "\u{202E}", count: 21)])
  func `a stranger may have any other name of sixty-three bytes`(text: String) throws {
    #expect(try DisplayName(text).text == text)
  }

  @Test(arguments: [64, 65, 1000])
  func `a name past sixty-three bytes is refused`(count: Int) {
    #expect(throws: ClaimError(.displayName, "")) { try DisplayName(String(repeating: "a", count: count)) }
  }

  @Test(arguments: ["\0", "bob\0evil", "alice\0", "\0alice"])
  func `a name with a zero is refused, since a part of it is another's name`(text: String) {
    #expect(throws: ClaimError(.displayName, "")) { try DisplayName(text) }
  }

  @Test(arguments: [
    ("", "(no name)"), (" ", "(no name)"), ("   ", "(no name)"), ("bob\n", #"bob\u{a}"#), ("bob", "bob"),
  ])
  func `a name is always something to see`(text: String, visible: String) throws {
    #expect(try DisplayName(text).visible == visible)
  }

  @Test func `a name prints as it is shown`() throws {
    let name = try DisplayName("\u{1B}]0;owned\u{7}")
    #expect("\(name)" == name.visible)
    #expect(!"\(name)".unicodeScalars.contains("\u{1B}"))
    #expect(!String(reflecting: name).unicodeScalars.contains("\u{1B}"))
  }
}
