/// The fields of an object. Each is taken once. A request refuses the rest as unknown: a field means something to the
/// client that sends it.
package struct JSONFields {
  private var members: [JSONValue.Member]

  /// - Throws: `RequestError` if the document is not an object.
  package init(_ document: some Collection<UInt8>) throws(RequestError) {
    try self.init(JSONParser.parse(document))
  }

  /// - Throws: `RequestError.malformed` if the value is not an object.
  package init(_ value: JSONValue) throws(RequestError) {
    guard case .object(let members) = value else {
      throw RequestError(.malformed, "the body is \(value.kind), not an object")
    }
    self.members = members
  }

  /// Takes a field that may be missing.
  package mutating func optional<Value>(
    _ name: String, _ read: (JSONValue) throws -> Value
  ) throws(RequestError) -> Value? {
    guard let index = members.firstIndex(where: { $0.name == name }) else { return nil }
    let value = members.remove(at: index).value
    do {
      return try read(value)
    } catch let error as RequestError {
      throw error
    } catch {
      throw RequestError(.field, "the field \"\(name)\" is not valid: \(error)", field: name)
    }
  }

  /// Takes a required field.
  package mutating func required<Value>(
    _ name: String, _ read: (JSONValue) throws -> Value
  ) throws(RequestError) -> Value {
    guard let value = try optional(name, read) else {
      throw RequestError(.missingField, "the field \"\(name)\" is missing", field: name)
    }
    return value
  }

  /// Throws `RequestError.unknownField` if fields are left.
  package func end() throws(RequestError) {
    guard let member = members.first else { return }
    throw RequestError(
      .unknownField, "the field \(RequestError.quoted(member.name)) is not known here", field: member.name)
  }
}

extension JSONValue {
  /// Reads a document whose value is an object of strings alone.
  ///
  /// - Throws: `RequestError`.
  package static func strings(_ document: some Collection<UInt8>) throws(RequestError) -> [String: String] {
    guard case .object(let members) = try JSONParser.parse(document) else {
      throw RequestError(.malformed, "the document is not an object")
    }
    var strings: [String: String] = [:]
    for member in members {
      guard case .string(let text) = member.value else {
        throw RequestError(.field, "\(RequestError.quoted(member.name)) is \(member.value.kind), not a string")
      }
      strings[member.name] = text
    }
    return strings
  }

  /// Returns the value as a string.
  package func string() throws -> String {
    guard case .string(let text) = self else { throw Fields.Mismatch("it is \(kind), not a string") }
    return text
  }

  /// Returns the value as an integer.
  package func integer() throws -> Int64 {
    guard case .integer(let value) = self else { throw Fields.Mismatch("it is \(kind), not a whole number") }
    return value
  }

  /// Returns the values of the list.
  package func array() throws -> [JSONValue] {
    guard case .array(let values) = self else { throw Fields.Mismatch("it is \(kind), not a list") }
    return values
  }
}
