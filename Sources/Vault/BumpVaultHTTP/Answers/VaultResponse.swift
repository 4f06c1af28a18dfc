public import BumpVaultAPI

/// The vault's response: a status, headers, and a body or a stream of events.
public struct VaultResponse: Sendable {
  /// The content of a response.
  public enum Body: Sendable {
    /// The whole body; empty if there is none.
    case bytes([UInt8])
    /// A stream, which the server must run or end: it counts against the limits of streams.
    case events(ClaimEvents)
  }

  /// The HTTP status code, such as 201.
  public let status: Int
  /// The header fields. `Content-Length` is among them only in an answer to HEAD: otherwise the server adds it.
  public private(set) var headers: [Answer.Header]
  /// The body, or the stream of events; empty for HEAD.
  public private(set) var body: Body
  /// The kind of problem in this answer, for logs; `nil` for any other answer.
  public private(set) var problem: String?
  /// The path without ids and addresses, for logs; `nil` for an unknown path.
  public internal(set) var route: String?
  /// Whether to close the connection, since the request's body was not read to its end.
  public internal(set) var closesConnection = false

  init(_ status: Int, headers: [Answer.Header], body: Body = .bytes([])) {
    (self.status, self.headers, self.body) = (status, headers + [.init("X-Content-Type-Options", "nosniff")], body)
  }

  init(_ answer: Answer, headers: [Answer.Header] = []) {
    self.init(answer.status, headers: answer.headers + headers, body: .bytes(answer.body.encoded))
  }

  package init(_ problem: Problem, headers: [Answer.Header] = []) {
    self.init(problem.answer)
    self.headers += headers
    self.problem = problem.kind.name
  }

  /// Returns the answer to HEAD: everything but the body.
  func withoutBody() -> Self {
    var response = self
    // RFC 9110 §8.6: an answer without content has no length.
    if case .bytes(let bytes) = body, status != 204 {
      response.headers.append(.init("Content-Length", String(bytes.count)))
    }
    if case .events(let events) = body { events.end() }
    response.body = .bytes([])
    return response
  }

  /// Returns the value of the header of that name; `nil` if there is none.
  public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
