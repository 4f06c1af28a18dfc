/// A JSON value (RFC 8259) without floats: amounts of money are never floats.
public indirect enum JSONValue: Hashable, Sendable {
  /// `null`, which is not the same as a missing member.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without fraction and exponent, from −2⁶³ to 2⁶³ − 1.
  case integer(Int64)
  /// A string, without its quotes and escapes.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// An object: its members in the order of the text.
  case object([Member])

  /// A name and its value. An object has each name once (RFC 7493 §2.3), in the order of the text.
  public struct Member: Hashable, Sendable {
    /// The member's name, without its quotes and escapes.
    public let name: String
    /// The member's value, which may be a list or an object of its own.
    public let value: JSONValue

    /// Makes a member. The caller keeps the names of one object different.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The kind of a value, as messages name it.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .integer: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// Leaves out members whose value is `nil`.
  public init(dictionaryLiteral elements: (String, JSONValue?)...) {
    self = .object(elements.compactMap { name, value in value.map { Member(name, $0) } })
  }

  /// Returns a string with the description of a value; `nil` for `nil`.
  public static func text(_ value: (some CustomStringConvertible)?) -> JSONValue? {
    value.map { .string($0.description) }
  }
}
