import CPostgreSQL

extension PostgresConnection {
  /// Sends the rest of the statement, or of the pipeline that it ends, and reads the complete answer.
  ///
  /// - Parameters:
  ///   - name: the statement's name in errors.
  ///   - isSent: whether libpq accepted the statement.
  /// - Throws: the server's error, after which the connection can be used; or the reason why there is no answer, after
  ///   which it is closed.
  func answer(
    to name: String, _ isSent: Bool, _ effect: Effect, _ link: ServerLink, _ deadline: ContinuousClock.Instant,
    isCancellable: Bool = true
  ) async throws -> ServerResult {
    // libpq rejects a statement if the connection has ended already. Then nothing was sent.
    guard isSent else { throw abandon(lost(link)) }
    let wait = { (interest: Epoll.Interest) async -> SocketWaits.Ending in
      await SocketWaits.shared.wait(for: link.socket, interest, until: deadline, isCancellable: isCancellable)
    }
    let sent = await flush(link, wait)
    guard sent == .ready else { throw unanswered(sent, name, effect, link) }

    var last: ServerResult?
    var refusal: ServerResult?
    while true {
      while PQisBusy(link.pointer) == 1, !link.hasEnded {
        if !isReadable(link.socket) {
          let ending = await wait(.readable)
          guard ending == .ready else { throw unanswered(ending, name, effect, link) }
        }
        // An answer may precede the end.
        if PQconsumeInput(link.pointer) == 0 { break }
      }
      guard let pointer = PQgetResult(link.pointer) else {
        // In a pipeline, the answer to each statement ends like this.
        if link.isPipeline, !link.hasEnded { continue }
        break
      }
      let result = ServerResult(pointer)
      switch PQresultStatus(pointer) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: last = result
      case PGRES_FATAL_ERROR: refusal = refusal ?? result
      case PGRES_PIPELINE_ABORTED: break
      case PGRES_PIPELINE_SYNC: guard PQexitPipelineMode(link.pointer) == 1 else { throw abandon(lost(link)) }
      default:
        // COPY, which is not supported.
        throw abandon(PostgresError(.misuse, "the statement \(name) is not one that answers with rows"))
      }
    }

    if link.hasEnded {
      let error = lost(link, refusal)
      throw abandon(effect == .commits ? UnknownOutcome(cause: error) : error)
    }
    if let refusal { throw refused(refusal, name) }
    guard let last else { throw abandon(lost(link)) }
    return last
  }

  /// Flushes libpq's buffer, and reads meanwhile: otherwise both ends could wait for each other.
  private func flush(
    _ link: ServerLink, _ wait: (Epoll.Interest) async -> SocketWaits.Ending
  ) async -> SocketWaits.Ending {
    while PQflush(link.pointer) == 1, !link.hasEnded {
      let ending = await wait([.readable, .writable])
      guard ending == .ready else { return ending }
      // The failure is reported when the answer is read.
      if isReadable(link.socket), PQconsumeInput(link.pointer) == 0 { return .ready }
    }
    return .ready
  }

  private func refused(_ result: ServerResult, _ name: String) -> PostgresError {
    let error = PostgresError(result, running: name)
    // The columns of a prepared statement have changed, or it was deallocated.
    isStale = isStale || ["0A000", "26000"].contains(error.sqlState?.text)
    firstRefusal = firstRefusal ?? error
    return error
  }

  /// - Parameter refusal: the server's last message, if any.
  private func lost(_ link: ServerLink, _ refusal: ServerResult? = nil) -> PostgresError {
    let words = refusal.map { PostgresError($0, running: "") }
    let state = words?.sqlState.flatMap { $0.text.isEmpty ? nil : $0 }
    return PostgresError(
      .connectionLost, "the connection to PostgreSQL ended before the answer" + (state.map { " (\($0))" } ?? ""),
      remedy: "Try again once the server runs", sqlState: state)
  }

  /// Cancels the statement whose wait has ended, and returns the error to throw.
  private func unanswered(
    _ ending: SocketWaits.Ending, _ name: String, _ effect: Effect, _ link: ServerLink
  ) -> any Error {
    let cause: any Error =
      switch ending {
      case .cancelled: CancellationError()
      case .timedOut:
        PostgresError(
          .timedOut, "the statement \(name) had no answer in time",
          remedy: "Look for locks that others hold, or raise its time limit")
      case .ready, .failed: PostgresError(.connectionLost, "the process cannot wait for a socket")
      }
    link.cancelOnServer()
    return abandon(effect == .commits ? UnknownOutcome(cause: cause) : cause)
  }

  /// Closes the connection, whose state is unknown, and returns the error to throw.
  private func abandon(_ error: any Error) -> any Error {
    close()
    return error
  }
}
