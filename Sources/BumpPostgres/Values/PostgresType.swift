/// The types of parameters.
public enum PostgresType: String, Sendable {
  case text, int8, bytea, bool, timestamptz
  case texts = "text[]"
  case int8s = "int8[]"
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
