import CPostgreSQL

/// A `PGresult`, cleared when it is released. It is only read, which any number of threads may do at once (PostgreSQL's
/// documentation, §34.20).
final class ServerResult: @unchecked Sendable {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) {
    self.pointer = pointer
  }

  deinit { PQclear(pointer) }

  /// Returns a field of an error (PostgreSQL's documentation, §55.8).
  func errorField(_ field: Character) -> String? {
    guard let code = field.asciiValue else { return nil }
    return PQresultErrorField(pointer, Int32(code)).map { String(cString: $0) }
  }
}
