import Synchronization

/// Connections to one server, which are kept for its next requests. A handshake of TCP and TLS then takes place once, and
/// not with each request.
package final class HTTPConnections: Sendable {
  /// Calls that wait for a request, each with its connection.
  private let idle = Mutex<[HTTPCall]>([])
  private let most: Int

  /// - Parameter most: how many connections are kept while no request uses them.
  package init(most: Int = 4) {
    self.most = most
  }

  /// Sends a request, and receives the answer, as `HTTPRequest.perform` does.
  ///
  /// A server may close a kept connection at any time. libcurl then sends the request again on a new one, if no byte of
  /// an answer came: such a request must be one that may come twice.
  package func perform(
    _ request: HTTPRequest, _ take: @escaping @Sendable (_ status: Int, _ type: String, _ bytes: [UInt8]) -> Bool
  ) async -> HTTPResponse {
    guard let call = idle.withLock({ $0.popLast() }) ?? HTTPCall() else { return .noLibrary }
    let response = await request.perform(by: call, take)
    // A connection whose request was cancelled, or failed, may still get that request's answer.
    if response.end == .answered, !Task.isCancelled {
      idle.withLock { calls in
        if calls.count < most { calls.append(call) }
      }
    }
    return response
  }
}
