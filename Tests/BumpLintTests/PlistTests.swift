import Foundation
import Testing

@testable import BumpLint

/// Property lists, and those that somebody made to do harm.
@Suite struct PlistTests {
  private func reason(_ bytes: [UInt8]) -> String? {
    do throws(Malformed) {
      _ = try Plist.read(bytes)
      return nil
    } catch {
      return error.reason
    }
  }

  private func reason(_ content: String) -> String? { reason(Array(SampleProject.plist(content).utf8)) }

  /// A binary property list of objects, the first of which is on top.
  private func binary(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [objects.count, Int(top), table] {
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
    return bytes
  }

  @Test func `texts are read with their references, sections and comments`() throws {
    let plist = try Plist.read(
      Array(SampleProject.plist("<key>a</key><string>1 &lt; <![CDATA[2 &lt;]]><!-- no --> &#x33;&#52;</string>").utf8))
    #expect(plist["a"]?.string == "1 < 2 &lt; 34")
  }

  @Test func `a byte order mark before a property list is passed over`() throws {
    let text = SampleProject.plist("<key>a</key><string>x</string>")
    let plist = try Plist.read([0xEF, 0xBB, 0xBF] + Array(text.utf8))
    #expect(plist["a"]?.string == "x" && plist["a"]?.line == 5)
  }

  @Test(arguments: [("UTF-16", [UInt8]([0xFF, 0xFE])), ("UTF-16", [0xFE, 0xFF]), ("UTF-32", [0, 0, 0xFE, 0xFF])])
  func `a property list in another encoding is said to be, with what to do`(encoding: String, mark: [UInt8]) {
    let units = SampleProject.plist("").utf8.flatMap { byte -> [UInt8] in [0, byte] }
    let findings = Linter.findings(in: [SourceFile(path: "App-Info.plist", content: mark + units)])
    #expect(findings.map(\.what) == ["the file is in \(encoding), which is not read here"])
    #expect(findings.map(\.mend) == ["Save the file as UTF-8"] && findings.map(\.rule) == [.unreadable])
  }

  @Test func `a line is that on which a value begins`() throws {
    let plist = try Plist.read(
      Array(SampleProject.plist("<key>a</key>\n<!-- \n -->\n<array>\n<string>x\n\ny</string>\n<true/></array>").utf8))
    #expect(plist.member("a")?.line == 5)
    #expect(plist["a"]?.line == 8)
    #expect(plist["a"]?.elements?.map(\.line) == [9, 12])
  }

  @Test func `every value of the binary format is read`() throws {
    let long = String(repeating: "y", count: 300)
    let value: [String: Any] = [
      "string": "x", "long": long, "wide": "é\u{1F600}", "yes": true, "no": false, "small": 1, "large": Int64.max,
      "negative": -5, "real": 1.5, "date": Date(timeIntervalSince1970: 0), "data": Data([1, 2]), "list": ["a", "b"],
      "many": [Int](0..<400),
    ]
    let plist = try Plist.read(
      Array(try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)))
    #expect(plist["string"]?.string == "x" && plist["long"]?.string == long && plist["wide"]?.string == "é\u{1F600}")
    #expect(
      plist["yes"]?.bool == true && plist["no"]?.bool == false && plist["list"]?.strings.map(\.text) == ["a", "b"])
    for (name, number) in [("small", 1), ("large", Int64.max), ("negative", -5)] {
      guard case .integer(number)? = plist[name]?.value else {
        Issue.record("\(name)")
        continue
      }
    }
    for name in ["real", "date", "data"] {
      guard case .other? = plist[name]?.value else {
        Issue.record("\(name)")
        continue
      }
    }
    #expect(plist["many"]?.elements?.count == 400)
  }

  @Test(arguments: [
    ("<key>a</key>", "the key a has no value"), ("<string>a</string>", "a dictionary has keys and values"),
    ("<key>a</key><true/><key>a</key><true/>", "the key a occurs twice"),
    ("<key>a</key><integer>1x</integer>", "this is not an integer of at most 64 bits"),
    ("<key>a</key><string>&own;</string>", "a reference that is not known"),
    ("<key>a</key><string>&#xD800;</string>", "a reference that is not known"),
    ("<key>a</key><string>&#x+41;</string>", "a reference that is not known"),
    ("<key>a</key><string>&#+65;</string>", "a reference that is not known"),
    ("<key>a</key><string><b/></string>", "<string> holds another element"),
    ("<key>a</key><url>x</url>", "<url> is not a property list value"),
    ("text", "text where a tag is expected"), ("<!-- ", "what begins here does not end"),
  ]) func `what is wrong in XML is named`(content: String, words: String) {
    #expect(reason(content) == words)
  }

  @Test func `a document that declares entities is refused before any is used`() {
    let bomb = """
      <?xml version="1.0"?>
      <!DOCTYPE plist [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
      <plist version="1.0"><string>&b;</string></plist>
      """
    #expect(reason(Array(bomb.utf8)) == "the document type has declarations of its own")
  }

  @Test func `a property list may be nested so deep and no deeper`() {
    func nested(_ count: Int) -> String {
      "<key>a</key>" + String(repeating: "<array>", count: count) + String(repeating: "</array>", count: count)
    }
    #expect(reason(nested(Plist.depth)) == nil)
    #expect(reason(nested(Plist.depth + 1)) == "it is nested more than 32 deep")
    #expect(reason(String(repeating: "<array>", count: 100_000)) != nil)
  }

  @Test func `a line of a megabyte is read`() throws {
    let text = String(repeating: "x", count: 1_000_000)
    let plist = try Plist.read(Array(SampleProject.plist("<key>a</key><string>\(text)</string>").utf8))
    #expect(plist["a"]?.string == text)
  }

  @Test func `binary references in a circle end`() {
    #expect(reason(binary([[0xA1, 0]])) == "it is nested more than 32 deep")
    #expect(reason(binary([[0xA1, 1], [0xD1, 2, 0], [0x51, 0x61]])) == "it is nested more than 32 deep")
  }

  @Test func `few binary objects that stand for endless values are refused`() {
    // Each of twenty lists has the next one ten times.
    let objects = (1...20).map { [0xAA] + [UInt8](repeating: UInt8($0), count: 10) } + [[0x51, 0x61]]
    #expect(reason(binary(objects)) == "it has more than 100000 values")
  }

  private static let broken: [(what: String, rest: [UInt8])] = [
    ("bplist00", []), ("bplist15", [UInt8](repeating: 0, count: 40)), ("bplist00", [UInt8](repeating: 0, count: 32)),
    ("bplist00", [UInt8](repeating: 0xFF, count: 64)), ("bplist00", [UInt8](repeating: 1, count: 64)),
  ]

  @Test(arguments: broken) func `what breaks off in binary is refused`(what: String, rest: [UInt8]) {
    #expect(reason(Array(what.utf8) + rest) != nil, "\(what)")
  }

  private static let invalid: [(what: String, objects: [[UInt8]])] = [
    ("a reference to no object", [[0xA1, 9]]), ("a list beyond its place", [[0xAF, 0x11, 0xFF, 0xFF]]),
    ("a length of eight bytes", [[0x5F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]]),
    ("a length that is negative", [[0x5F, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]]),
    ("a length of a text", [[0x5F, 0x51, 0x61]]), ("a text of half a character", [[0x61, 0xD8, 0x00]]),
    ("a text beyond ASCII", [[0x51, 0xC3]]), ("an unknown kind", [[0x70]]),
    ("a key that is a number", [[0xD1, 1, 1], [0x10, 1]]),
    ("a key that occurs twice", [[0xD2, 1, 1, 1, 1], [0x51, 0x61]]),
  ]

  @Test(arguments: invalid) func `a binary object that is not valid is refused`(what: String, objects: [[UInt8]]) {
    #expect(reason(binary(objects)) != nil, "\(what)")
  }

  /// Every byte of a list with every kind of value, changed and cut off: it is read or refused, and the program goes on.
  @Test func `no change of a byte is more than a refusal`() throws {
    let value: [String: Any] = ["a": ["x", "é", 1, 300, true, 1.5] as [Any], "b": Data([1]), "c": Date()]
    let bytes = Array(try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0))
    var refused = 0
    for place in bytes.indices {
      for mask: UInt8 in [1, 0x80, 0xFF] {
        var changed = bytes
        changed[place] ^= mask
        if reason(changed) != nil { refused += 1 }
      }
      if reason(Array(bytes[..<place])) != nil { refused += 1 }
    }
    #expect(refused > bytes.count)
  }
}
