/// The fields of an object. Each is taken once.
package struct Fields {
  private let object: LineJSON
  private var members: [(name: String, value: LineJSON)]

  package init(_ value: LineJSON) throws(ExperienceError) {
    object = value
    members = try value.members()
  }

  /// Returns a field without taking it; `nil` if it is absent.
  package func value(_ name: String) -> LineJSON? { members.first { $0.name == name }?.value }

  /// Takes a field; `nil` if it is absent.
  package mutating func optional<Value>(
    _ name: String, _ read: (LineJSON) throws(ExperienceError) -> Value
  ) throws(ExperienceError) -> Value? {
    guard let index = members.firstIndex(where: { $0.name == name }) else { return nil }
    return try read(members.remove(at: index).value)
  }

  /// Takes a field. Throws if it is absent.
  package mutating func required<Value>(
    _ name: String, _ read: (LineJSON) throws(ExperienceError) -> Value
  ) throws(ExperienceError) -> Value {
    guard let value = try optional(name, read) else { throw object.wrong("\"\(name)\" is missing") }
    return value
  }

  /// Rejects a field that was not taken: its author expects it to have an effect.
  package func end() throws(ExperienceError) {
    if let member = members.first { throw member.value.wrong("\"\(member.name)\" is not known here") }
  }
}

extension LineJSON {
  /// Returns an error for this value's line.
  package func wrong(_ reason: String) -> ExperienceError { ExperienceError(line: line, reason) }

  package func members() throws(ExperienceError) -> [(name: String, value: LineJSON)] {
    guard case .object(let members) = value else { throw wrong("this is \(kind), not an object") }
    return members
  }

  package func elements() throws(ExperienceError) -> [LineJSON] {
    guard case .array(let elements) = value else { throw wrong("this is \(kind), not a list") }
    return elements
  }

  package func string() throws(ExperienceError) -> String {
    guard case .string(let text) = value else { throw wrong("this is \(kind), not a string") }
    return text
  }

  package func integer(_ range: ClosedRange<Int64>) throws(ExperienceError) -> Int64 {
    guard case .integer(let integer) = value, range.contains(integer) else {
      throw wrong("this is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  /// Returns a string of characters of a set.
  func word(_ set: ASCIISet, _ limit: Int) throws(ExperienceError) -> String {
    let text = try string()
    guard (1...limit).contains(text.utf8.count), text.utf8.allSatisfy(set.contains) else {
      throw wrong("this must be 1 to \(limit) of the characters that are allowed here")
    }
    return text
  }

  /// Returns a string for people.
  package func text(_ limit: Int) throws(ExperienceError) -> String {
    let text = try string()
    guard (1...limit).contains(text.utf8.count) else { throw wrong("this is not 1 to \(limit) bytes") }
    return text
  }

  package func one(of words: [String]) throws(ExperienceError) -> String {
    let text = try string()
    guard words.contains(text) else { throw wrong("this must be one of: \(words.joined(separator: ", "))") }
    return text
  }
}
