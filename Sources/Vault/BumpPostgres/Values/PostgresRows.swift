import CPostgreSQL

/// The rows of an answer, all in memory.
public struct PostgresRows: RandomAccessCollection, Sendable {
  let result: ServerResult
  let columns: ResultColumns

  public var startIndex: Int { 0 }
  public var endIndex: Int { Int(PQntuples(result.pointer)) }

  public subscript(position: Int) -> PostgresRow {
    precondition(indices.contains(position), "no row \(position)")
    return PostgresRow(result: result, columns: columns, number: Int32(position))
  }

  /// The number of rows that the statement inserted, updated, deleted or selected.
  public var affected: Int { Int(String(cString: PQcmdTuples(result.pointer))) ?? 0 }
}

/// The positions of an answer's columns by their names. They are the same whenever a connection runs a prepared
/// statement: where they would change, the server refuses to run it.
final class ResultColumns: Sendable {
  private let positions: [String: Int32]

  init(_ result: ServerResult) {
    let named = (0..<PQnfields(result.pointer)).map { (String(cString: PQfname(result.pointer, $0)), $0) }
    // Of two columns with one name the first counts.
    positions = Dictionary(named) { first, _ in first }
  }

  subscript(name: String) -> Int32? { positions[name] }
}

/// A row of an answer.
public struct PostgresRow: Sendable {
  let result: ServerResult
  let columns: ResultColumns
  let number: Int32

  /// Decodes a column that is not NULL.
  ///
  /// - Throws: `PostgresError` with code `misuse` if the column does not exist, is NULL or has another type.
  public func decode<Value: PostgresDecodable>(
    _ column: String, as type: Value.Type = Value.self
  ) throws(PostgresError) -> Value {
    guard let value = try decodeIfPresent(column, as: type) else {
      throw PostgresError(.misuse, "the column \(column) is NULL")
    }
    return value
  }

  /// Decodes a column; returns `nil` if it is NULL.
  ///
  /// - Throws: `PostgresError` with code `misuse` if the column does not exist or has another type.
  public func decodeIfPresent<Value: PostgresDecodable>(
    _ column: String, as type: Value.Type = Value.self
  ) throws(PostgresError) -> Value? {
    let pointer = result.pointer
    guard let field = columns[column] else { throw PostgresError(.misuse, "the answer has no column \(column)") }
    if PQgetisnull(pointer, number, field) == 1 { return nil }
    let identifier = UInt32(PQftype(pointer, field))
    let bytes = UnsafeRawBufferPointer(
      start: PQgetvalue(pointer, number, field), count: Int(PQgetlength(pointer, number, field)))
    guard PQfformat(pointer, field) == 1, let value = Value(postgresType: identifier, bytes: Array(bytes)) else {
      throw PostgresError(
        .misuse, "the column \(column), of type number \(identifier), cannot be read as \(Value.self)",
        remedy: "Cast it in the statement")
    }
    return value
  }
}
