/// The value of a parameter. It prints as the name of its type.
public enum PostgresValue: Sendable, Hashable {
  /// NULL, for a parameter of any type.
  case null
  /// A `text`, sent in UTF-8. PostgreSQL refuses one with a zero byte.
  case text(String)
  /// A `bigint`, not for parameters of type `integer`.
  case int8(Int64)
  /// A `bytea`: any bytes.
  case bytea([UInt8])
  /// A `boolean`.
  case bool(Bool)
  /// A `timestamptz`: a time in microseconds, without a time zone of its own.
  case timestamptz(PostgresTimestamp)
  /// A `text[]` of one dimension, without NULL; it may be empty.
  case texts([String])
  /// A `bigint[]` of one dimension, without NULL; it may be empty.
  case int8s([Int64])
  /// A `bytea[]` of one dimension, without NULL; it may be empty.
  case byteas([[UInt8]])

  /// The type; `nil` for NULL, which every type has.
  var type: PostgresType? {
    switch self {
    case .null: nil
    case .text: .text
    case .int8: .int8
    case .bytea: .bytea
    case .bool: .bool
    case .timestamptz: .timestamptz
    case .texts: .texts
    case .int8s: .int8s
    case .byteas: .byteas
    }
  }

  /// The value in PostgreSQL's binary format: integers in network byte order.
  var bytes: [UInt8] {
    switch self {
    case .null: []
    case .text(let text): Array(text.utf8)
    case .int8(let number): number.networkBytes
    case .bytea(let bytes): bytes
    case .bool(let bool): [bool ? 1 : 0]
    case .timestamptz(let time): time.microsecondsSince2000.networkBytes
    case .texts(let texts): Self.array(of: .text, texts.map { Array($0.utf8) })
    case .int8s(let numbers): Self.array(of: .int8, numbers.map(\.networkBytes))
    case .byteas(let pieces): Self.array(of: .bytea, pieces)
    }
  }

  /// Encodes an array as `array_send` of PostgreSQL's arrayfuncs.c does: the number of dimensions, whether there is a
  /// NULL, and the type; for the one dimension, the number of elements and the first one's index; each element with its
  /// length.
  private static func array(of type: PostgresType, _ elements: [[UInt8]]) -> [UInt8] {
    let head = [elements.isEmpty ? 0 : 1, 0, Int32(type.identifier)]
    let dimension = elements.isEmpty ? [] : [Int32(elements.count), 1]
    return elements.reduce(into: (head + dimension).flatMap(\.networkBytes)) { bytes, element in
      bytes += Int32(element.count).networkBytes
      bytes += element
    }
  }
}

extension PostgresValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { type?.rawValue ?? "NULL" }
  public var debugDescription: String { description }
  /// Has no children, so that `dump` does not print the value either.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension FixedWidthInteger {
  var networkBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }

  /// - Returns: `nil` if the number of bytes is wrong.
  init?(networkBytes bytes: [UInt8]) {
    guard bytes.count == Self.bitWidth / 8 else { return nil }
    self = bytes.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
  }
}
