/// A type to which columns can be decoded.
public protocol PostgresDecodable {
  /// - Parameters:
  ///   - type: the number of the column's type (`pg_type.oid`).
  ///   - bytes: the value in PostgreSQL's binary format.
  /// - Returns: `nil` if the column has another type.
  init?(postgresType type: UInt32, bytes: [UInt8])
}

extension Bool: PostgresDecodable {
  public init?(postgresType type: UInt32, bytes: [UInt8]) {
    guard type == PostgresType.bool.identifier, bytes.count == 1 else { return nil }
    self = bytes[0] != 0
  }
}

extension Int64: PostgresDecodable {
  /// Reads `bigint`, `integer` and `smallint`.
  public init?(postgresType type: UInt32, bytes: [UInt8]) {
    switch type {
    case PostgresType.int8.identifier: self.init(networkBytes: bytes)
    case 23:
      guard let number = Int32(networkBytes: bytes) else { return nil }
      self.init(number)
    case 21:
      guard let number = Int16(networkBytes: bytes) else { return nil }
      self.init(number)
    default: return nil
    }
  }
}

extension String: PostgresDecodable {
  /// Reads `text`, `varchar`, `char(n)` and `name`.
  public init?(postgresType type: UInt32, bytes: [UInt8]) {
    guard [PostgresType.text.identifier, 1043, 1042, 19].contains(type) else { return nil }
    self.init(validating: bytes, as: UTF8.self)
  }
}

extension [UInt8]: PostgresDecodable {
  public init?(postgresType type: UInt32, bytes: [UInt8]) {
    guard type == PostgresType.bytea.identifier else { return nil }
    self = bytes
  }
}

extension PostgresTimestamp: PostgresDecodable {
  public init?(postgresType type: UInt32, bytes: [UInt8]) {
    guard type == PostgresType.timestamptz.identifier, let count = Int64(networkBytes: bytes) else { return nil }
    self.init(microsecondsSince2000: count)
  }
}
