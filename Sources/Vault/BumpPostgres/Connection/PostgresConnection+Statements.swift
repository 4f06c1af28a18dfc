import CPostgreSQL

extension PostgresConnection {
  /// Whether a statement commits.
  enum Effect {
    /// It commits: without its answer the outcome is unknown.
    case commits
    /// It commits nothing.
    case nothing
  }

  /// Runs a statement. Prepares it first, if this connection has not done so yet.
  ///
  /// Outside of a transaction the statement commits.
  ///
  /// - Throws: `PostgresError`; `CancellationError`; or `UnknownOutcome` if the statement commits and its answer is
  ///   missing.
  func run(
    _ statement: PostgresStatement, _ values: [PostgresValue], within limit: Duration? = nil
  ) async throws -> PostgresRows {
    try statement.check(values)
    return try await exclusively { connection, link in
      try Task.checkCancellation()
      let deadline = connection.deadline(limit)
      let effect: Effect = link.isIdle && connection.unsentBegin == nil ? .commits : .nothing
      try await connection.prepare(statement, link, deadline)
      let begin = connection.unsentBegin
      connection.unsentBegin = nil
      let isSent = withPointers(to: values) { pointers, lengths, formats in
        link.sending(behind: begin) {
          PQsendQueryPrepared(
            link.pointer, statement.name, Int32(values.count), pointers, lengths, formats, /* binary */ 1) == 1
        }
      }
      let answer = try await connection.answer(to: statement.name, isSent, effect, link, deadline)
      return PostgresRows(result: answer, columns: connection.columns(of: statement, answer))
    }
  }

  /// Runs one or several statements without parameters, and returns the last one's command tag, such as `COMMIT`.
  ///
  /// - Parameter isCancellable: whether cancelling the task ends the wait for the answer and closes the connection.
  @discardableResult
  func run(
    script: String, named name: String, effect: Effect, within limit: Duration? = nil, isCancellable: Bool = true
  ) async throws -> String {
    try await exclusively { connection, link in
      if isCancellable { try Task.checkCancellation() }
      let deadline = connection.deadline(limit)
      try await connection.sendBegin(link, deadline)
      let isSent = PQsendQuery(link.pointer, script)
      let answer = try await connection.answer(
        to: name, isSent == 1, effect, link, deadline, isCancellable: isCancellable)
      return String(cString: PQcmdStatus(answer.pointer))
    }
  }

  private func columns(of statement: PostgresStatement, _ answer: ServerResult) -> ResultColumns {
    if let known = columns[statement.name] { return known }
    let columns = ResultColumns(answer)
    self.columns[statement.name] = columns
    return columns
  }

  private func deadline(_ limit: Duration?) -> ContinuousClock.Instant {
    .now.advanced(by: limit ?? configuration.statementLimit)
  }

  /// Sends the BEGIN that was not sent yet, by itself.
  private func sendBegin(_ link: ServerLink, _ deadline: ContinuousClock.Instant) async throws {
    guard let begin = unsentBegin else { return }
    unsentBegin = nil
    _ = try await answer(to: "BEGIN", PQsendQuery(link.pointer, begin) == 1, .nothing, link, deadline)
  }

  private func prepare(
    _ statement: PostgresStatement, _ link: ServerLink, _ deadline: ContinuousClock.Instant
  ) async throws {
    let sql = "\(statement.sql)"
    if let known = prepared[statement.name] {
      guard known == sql else {
        throw PostgresError(.misuse, "two statements have the name \(statement.name)", remedy: "Rename one of them")
      }
      return
    }
    try await sendBegin(link, deadline)
    let types = statement.parameters.map(\.identifier)
    let isSent = PQsendPrepare(link.pointer, statement.name, sql, Int32(types.count), types)
    _ = try await answer(to: statement.name, isSent == 1, .nothing, link, deadline)
    prepared[statement.name] = sql
  }
}

/// Passes the values in libpq's form: a pointer, a length and a format for each, and a null pointer for NULL.
private func withPointers<Result>(
  to values: [PostgresValue],
  _ body: (_ values: [UnsafePointer<CChar>?], _ lengths: [Int32], _ formats: [Int32]) -> Result
) -> Result {
  let pieces = values.map(\.bytes)
  // One byte more, because an empty value needs a pointer too.
  let bytes = Array(pieces.joined()) + [0]
  return bytes.withUnsafeBytes { buffer in
    var offset = 0
    let pointers = zip(values, pieces).map { value, piece -> UnsafePointer<CChar>? in
      defer { offset += piece.count }
      if value == .null { return nil }
      return buffer.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
    }
    return body(pointers, pieces.map { Int32($0.count) }, values.map { _ in /* binary */ 1 })
  }
}
