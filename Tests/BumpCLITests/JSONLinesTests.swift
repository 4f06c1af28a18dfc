import BumpClaims
import BumpText
import Lab
import Testing

@testable import BumpCLI
@testable import BumpTerminal

@Suite struct JSONLinesTests {
  static let names = [
    "bob", "Zoë", "明日香", "👋🏽", #"a "quoted" \name"#, "a\nb\t\0", "\u{1B}]52;c;cm0gLXJm\u{7}", "\u{9B}2J", "a\u{7F}",
    "a\u{202E}b", "\u{2066}\u{200B}\u{FEFF}", "a\u{2028}\u{2029}\u{85}b", "❤\u{FE0F}", "\u{E0041}", "\u{2800}",
    String(repeating: "\u{301}", count: 31), "a" + String(repeating: "\u{301}", count: 31),
  ]

  @Test(arguments: names)
  func `whatever a name, its line is harmless to show and means the name`(name: String) throws {
    let line = JSONLines(true).line("found", ["name": .string(name)])
    #expect(VisibleText.isPlain(line.replacing("\\", with: "")), "\(line.debugDescription)")
    let object = try JSONObject(line)
    #expect(object.string("event") == "found")
    #expect(object.string("name")?.unicodeScalars.elementsEqual(name.unicodeScalars) == true, "\(line)")
  }

  @Test func `a harmless name stands there as it is`() {
    #expect(JSONLines(true).line("found", ["name": "Zoë 明 👋🏽"]).contains(#""name":"Zoë 明 👋🏽""#))
  }
}
