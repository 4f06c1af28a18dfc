/// A property list in XML, with its lines.
enum XMLPlist {
  static func read(_ bytes: [UInt8]) throws(Malformed) -> Plist {
    var reader = try XMLPlistReader(bytes)
    return try reader.document()
  }
}

private struct XMLPlistReader {
  private var scanner: XMLScanner

  init(_ bytes: [UInt8]) throws(Malformed) {
    scanner = try XMLScanner(bytes)
  }

  mutating func document() throws(Malformed) -> Plist {
    guard case .start("plist", _, false)? = try next() else {
      throw scanner.failure("this is neither an XML nor a binary property list")
    }
    guard case .start(let name, _, let isEmpty)? = try next() else {
      throw scanner.failure("the property list has no value")
    }
    let value = try value(name, isEmpty, at: 0)
    guard case .end("plist")? = try next() else { throw scanner.failure("something follows the value") }
    guard try next() == nil else { throw scanner.failure("something follows the property list") }
    return value
  }

  /// Returns the next tag. Only white space may be between tags.
  private mutating func next() throws(Malformed) -> XMLScanner.Token? {
    while let token = try scanner.next() {
      guard case .text(let text) = token else { return token }
      guard text.allSatisfy(\.isWhitespace) else { throw scanner.failure("text where a tag is expected") }
    }
    return nil
  }

  private mutating func value(_ name: String, _ isEmpty: Bool, at level: Int) throws(Malformed) -> Plist {
    guard level <= Plist.depth else { throw scanner.failure("it is nested more than \(Plist.depth) deep") }
    let line = scanner.line
    let value: Plist.Value
    switch name {
    case "dict": value = .dictionary(isEmpty ? [] : try members(at: level))
    case "array": value = .array(isEmpty ? [] : try elements(at: level))
    case "true", "false":
      if !isEmpty { _ = try text(of: name) }
      value = .bool(name == "true")
    case "string": value = .string(isEmpty ? "" : try text(of: name))
    case "integer":
      let text = isEmpty ? "" : try text(of: name)
      guard let integer = Int64(text) else { throw scanner.failure("this is not an integer of at most 64 bits") }
      value = .integer(integer)
    case "real", "date", "data":
      if !isEmpty { _ = try text(of: name) }
      value = .other
    default: throw scanner.failure("<\(name)> is not a property list value")
    }
    return Plist(value: value, line: line)
  }

  /// Reads the text of an element up to its end tag.
  private mutating func text(of name: String) throws(Malformed) -> String {
    var text = ""
    while let token = try scanner.next() {
      switch token {
      case .text(let piece): text += piece
      case .end(name): return text
      default: throw scanner.failure("<\(name)> holds another element")
      }
    }
    throw scanner.failure("<\(name)> does not end")
  }

  private mutating func members(at level: Int) throws(Malformed) -> [Plist.Member] {
    var members: [Plist.Member] = []
    var keys: Set<String> = []
    while let token = try next() {
      switch token {
      case .end("dict"): return members
      case .start("key", _, let isEmpty):
        let line = scanner.line
        let key = isEmpty ? "" : try text(of: "key")
        guard keys.insert(key).inserted else { throw scanner.failure("the key \(key) occurs twice") }
        guard case .start(let name, _, let isEmpty)? = try next() else {
          throw scanner.failure("the key \(key) has no value")
        }
        members.append(Plist.Member(key: key, line: line, value: try value(name, isEmpty, at: level + 1)))
      default: throw scanner.failure("a dictionary has keys and values")
      }
    }
    throw scanner.failure("<dict> does not end")
  }

  private mutating func elements(at level: Int) throws(Malformed) -> [Plist] {
    var elements: [Plist] = []
    while let token = try next() {
      switch token {
      case .end("array"): return elements
      case .start(let name, _, let isEmpty): elements.append(try value(name, isEmpty, at: level + 1))
      default: throw scanner.failure("an array has values")
      }
    }
    throw scanner.failure("<array> does not end")
  }
}
