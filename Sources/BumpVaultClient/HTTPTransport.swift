import BumpHTTP
import Synchronization

/// Requests over HTTP/1.1 by libcurl, each on a connection of its own, so that one which fails says whether it was sent.
///
/// Certificates are checked against those of the system. Redirects are not followed: a vault has one place.
public struct HTTPTransport: VaultTransport {
  /// Bytes of an answer, at most.
  static let maximumCount = 64 * 1024
  /// After how many seconds of silence a stream of events counts as dead: the vault sends a comment every few seconds.
  static let silence = 60

  private let url: VaultURL
  private let roots: String?
  private let answerLimit: Duration

  /// - Parameters:
  ///   - roots: a file of certificates in PEM that are trusted in place of the system's; `nil` for those.
  ///   - answerLimit: how long one answer may take.
  public init(_ url: VaultURL, roots: String? = nil, answerLimit: Duration = .seconds(5)) {
    (self.url, self.roots, self.answerLimit) = (url, roots, answerLimit)
  }

  /// Loads what requests need meanwhile, so that the first one need not wait for that. To be called where one will follow.
  public static func prepare() { HTTPRequest.prepare() }

  public func send(_ request: VaultRequest, within limit: Duration) async -> VaultReply {
    let body = Mutex<[UInt8]>([])
    let answer = await perform(request, accepting: "application/json", within: min(limit, answerLimit)) { _, _, bytes in
      body.withLock { body in
        body += bytes
        return body.count <= Self.maximumCount
      }
    }
    switch answer.end {
    case .answered:
      return .answer(status: answer.status, body: body.withLock { $0 }, retryAfter: answer.retryAfter.map { Int64($0) })
    case .unsent: return .unsent(answer.reason)
    case .stopped: return .lost("its answer is too long")
    case .lost: return .lost(answer.reason)
    }
  }

  public func listen(to request: VaultRequest, _ take: @escaping @Sendable ([UInt8]) -> Bool) async {
    _ = await perform(request, accepting: "text/event-stream", within: nil) { status, type, bytes in
      status == 200 && type.lowercased().hasPrefix("text/event-stream") && take(bytes)
    }
  }

  /// - Parameter limit: `nil` for a stream, which ends by silence alone.
  private func perform(
    _ request: VaultRequest, accepting type: String, within limit: Duration?,
    _ take: @escaping @Sendable (_ status: Int, _ type: String, _ bytes: [UInt8]) -> Bool
  ) async -> HTTPAnswer {
    await HTTPRequest(
      url: url.description + request.path, body: request.body, accept: type, authorization: request.authorization,
      roots: roots, connectLimit: limit ?? answerLimit, limit: limit, silence: limit == nil ? Self.silence : nil
    ).perform(take)
  }
}
