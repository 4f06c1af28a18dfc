import Foundation

/// One line of `--json` output.
public struct JSONObject: Sendable, Equatable, CustomStringConvertible {
  public enum Value: Sendable, Equatable {
    case string(String)
    case number(Double)
    case bool(Bool)
    case list([[String: Value]])
  }

  public let values: [String: Value]
  public let description: String

  /// - Throws: where the line is not one object, flat but for lists of flat ones.
  public init(_ line: String) throws {
    values = try JSONDecoder().decode([String: Value].self, from: Data(line.utf8))
    description = line
  }

  /// The text under a key, if there is one and it is text.
  public func string(_ key: String) -> String? {
    if case .string(let text) = values[key] { text } else { nil }
  }

  /// The number under a key, if there is one and it is a number.
  public func number(_ key: String) -> Double? {
    if case .number(let number) = values[key] { number } else { nil }
  }

  /// The objects in the list under a key, if there is one and it is a list.
  public func list(_ key: String) -> [[String: Value]]? {
    if case .list(let list) = values[key] { list } else { nil }
  }
}

extension JSONObject.Value: Decodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let list = try? container.decode([[String: JSONObject.Value]].self) {
      self = .list(list)
    } else {
      self = .string(try container.decode(String.self))
    }
  }
}
