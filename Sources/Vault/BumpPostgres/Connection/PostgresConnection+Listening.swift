import CPostgreSQL

extension PostgresConnection {
  /// Subscribes to a channel.
  func listen(to channel: String) async throws {
    let name = channel.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
    try await run(script: "LISTEN \"\(name)\"", named: "LISTEN", effect: .nothing)
  }

  /// Waits for the next notification; returns `nil` if the task is cancelled.
  ///
  /// - Throws: `PostgresError` with code `connectionLost`.
  func nextNotification() async throws -> (channel: String, payload: String)? {
    try await exclusively { connection, link in
      var goesOn = true
      while true {
        if let notification = PQnotifies(link.pointer) {
          defer { PQfreemem(notification) }
          return (String(cString: notification.pointee.relname), String(cString: notification.pointee.extra))
        }
        guard goesOn, !link.hasEnded else {
          connection.close()
          throw PostgresError(.connectionLost, "the connection to PostgreSQL that listens ended")
        }
        switch await SocketWaits.shared.wait(for: link.socket, .readable, until: nil) {
        case .cancelled: return nil
        // Notifications that arrived before the end are returned first.
        case .ready: goesOn = link.drain()
        case .timedOut, .failed: goesOn = false
        }
      }
    }
  }
}
