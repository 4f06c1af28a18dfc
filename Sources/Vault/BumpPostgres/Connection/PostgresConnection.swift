import CPostgreSQL

/// A connection to the server. It runs one statement at a time.
///
/// When an answer is missing because of a time limit, a cancellation or the server's death, the connection is closed,
/// so it is never used in an unknown state.
actor PostgresConnection {
  let configuration: PostgresConfiguration
  /// The libpq connection; `nil` once closed.
  private(set) var link: ServerLink?
  /// The SQL of the prepared statements, by name.
  var prepared: [String: String] = [:]
  /// The columns of the answers to prepared statements, by the statements' names.
  var columns: [String: ResultColumns] = [:]
  /// Whether a statement is being run.
  private var isBusy = false
  /// Whether a prepared statement is out of date, so that the connection must not be used again.
  var isStale = false
  /// The server's first error since the last BEGIN.
  var firstRefusal: PostgresError?
  /// The BEGIN of the open transaction, until it is sent: with the transaction's first statement, in one message.
  var unsentBegin: String?
  /// A number that changes when a transaction begins or ends.
  var transactionNumber = 0

  init(_ link: ServerLink, _ configuration: PostgresConfiguration) {
    self.link = link
    self.configuration = configuration
  }

  func close() { link = nil }

  /// Whether the connection can be lent again: no statement is running, no transaction is open, and the server is
  /// there.
  func isReusable() -> Bool {
    guard let link, !isBusy, !isStale, link.isIdle, link.drain() else { return false }
    return !link.hasEnded
  }

  /// Runs a function with exclusive use of the link.
  ///
  /// - Throws: `PostgresError` with code `connectionLost` if the connection is closed, `misuse` if a statement is
  ///   running.
  func exclusively<Result>(
    _ body: (isolated PostgresConnection, ServerLink) async throws -> Result
  ) async throws -> Result {
    guard let link else { throw PostgresError(.connectionLost, "the connection to PostgreSQL is closed") }
    guard !isBusy else {
      throw PostgresError(
        .misuse, "a connection runs one statement at a time",
        remedy: "Await the one before, or take another connection")
    }
    isBusy = true
    defer { isBusy = false }
    return try await body(self, link)
  }
}
