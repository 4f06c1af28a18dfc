import FoundationEssentials

/// A JSON value of any shape.
enum JSON: Hashable, Sendable, Decodable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// Parses JSON; `nil` if the text is not JSON.
  init?(text: String) {
    guard let value = try? JSONDecoder().decode(JSON.self, from: Data(text.utf8)) else { return nil }
    self = value
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode([String: JSON].self) {
      self = .object(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else {
      self = .null
    }
  }

  subscript(key: String) -> JSON? {
    if case .object(let values) = self { values[key] } else { nil }
  }

  var elements: [JSON] { if case .array(let values) = self { values } else { [] } }
  var string: String? { if case .string(let value) = self { value } else { nil } }
  var integer: Int? { if case .number(let value) = self { Int(exactly: value) } else { nil } }
}
