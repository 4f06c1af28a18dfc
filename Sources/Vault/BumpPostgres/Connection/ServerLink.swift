import BumpSystem
import CPostgreSQL
import Glibc

/// A `PGconn`, closed when it is released.
///
/// One thread at a time may use it. The actor `PostgresConnection` ensures that; while it connects, it waits for the
/// thread that uses the link.
final class ServerLink: @unchecked Sendable {
  let pointer: OpaquePointer

  /// Begins to connect. It may block, because libpq reads files and resolves names.
  ///
  /// - Returns: `nil` if memory is exhausted.
  init?(connectingTo configuration: PostgresConfiguration) {
    let parameters = configuration.parameters
    let keywords = parameters.map { strdup($0.keyword) } + [nil]
    let values = parameters.map { strdup($0.value) } + [nil]
    defer {
      for text in keywords { free(text) }
      for text in values {
        // One of them is the password.
        if let text { explicit_bzero(text, strlen(text)) }
        free(text)
      }
    }
    guard
      let pointer = PQconnectStartParams(keywords.map { UnsafePointer($0) }, values.map { UnsafePointer($0) }, 0)
    else { return nil }
    self.pointer = pointer
    // By default libpq prints notices, which may contain values, to standard error.
    PQsetNoticeReceiver(pointer, { _, _ in }, nil)
  }

  deinit { PQfinish(pointer) }

  /// The descriptor. It may change with each step of connecting.
  var socket: Int32 { PQsocket(pointer) }
  var hasEnded: Bool { PQstatus(pointer) == CONNECTION_BAD }
  /// Whether no transaction is open and no statement is running.
  var isIdle: Bool { PQtransactionStatus(pointer) == PQTRANS_IDLE }

  /// libpq's last message, in one line.
  var message: String {
    String(cString: PQerrorMessage(pointer)).split(whereSeparator: \.isNewline)
      .map { $0.drop(while: \.isWhitespace) }.joined(separator: " ")
  }

  /// Gives a statement to libpq. If there is a first statement, sends both in one message: a pipeline (PostgreSQL's
  /// documentation, §34.5). If the first one fails, the server does not run the second.
  ///
  /// - Returns: whether libpq accepted both.
  func sending(behind first: String?, _ send: () -> Bool) -> Bool {
    guard let first else { return send() }
    return PQenterPipelineMode(pointer) == 1
      && PQsendQueryParams(pointer, first, 0, nil, nil, nil, nil, /* binary */ 1) == 1
      && send() && PQpipelineSync(pointer) == 1
  }

  /// Whether statements were sent in a pipeline whose end has not been read.
  var isPipeline: Bool { PQpipelineStatus(pointer) != PQ_PIPELINE_OFF }

  /// Reads until the socket would block.
  ///
  /// One read is not enough: the end of the connection may follow the server's last message.
  ///
  /// - Returns: whether the connection is still open.
  func drain() -> Bool {
    repeat {
      guard PQconsumeInput(pointer) == 1 else { return false }
    } while isReadable(socket)
    return true
  }

  /// Asks the server to cancel the running statement. libpq 15 opens another connection for that and blocks, so it runs
  /// on a new thread. The link may be released meanwhile.
  func cancelOnServer() {
    guard let request = PQgetCancel(pointer) else { return }
    let cancellation = Cancellation(request)
    startThread { cancellation.send() }
  }

  /// A `PGcancel`, which any thread may use.
  private final class Cancellation: @unchecked Sendable {
    private let request: OpaquePointer

    init(_ request: OpaquePointer) {
      self.request = request
    }

    deinit { PQfreeCancel(request) }

    func send() {
      // If this fails, the server has ended, or stops when it notices that the connection is closed.
      var unused = [CChar](repeating: 0, count: 256)
      PQcancel(request, &unused, Int32(unused.count))
    }
  }
}
