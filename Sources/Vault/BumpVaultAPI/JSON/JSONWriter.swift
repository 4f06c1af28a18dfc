import BumpClaims

extension JSONValue {
  /// The value's encoding: UTF-8, no white space, members in their order, `"`, `\` and control characters escaped.
  public var encoded: [UInt8] { Array(text.utf8) }

  /// The same as a string.
  public var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .string(let value): Self.quoted(value)
    case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { "\(Self.quoted($0.name)):\($0.value.text)" }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String { "\"\(JSONString.escaped(text))\"" }
}
