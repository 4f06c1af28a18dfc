import CPostgreSQL

/// The rows of an answer, all in memory.
public struct PostgresRows: RandomAccessCollection, Sendable {
  let result: ServerResult

  public var startIndex: Int { 0 }
  public var endIndex: Int { Int(PQntuples(result.pointer)) }

  public subscript(position: Int) -> PostgresRow {
    precondition(indices.contains(position), "no row \(position)")
    return PostgresRow(result: result, number: Int32(position))
  }

  /// The number of rows that the statement inserted, updated, deleted or selected.
  public var affected: Int { Int(String(cString: PQcmdTuples(result.pointer))) ?? 0 }
}

/// A row of an answer.
public struct PostgresRow: Sendable {
  let result: ServerResult
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
    // PQfnumber folds a name to lower case unless it is quoted.
    let field = PQfnumber(pointer, "\"\(column)\"")
    guard field >= 0 else { throw PostgresError(.misuse, "the answer has no column \(column)") }
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
