/// Parses JSON (RFC 8259) as strictly as money requires: each name once in an object (RFC 7493 §2.3), no floats,
/// nothing after the value, no deep nesting, only UTF-8.
///
/// Foundation's decoder silently takes the last of two equal names, and reads any number as a float. A proxy that takes
/// the first would then check another request than the vault executes.
package struct JSONParser {
  /// What a document may contain.
  package struct Limits: Sendable {
    /// The greatest number of bytes of a document.
    package let count: Int
    /// The greatest depth of objects and lists.
    let depth: Int
    /// Whether a number with a fraction or an exponent, or one beyond 64 bits, is read as `null`. Otherwise the document
    /// is refused.
    let skipsOtherNumbers: Bool

    /// Makes limits.
    package init(count: Int, depth: Int, skipsOtherNumbers: Bool = false) {
      (self.count, self.depth, self.skipsOtherNumbers) = (count, depth, skipsOtherNumbers)
    }

    /// The limits of the vault's own messages. The depth is theirs, and one more.
    package static let vault = Limits(count: 16 * 1024, depth: 4)
  }

  private let bytes: [UInt8]
  private let limits: Limits
  private var position = 0
  private var depth = 0

  /// Parses a document.
  ///
  /// - Throws: `RequestError`: `tooLarge`, `malformed`, `duplicateField`, or `float`.
  package static func parse(
    _ document: some Collection<UInt8>, within limits: Limits = .vault
  ) throws(RequestError) -> JSONValue {
    guard document.count <= limits.count else {
      throw RequestError(.tooLarge, "the body has more than \(limits.count) bytes")
    }
    var parser = JSONParser(bytes: Array(document), limits: limits)
    parser.skipBlanks()
    let value = try parser.value()
    parser.skipBlanks()
    guard parser.position == parser.bytes.count else { throw parser.malformed("something follows the value") }
    return value
  }

  private init(bytes: [UInt8], limits: Limits) {
    (self.bytes, self.limits) = (bytes, limits)
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private func malformed(_ what: String) -> RequestError {
    RequestError(.malformed, "the body is not JSON: \(what), at byte \(position)")
  }

  /// RFC 8259 §2: space, tab, line feed, carriage return.
  private mutating func skipBlanks() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  private mutating func take(_ text: StaticString) -> Bool {
    let isNext = text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    if isNext { position += text.utf8CodeUnitCount }
    return isNext
  }

  private mutating func value() throws(RequestError) -> JSONValue {
    switch next {
    case UInt8(ascii: "{"): return try nested { (parser) throws(RequestError) in try parser.object() }
    case UInt8(ascii: "["): return try nested { (parser) throws(RequestError) in try parser.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): return try number()
    default:
      if take("true") { return .bool(true) }
      if take("false") { return .bool(false) }
      if take("null") { return .null }
      throw malformed("no value")
    }
  }

  private mutating func nested(
    _ body: (inout Self) throws(RequestError) -> JSONValue
  ) throws(RequestError) -> JSONValue {
    depth += 1
    guard depth <= limits.depth else { throw malformed("it is nested more than \(limits.depth) deep") }
    position += 1
    skipBlanks()
    let value = try body(&self)
    depth -= 1
    return value
  }

  /// Parses an object after `{`.
  private mutating func object() throws(RequestError) -> JSONValue {
    var members: [JSONValue.Member] = []
    var names: Set<String> = []
    if take("}") { return .object([]) }
    repeat {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw malformed("no name") }
      let name = try string()
      // Swift compares strings by Unicode equivalence. Names that are equivalent but differ in bytes are refused too.
      guard names.insert(name).inserted else {
        throw RequestError(.duplicateField, "the field \(RequestError.quoted(name)) occurs twice", field: name)
      }
      skipBlanks()
      guard take(":") else { throw malformed("no colon behind a name") }
      skipBlanks()
      members.append(JSONValue.Member(name, try value()))
      skipBlanks()
    } while take(",")
    guard take("}") else { throw malformed("an object does not end") }
    return .object(members)
  }

  /// Parses a list after `[`.
  private mutating func array() throws(RequestError) -> JSONValue {
    var values: [JSONValue] = []
    if take("]") { return .array([]) }
    repeat {
      skipBlanks()
      values.append(try value())
      skipBlanks()
    } while take(",")
    guard take("]") else { throw malformed("a list does not end") }
    return .array(values)
  }

  /// Parses a number (RFC 8259 §6). One that is no integer of 64 bits is refused, or `null`, as the limits say.
  private mutating func number() throws(RequestError) -> JSONValue {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    let first = position
    let count = digits()
    guard count > 0, count == 1 || bytes[first] != UInt8(ascii: "0") else { throw malformed("no number") }
    let integer = Int64(String(decoding: bytes[start..<position], as: UTF8.self))
    if limits.skipsOtherNumbers {
      let isWhole = try !fraction()
      return isWhole ? integer.map { .integer($0) } ?? .null : .null
    }
    if let byte = next, [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains(byte) {
      throw RequestError(
        .float, "a number has a fraction or an exponent",
        remedy: "Write an amount as a string of decimal digits, such as \"1.00\".")
    }
    guard let integer else { throw malformed("a number does not fit 64 bits") }
    return .integer(integer)
  }

  /// Skips a fraction and an exponent.
  ///
  /// - Returns: whether there is one of them.
  private mutating func fraction() throws(RequestError) -> Bool {
    let start = position
    if take(".") { guard digits() > 0 else { throw malformed("no digits behind a point") } }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      guard digits() > 0 else { throw malformed("no digits in an exponent") }
    }
    return position > start
  }

  /// Skips digits, and returns their number.
  private mutating func digits() -> Int {
    let start = position
    while let byte = next, Self.isDigit(byte) { position += 1 }
    return position - start
  }

  /// Parses a string (RFC 8259 §7) from its opening quote on.
  private mutating func string() throws(RequestError) -> String {
    position += 1
    var content: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: content, as: UTF8.self) else { throw malformed("a string is not UTF-8") }
        return text
      case UInt8(ascii: "\\"): content += Array(String(try escaped()).utf8)
      case ..<0x20: throw malformed("a string has a control character")
      default: content.append(byte)
      }
    }
    throw malformed("a string does not end")
  }

  /// Parses an escape after its backslash. Refuses half a surrogate pair (RFC 7493 §2.1).
  private mutating func escaped() throws(RequestError) -> Unicode.Scalar {
    defer { position += 1 }
    switch next {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let first = try unit()
      if let scalar = Unicode.Scalar(first) { return scalar }
      position += 1
      guard UTF16.isLeadSurrogate(first), take("\\"), next == UInt8(ascii: "u") else {
        throw malformed("half a surrogate pair")
      }
      let second = try unit()
      guard UTF16.isTrailSurrogate(second) else { throw malformed("half a surrogate pair") }
      return UTF16.decode(UTF16.EncodedScalar([first, second]))
    default: throw malformed("an escape that JSON does not have")
    }
  }

  /// Parses the four hex digits after `u`. Stops at the last of them.
  private mutating func unit() throws(RequestError) -> UInt16 {
    let digits = bytes[position...].dropFirst().prefix(4)
    // `UInt16(_:radix:)` accepts a sign too.
    guard
      digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw malformed("no four hex digits behind \\u") }
    position += 4
    return unit
  }
}
