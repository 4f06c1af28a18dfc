import BumpClaims
import BumpText
import Samples
import Testing

@testable import BumpVaultAPI

/// RFC 8259, as strict as money wants it.
struct JSONTests {
  private func parse(_ text: String) throws(RequestError) -> JSONValue { try JSONParser.parse(text.utf8) }

  private func code(_ text: String) -> RequestError.Code? {
    do {
      _ = try parse(text)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `each kind of value is read as what it is`() throws {
    #expect(
      try parse(#" {"a" : [1, -2, 0], "b":{"c":null},"d":true,"e":false,"f":"" } "#) == [
        "a": [1, -2, 0], "b": .object([.init("c", .null)]), "d": true, "e": false, "f": "",
      ])
    #expect(try parse("[]") == [] && parse("{}") == .object([]))
    #expect(try parse("9223372036854775807") == .integer(.max) && parse("-9223372036854775808") == .integer(.min))
  }

  @Test func `escapes are read as the characters that they stand for`() throws {
    #expect(try parse(#""\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\uDE00""#) == "\"\\/\u{8}\u{C}\n\r\tAé😀")
    #expect(try parse(#""\u0000""#) == "\u{0}")
  }

  @Test(arguments: [
    "", " ", "{", "}", "[", "[1", "[1,]", "[,1]", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{a:1}"#, #"{"a":1"#,
    "nul", "True", "01", "-", "-01", "+1", "0x1", "NaN", "Infinity", "1 2", #""a" "b""#, #"{"a":1}x"#, "'a'", #"""#,
    #""a"#, "\"\n\"", "\"\u{0}\"", #""\x""#, #""\u12""#, #""\u+041""#, #""\u12g4""#, #""\ud800""#, #""\udc00""#,
    #""\ud800\u0041""#, #""\ud800\ud800""#, #""\ud800x""#, "// a\n1", "9223372036854775808", "-9223372036854775809",
    "\u{FEFF}1",
  ])
  func `what is not JSON is refused`(text: String) {
    #expect(code(text) == .malformed)
  }

  @Test(arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] as [[UInt8]])
  func `a string that is not UTF-8 is refused`(bytes: [UInt8]) {
    #expect(throws: RequestError(.malformed, "")) { try JSONParser.parse(bytes) }
  }

  @Test(arguments: ["1.0", "0.5", "1e2", "1E2", "-0.0", "[1.5]", #"{"amount":1.00}"#])
  func `a float is refused for what it is`(text: String) {
    #expect(code(text) == .float)
  }

  @Test(arguments: [
    #"{"amount":"1","amount":"2"}"#, #"{"amount":"1","b":2,"amount":"1"}"#, #"{"a":{"b":1,"b":1}}"#,
    #"{"amount":1,"\u0061mount":1}"#, "{\"\u{E9}\":1,\"e\u{301}\":1}",
  ])
  func `a name that occurs twice is refused, however it is written`(text: String) {
    #expect(code(text) == .duplicateField)
  }

  @Test func `four values within each other are read, five are refused`() {
    #expect(code("[[[[1]]]]") == nil && code(#"{"a":{"a":{"a":{}}}}"#) == nil)
    #expect(code("[[[[[1]]]]]") == .malformed && code(#"{"a":{"a":{"a":{"a":[]}}}}"#) == .malformed)
    // Nothing is left to a stack.
    #expect(code(String(repeating: "[", count: 16_000)) == .malformed)
  }

  @Test func `with limits of its own, a document may be longer and deeper`() throws {
    let limits = JSONParser.Limits(count: 100_000, depth: 5)
    let long = "\"" + String(repeating: "a", count: 99_998) + "\""
    #expect(throws: Never.self) { try JSONParser.parse(long.utf8, within: limits) }
    #expect(throws: RequestError(.tooLarge, "")) { try JSONParser.parse((long + " ").utf8, within: limits) }
    #expect(throws: Never.self) { try JSONParser.parse("[[[[[1]]]]]".utf8, within: limits) }
    #expect(throws: RequestError(.malformed, "")) { try JSONParser.parse("[[[[[[1]]]]]]".utf8, within: limits) }
    #expect(throws: RequestError(.float, "")) { try JSONParser.parse("1.0".utf8, within: limits) }
  }

  @Test func `where nobody reads them, floats and longer numbers are null, and still have to be numbers`() throws {
    let limits = JSONParser.Limits(count: 1000, depth: 4, skipsOtherNumbers: true)
    for text in ["1.5", "-0.0", "1e2", "1E-2", "1.5e+10", "9223372036854775808"] {
      #expect(try JSONParser.parse(text.utf8, within: limits) == .null)
    }
    #expect(try JSONParser.parse("[1,-2,0]".utf8, within: limits) == [1, -2, 0])
    for text in ["1.", ".5", "1e", "1e+", "01.5", "1.e5", "1.5.5", "-", "1e5e5"] {
      #expect(throws: RequestError(.malformed, "")) { try JSONParser.parse(text.utf8, within: limits) }
    }
  }

  @Test func `16 KiB are read, one byte more is refused`() {
    let longest = "\"" + String(repeating: "a", count: 16 * 1024 - 2) + "\""
    #expect(code(longest) == nil)
    #expect(code(longest + " ") == .tooLarge)
  }

  @Test func `what is written is read as the same value`() throws {
    var chance = SplitMix64(seed: 7)
    for _ in 0..<2_000 {
      let value = Self.value(depth: 3, &chance)
      #expect(try JSONParser.parse(value.encoded) == value, "\(value.text)")
    }
  }

  /// A value by chance, of names that are all different.
  private static func value(depth: Int, _ chance: inout SplitMix64) -> JSONValue {
    let texts = ["", "a", "\"\\/", "\u{0}\u{1F}", "é\u{2028}", "😀", #"\u0041"#]
    switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &chance) {
    case 0: return .null
    case 1: return .bool(.random(using: &chance))
    case 2: return .integer(.random(in: .min ... .max, using: &chance))
    case 3: return .string(texts[Int.random(in: 0..<texts.count, using: &chance)])
    case 4: return .array((0..<3).map { _ in value(depth: depth - 1, &chance) })
    default:
      return .object(texts.prefix(3).map { JSONValue.Member($0, value(depth: depth - 1, &chance)) })
    }
  }

  @Test func `names of strangers are shown harmless and short`() {
    let name = "\u{1B}[2J" + String(repeating: "a", count: 100)
    #expect(throws: RequestError(.duplicateField, "")) {
      try parse("{\(JSONValue.string(name).text):1,\(JSONValue.string(name).text):1}")
    }
    let shown = RequestError.quoted(name)
    #expect(VisibleText.isPlain(String(shown.dropFirst().dropLast().filter { $0 != "\\" })) && shown.count < 90)
  }
}
