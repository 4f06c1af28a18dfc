import BumpText

/// A JSON value (RFC 8259) with the line on which it begins. An object may have a name only once.
package struct LineJSON: Sendable {
  package enum Value: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number that is not an `Int64`.
    case number(Double)
    case string(String)
    case array([LineJSON])
    case object([(name: String, value: LineJSON)])
  }

  /// The greatest size of a document in bytes, unless another is given.
  package static let limit = 65_536
  /// The greatest depth of lists and objects within each other, unless another is given.
  package static let depth = 8

  package let line: Int
  package let value: Value

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - limit: the greatest size of the document in bytes.
  ///   - depth: the greatest depth of lists and objects within each other.
  package static func read(
    _ document: some Collection<UInt8>, limit: Int = limit, depth: Int = depth
  ) throws(ExperienceError) -> LineJSON {
    guard document.count <= limit else { throw ExperienceError(line: 1, "the file has more than \(limit) bytes") }
    var reader = Reader(bytes: Array(document), depth: depth)
    guard String(validating: reader.bytes, as: UTF8.self) != nil else {
      throw ExperienceError(line: 1, "the file is not UTF-8")
    }
    let value = try reader.value(at: 0)
    guard reader.next == nil else { throw reader.failure("something follows the value") }
    return value
  }

  /// The kind of the value, for messages.
  package var kind: String {
    switch value {
    case .null: "null"
    case .bool: "true or false"
    case .integer, .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

private struct Reader {
  let bytes: [UInt8]
  let depth: Int
  private var position = 0
  private var line = 1

  init(bytes: [UInt8], depth: Int) {
    (self.bytes, self.depth) = (bytes, depth)
  }

  func failure(_ reason: String) -> ExperienceError { ExperienceError(line: line, "this is not JSON: \(reason)") }

  /// The next byte that is not white space.
  var next: UInt8? {
    mutating get {
      while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
        if bytes[position] == 0x0A { line += 1 }
        position += 1
      }
      return position < bytes.count ? bytes[position] : nil
    }
  }

  private mutating func take(_ text: StaticString) -> Bool {
    guard next != nil, text.withUTF8Buffer({ bytes[position...].starts(with: $0) }) else { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  mutating func value(at level: Int) throws(ExperienceError) -> LineJSON {
    guard level <= depth else { throw failure("it is nested more than \(depth) deep") }
    let byte = next
    let start = line
    let value: LineJSON.Value
    if take("{") {
      value = .object(try members(at: level))
    } else if take("[") {
      value = .array(try elements(at: level))
    } else if byte == UInt8(ascii: "\"") {
      value = .string(try string())
    } else if take("true") {
      value = .bool(true)
    } else if take("false") {
      value = .bool(false)
    } else if take("null") {
      value = .null
    } else {
      value = try number()
    }
    return LineJSON(line: start, value: value)
  }

  private mutating func members(at level: Int) throws(ExperienceError) -> [(name: String, value: LineJSON)] {
    var members: [(name: String, value: LineJSON)] = []
    var names: Set<String> = []
    if take("}") { return members }
    repeat {
      guard next == UInt8(ascii: "\"") else { throw failure("no name") }
      let name = try string()
      guard names.insert(name).inserted else { throw failure("\"\(name)\" occurs twice") }
      guard take(":") else { throw failure("no colon behind a name") }
      members.append((name, try value(at: level + 1)))
    } while take(",")
    guard take("}") else { throw failure("an object does not end") }
    return members
  }

  private mutating func elements(at level: Int) throws(ExperienceError) -> [LineJSON] {
    var elements: [LineJSON] = []
    if take("]") { return elements }
    repeat { elements.append(try value(at: level + 1)) } while take(",")
    guard take("]") else { throw failure("a list does not end") }
    return elements
  }

  /// Reads a number (RFC 8259 §6).
  private mutating func number() throws(ExperienceError) -> LineJSON.Value {
    let text = bytes[position...].prefix { ASCII.isDigit($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }
    let digits = text.drop { $0 == UInt8(ascii: "-") }
    // `Double` accepts more than JSON: a plus sign, zeros or a point first, or a point last. It rejects two hyphens.
    guard let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite, let first = digits.first,
      ASCII.isDigit(first), first != UInt8(ascii: "0") || digits.dropFirst().first.map(ASCII.isDigit) != true,
      !digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).dropFirst().contains(where: {
        $0.first.map(ASCII.isDigit) != true
      })
    else { throw failure("no value") }
    position += text.count
    return Int64(String(decoding: text, as: UTF8.self)).map { .integer($0) } ?? .number(number)
  }

  /// Reads a string from its opening quote on.
  private mutating func string() throws(ExperienceError) -> String {
    position += 1
    var content: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"):
        let escapes: [UInt8: UInt8] = [
          UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F, UInt8(ascii: "b"): 0x08,
          UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
        ]
        if position < bytes.count, let escaped = escapes[bytes[position]] {
          content.append(escaped)
          position += 1
        } else {
          content += Array(String(try escapedScalar()).utf8)
        }
      case ..<0x20: throw failure("a string has a control character")
      default: content.append(byte)
      }
    }
    throw failure("a string does not end")
  }
  /// Reads an escape such as `\u0041` from its `u` on. A scalar above U+FFFF is a pair of surrogates (RFC 8259 §7).
  private mutating func escapedScalar() throws(ExperienceError) -> Unicode.Scalar {
    let unit = try escapedUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard bytes[position...].first == UInt8(ascii: "\\"), unit < 0xDC00 else {
      throw failure("half a pair of surrogates")
    }
    position += 1
    let low = try escapedUnit()
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x1_0000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    else { throw failure("half a pair of surrogates") }
    return scalar
  }

  private mutating func escapedUnit() throws(ExperienceError) -> UInt32 {
    let digits = bytes[position...].dropFirst().prefix(4)
    guard bytes[position...].first == UInt8(ascii: "u"), digits.count == 4, digits.allSatisfy(ASCIISet.hex.contains),
      let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw failure("an escape that is not known here") }
    position += 5
    return unit
  }
}
