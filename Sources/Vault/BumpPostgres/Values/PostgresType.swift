/// The types of parameters.
public enum PostgresType: String, Sendable {
  /// The types of single values, by PostgreSQL's names. `int8` is `bigint`, with 8 bytes.
  case text, int8, bytea, bool, timestamptz
  /// An array of strings, in one dimension and without NULL.
  case texts = "text[]"
  /// An array of integers of 8 bytes, in one dimension and without NULL.
  case int8s = "int8[]"
  /// An array of byte strings, in one dimension and without NULL.
  case byteas = "bytea[]"

  /// The type's number, the same on every server (pg_type.dat of PostgreSQL).
  var identifier: UInt32 {
    switch self {
    case .bool: 16
    case .bytea: 17
    case .int8: 20
    case .text: 25
    case .byteas: 1001
    case .texts: 1009
    case .int8s: 1016
    case .timestamptz: 1184
    }
  }
}
