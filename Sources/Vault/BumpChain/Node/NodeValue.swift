import BumpText
import BumpVaultAPI
import BumpWallet

/// The members of an object in a node's answer. A node may send more than the execution API names: what nobody reads is
/// not looked at.
struct NodeFields {
  private let members: [String: JSONValue]
  private let what: String

  /// - Parameter what: what the object is, for messages.
  init(_ value: JSONValue, _ what: String) throws(NodeError) {
    guard case .object(let members) = value else { throw NodeError(.badResult, "\(what) is not an object") }
    // The parser allows each name once.
    self.members = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    self.what = what
  }

  /// Returns a member as it is; `nil` if it is missing.
  subscript(_ name: String) -> JSONValue? { members[name] }

  /// Reads a member that must be there.
  func required<Value>(
    _ name: String, _ read: (JSONValue) throws(NodeError) -> Value
  ) throws(NodeError) -> Value {
    guard let value = try optional(name, read) else { throw NodeError(.badResult, "\(what) has no \(name)") }
    return value
  }

  /// Reads a member that may be missing or `null`.
  func optional<Value>(
    _ name: String, _ read: (JSONValue) throws(NodeError) -> Value
  ) throws(NodeError) -> Value? {
    guard let value = members[name], value != .null else { return nil }
    do {
      return try read(value)
    } catch {
      throw NodeError(error.code, "\(what), \(name): \(error.reason)")
    }
  }
}

/// Reads the values of the execution API.
enum NodeValue {
  /// Reads text.
  static func string(_ value: JSONValue) throws(NodeError) -> String {
    guard case .string(let text) = value else { throw NodeError(.badResult, "a value is not a string") }
    return text
  }

  /// Reads a quantity.
  static func quantity<Number: FixedWidthInteger & UnsignedInteger>(_ value: JSONValue) throws(NodeError) -> Number {
    guard let number = Quantity.value(try string(value), as: Number.self) else {
      throw NodeError(.badResult, "a value is not a quantity of at most \(Number.bitWidth) bits")
    }
    return number
  }

  /// Reads bytes.
  static func data(_ value: JSONValue) throws(NodeError) -> [UInt8] {
    guard let bytes = Hex.decode(prefixed: try string(value)) else {
      throw NodeError(.badResult, "a value is not 0x and pairs of hex digits")
    }
    return bytes
  }

  /// Reads a hash.
  static func hash(_ value: JSONValue) throws(NodeError) -> Bytes32 {
    guard let hash = Bytes32(try data(value)) else { throw NodeError(.badResult, "a hash is not 32 bytes") }
    return hash
  }

  /// Reads an address. Nodes write them with a checksum or without.
  static func address(_ value: JSONValue) throws(NodeError) -> Address {
    guard let address = Address(try data(value)) else { throw NodeError(.badResult, "an address is not 20 bytes") }
    return address
  }

  /// Reads a list.
  static func list<Value>(
    _ value: JSONValue, _ read: (JSONValue) throws(NodeError) -> Value
  ) throws(NodeError) -> [Value] {
    guard case .array(let values) = value else { throw NodeError(.badResult, "a value is not a list") }
    var list: [Value] = []
    list.reserveCapacity(values.count)
    for value in values { list.append(try read(value)) }
    return list
  }

  /// Reads a value that may be `null`.
  static func optional<Value>(
    _ value: JSONValue, _ read: (JSONValue) throws(NodeError) -> Value
  ) throws(NodeError) -> Value? {
    value == .null ? nil : try read(value)
  }
}
