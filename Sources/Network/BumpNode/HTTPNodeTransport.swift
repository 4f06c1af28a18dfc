import BumpHTTP
import Synchronization

/// Carries messages to a node over HTTP by libcurl, on connections that are kept.
///
/// Certificates are checked against the system's. Redirects are not followed.
public final class HTTPNodeTransport: NodeTransport {
  /// The greatest number of bytes of an answer: a block's logs.
  private static let most = 8 << 20

  private let url: String
  private let limit: Duration
  private let connections = HTTPConnections()

  /// - Parameters:
  ///   - url: the node's URL. It may contain the operator's key, and is in no message.
  ///   - limit: how long one answer may take.
  public init(url: String, limit: Duration = .seconds(5)) {
    (self.url, self.limit) = (url, limit)
  }

  public func send(_ message: [UInt8]) async -> NodeReply {
    let body = Mutex<[UInt8]>([])
    let request = HTTPRequest(
      url: url, body: message, accept: "application/json", connectLimit: limit, limit: limit)
    let response = await connections.perform(request) { _, _, bytes in
      body.withLock { body in
        body += bytes
        return body.count <= Self.most
      }
    }
    switch response.end {
    case .answered:
      return .answer(
        status: response.status, retryAfter: response.retryAfter.map(Int64.init), body: body.withLock { $0 })
    case .unsent: return .unsent(response.failure.reason)
    case .stopped: return .lost("its answer is too long")
    case .lost: return .lost(response.failure.reason)
    }
  }
}
