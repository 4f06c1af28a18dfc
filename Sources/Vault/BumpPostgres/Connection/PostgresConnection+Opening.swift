import BumpSystem
import CPostgreSQL

extension PostgresConnection {
  /// Connects and authenticates.
  ///
  /// - Throws: `PostgresError` with code `cannotConnect`, or `CancellationError`.
  static func open(_ configuration: PostgresConfiguration) async throws -> PostgresConnection {
    let deadline = ContinuousClock.now.advanced(by: configuration.connectLimit)
    // Both calls in `onThread` may block: libpq resolves names, reads files, and hashes the password.
    guard let link = await onThread({ ServerLink(connectingTo: configuration) }) else {
      throw PostgresError(.cannotConnect, "there is no memory for a connection to PostgreSQL")
    }
    // The first step is that of PGRES_POLLING_WRITING (PostgreSQL's documentation, §34.1.1).
    var interest = Epoll.Interest.writable
    var hasReached = false
    while !link.hasEnded {
      // The socket is read anew each time: a step may have replaced it.
      switch await SocketWaits.shared.wait(for: link.socket, interest, until: deadline) {
      case .ready: break
      case .cancelled: throw CancellationError()
      case .timedOut: throw PostgresError.noAnswer(from: configuration)
      case .failed: throw PostgresError(.cannotConnect, "the process cannot wait for a socket")
      }
      let step = await onThread { PQconnectPoll(link.pointer) }
      hasReached = hasReached || PQstatus(link.pointer) == CONNECTION_AWAITING_RESPONSE
      switch step {
      case PGRES_POLLING_READING: interest = .readable
      case PGRES_POLLING_WRITING: interest = .writable
      case PGRES_POLLING_OK:
        PQsetnonblocking(link.pointer, 1)
        return PostgresConnection(link, configuration)
      default: throw PostgresError(link, configuration, hasReached: hasReached)
      }
    }
    throw PostgresError(link, configuration, hasReached: hasReached)
  }
}

extension PostgresError {
  /// Describes why connecting failed. libpq's message names the server, the user and the database.
  fileprivate init(_ link: ServerLink, _ configuration: PostgresConfiguration, hasReached: Bool) {
    let remedy =
      if PQconnectionNeedsPassword(link.pointer) == 1 {
        "Give a password for the user \(configuration.user)."
      } else if PQconnectionUsedPassword(link.pointer) == 1 {
        "Check the user, the password and the database, or try again where the server is only starting."
      } else if hasReached {
        "Check the user and the database, or try again where the server is only starting."
      } else {
        "Check that PostgreSQL runs, and listens at \(configuration.place)."
      }
    self.init(.cannotConnect, "cannot connect to PostgreSQL: \(link.message)", remedy: remedy)
  }

  fileprivate static func noAnswer(from configuration: PostgresConfiguration) -> PostgresError {
    PostgresError(
      .cannotConnect,
      "cannot connect to PostgreSQL: no answer from \(configuration.place) within \(configuration.connectLimit)",
      remedy: "Check that PostgreSQL runs, and that no firewall is in between")
  }
}
