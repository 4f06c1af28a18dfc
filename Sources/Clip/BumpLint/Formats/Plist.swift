/// A property list in either of its formats, XML or binary.
struct Plist: Sendable {
  enum Value: Sendable {
    case string(String)
    case bool(Bool)
    case integer(Int64)
    /// A number with a fraction, a date or data, none of which is checked here.
    case other
    case array([Plist])
    case dictionary([Member])
  }

  struct Member: Sendable {
    let key: String
    /// The line of the key; `nil` in a binary property list.
    let line: Int?
    let value: Plist
  }

  /// The greatest depth of arrays and dictionaries within each other.
  static let depth = 32

  let value: Value
  /// The line on which the value begins; `nil` in a binary property list.
  let line: Int?

  /// Reads a property list.
  static func read(_ bytes: [UInt8]) throws(Malformed) -> Plist {
    bytes.starts(with: "bplist".utf8) ? try BinaryPlist.read(bytes) : try XMLPlist.read(bytes)
  }

  /// Returns the member of a dictionary with this key; `nil` if there is none, or if this is not a dictionary.
  func member(_ key: String) -> Member? {
    guard case .dictionary(let members) = value else { return nil }
    return members.first { $0.key == key }
  }

  subscript(_ key: String) -> Plist? { member(key)?.value }

  var string: String? {
    if case .string(let string) = value { string } else { nil }
  }

  var bool: Bool? {
    if case .bool(let bool) = value { bool } else { nil }
  }

  var elements: [Plist]? {
    if case .array(let elements) = value { elements } else { nil }
  }

  /// The strings of an array, or the value itself if it is a string.
  var strings: [(text: String, line: Int?)] {
    (elements ?? [self]).compactMap { element in element.string.map { ($0, element.line) } }
  }
}

/// The error for a file that cannot be read.
struct Malformed: Error {
  /// The line; `nil` if the format has no lines.
  let line: Int?
  /// What is wrong, as a clause.
  let reason: String
  /// What to do, as a sentence without a full stop; `nil` if there is no better advice than for any such file.
  let mend: String?

  init(_ reason: String, line: Int? = nil, mend: String? = nil) {
    (self.reason, self.line, self.mend) = (reason, line, mend)
  }
}
