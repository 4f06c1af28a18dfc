import BumpClip
import BumpText

/// Reads the elements and texts of an XML document (XML 1.0), as far as property lists and schemes need them: in UTF-8,
/// without entities of the document's own. It does not check that start and end tags match.
struct XMLScanner {
  enum Token {
    case start(name: String, attributes: [String: String], isEmpty: Bool)
    case end(name: String)
    /// Text between tags, with its references resolved.
    case text(String)
  }

  private let bytes: [UInt8]
  private var position = 0
  /// The line of the next character to read.
  private(set) var line = 1

  /// - Throws: `Malformed` if the bytes are not UTF-8. A byte order mark may be before them (XML 1.0, §4.3.3).
  init(_ bytes: [UInt8]) throws(Malformed) {
    if let mark = ByteOrderMark(bytes), mark != .utf8 {
      throw Malformed("the file is in \(mark.rawValue), which is not read here", mend: "Save the file as UTF-8")
    }
    self.bytes = Array(bytes.withoutByteOrderMark)
    guard String(validating: self.bytes, as: UTF8.self) != nil else { throw Malformed("the file is not UTF-8") }
  }

  /// Returns the next token; `nil` at the end.
  mutating func next() throws(Malformed) -> Token? {
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<") else { return .text(try text()) }
      if take("<!--") {
        try skip(past: "-->")
      } else if take("<![CDATA[") {
        let start = position
        try skip(past: "]]>")
        return .text(String(decoding: bytes[start..<position - 3], as: UTF8.self))
      } else if take("<?") {
        try skip(past: "?>")
      } else if take("<!DOCTYPE") {
        try skipDoctype()
      } else if take("</") {
        let name = try name()
        skipSpace()
        guard take(">") else { throw failure("an end tag does not end") }
        return .end(name: name)
      } else {
        position += 1
        return try start()
      }
    }
    return nil
  }

  func failure(_ reason: String) -> Malformed { Malformed(reason, line: line) }

  private mutating func take(_ word: StaticString) -> Bool {
    guard word.withUTF8Buffer({ bytes[position...].starts(with: $0) }) else { return false }
    position += word.utf8CodeUnitCount
    return true
  }

  private mutating func step() {
    if bytes[position] == 0x0A { line += 1 }
    position += 1
  }

  private mutating func skip(past word: StaticString) throws(Malformed) {
    let start = line
    while position < bytes.count {
      if take(word) { return }
      step()
    }
    throw Malformed("what begins here does not end", line: start)
  }

  /// Skips the document type. Rejects declarations in it: entities could turn a few bytes into megabytes.
  private mutating func skipDoctype() throws(Malformed) {
    let start = line
    var quote: UInt8?
    while position < bytes.count {
      let byte = bytes[position]
      step()
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "[") {
        throw failure("the document type has declarations of its own")
      } else if byte == UInt8(ascii: ">") {
        return
      }
    }
    throw Malformed("the document type does not end", line: start)
  }

  private mutating func skipSpace() {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { step() }
  }

  /// Reads a name: in ASCII all but white space and delimiters, and anything above.
  private mutating func name() throws(Malformed) -> String {
    let name = bytes[position...].prefix { byte in
      byte >= 0x80 || ![0x20, 0x09, 0x0A, 0x0D].contains(byte) && !"<>/=\"'&".utf8.contains(byte)
    }
    guard !name.isEmpty, name.count <= 256 else { throw failure("a tag has no name") }
    position += name.count
    return String(decoding: name, as: UTF8.self)
  }

  private mutating func start() throws(Malformed) -> Token {
    let name = try name()
    var attributes: [String: String] = [:]
    while true {
      skipSpace()
      if take(">") { return .start(name: name, attributes: attributes, isEmpty: false) }
      if take("/>") { return .start(name: name, attributes: attributes, isEmpty: true) }
      let attribute = try self.name()
      skipSpace()
      guard take("=") else { throw failure("an attribute has no value") }
      skipSpace()
      guard position < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[position]) else {
        throw failure("an attribute has no value")
      }
      let quote = bytes[position]
      position += 1
      attributes[attribute] = try text(until: quote)
      guard position < bytes.count else { throw failure("an attribute does not end") }
      position += 1
    }
  }

  /// Reads up to a byte, which is not consumed, or to the end.
  private mutating func text(until end: UInt8 = UInt8(ascii: "<")) throws(Malformed) -> String {
    var text: [UInt8] = []
    while position < bytes.count, bytes[position] != end {
      if bytes[position] == UInt8(ascii: "&") {
        text += Array(String(try reference()).utf8)
      } else {
        text.append(bytes[position])
        step()
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads a reference: one of the five that XML defines, or the number of a character.
  private mutating func reference() throws(Malformed) -> Unicode.Scalar {
    let name = bytes[position...].dropFirst().prefix(10).prefix { $0 != UInt8(ascii: ";") }
    let text = String(decoding: name, as: UTF8.self)
    let scalar: Unicode.Scalar? =
      switch text {
      case "lt": "<"
      case "gt": ">"
      case "amp": "&"
      case "quot": "\""
      case "apos": "'"
      default:
        if text.hasPrefix("#x") {
          Self.scalar(text.dropFirst(2), radix: 16)
        } else if text.hasPrefix("#") {
          Self.scalar(text.dropFirst(), radix: 10)
        } else {
          nil
        }
      }
    position += 1 + name.count
    guard let scalar, take(";") else { throw failure("a reference that is not known") }
    return scalar
  }

  /// Returns the character of a number, which has digits alone: Swift would take a sign too.
  private static func scalar(_ digits: Substring, radix: Int) -> Unicode.Scalar? {
    digits.allSatisfy(\.isHexDigit) ? UInt32(digits, radix: radix).flatMap(Unicode.Scalar.init) : nil
  }
}
