import BumpHTTP
public import BumpVaultAPI
import Synchronization

/// Sends requests over HTTP/1.1 by libcurl, each on a connection of its own, so that a failure shows whether the
/// request was sent.
///
/// Checks certificates against the system's. Follows no redirects: a vault has one URL.
public struct HTTPTransport: VaultTransport {
  /// The greatest number of bytes of an answer.
  static let maximumCount = 64 * 1024
  /// After how many seconds of silence a stream of events counts as dead. The vault sends a comment every few seconds.
  static let silence = 60

  private let url: VaultURL
  private let roots: String?
  private let answerLimit: Duration

  /// - Parameters:
  ///   - roots: a PEM file of certificates to trust instead of the system's; `nil` for the system's.
  ///   - answerLimit: how long one answer may take.
  public init(_ url: VaultURL, roots: String? = nil, answerLimit: Duration = .seconds(5)) {
    (self.url, self.roots, self.answerLimit) = (url, roots, answerLimit)
  }

  /// Loads in advance what requests need, so that the first request does not wait for it. Call this if a request will
  /// follow.
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
      return .answer(
        status: answer.status, body: body.withLock { $0 },
        VaultReply.Context(
          retryAfter: answer.retryAfter.map { Int64($0) },
          isAuthentic: url.isAuthentic && Self.isOfVault(answer.type, status: answer.status)))
    case .unsent: return .unsent(VaultReply.Reason(answer.failure))
    case .stopped: return .lost("its answer is too long")
    case .lost: return .lost(VaultReply.Reason(answer.failure))
    }
  }

  /// Returns whether the vault answers with this media type. What stands in front of it answers in its own.
  private static func isOfVault(_ type: String, status: Int) -> Bool {
    let type = type.prefix { $0 != ";" }.lowercased().split(separator: " ").first
    return type == (status < 300 ? "application/json" : "application/problem+json")
  }

  public func listen(to request: VaultRequest, _ take: @escaping @Sendable ([UInt8]) -> Bool) async {
    _ = await perform(request, accepting: "text/event-stream", within: nil) { status, type, bytes in
      status == 200 && type.lowercased().hasPrefix("text/event-stream") && take(bytes)
    }
  }

  /// - Parameter limit: the time limit for the answer; `nil` for a stream, which only silence ends.
  private func perform(
    _ request: VaultRequest, accepting type: String, within limit: Duration?,
    _ take: @escaping @Sendable (_ status: Int, _ type: String, _ bytes: [UInt8]) -> Bool
  ) async -> HTTPResponse {
    await HTTPRequest(
      url: url.description + request.path, body: request.body, accept: type, authorization: request.authorization,
      roots: roots, connectLimit: limit ?? answerLimit, limit: limit, silence: limit == nil ? Self.silence : nil
    ).perform(take)
  }
}

extension VaultReply.Reason {
  /// Makes the reason of a failure over HTTP.
  init(_ failure: HTTPFailure) {
    switch failure.code {
    case .untrusted:
      self.init(
        failure.reason, remedy: "Check the host in its URL. SSL_CERT_FILE names a file of certificates to trust instead"
      )
    case .noTLS:
      self.init(failure.reason, remedy: "Check its URL: it may begin with http://, or have another port")
    case .noAnswer:
      self.init(failure.reason, remedy: "Check its URL: it may begin with https://. Otherwise try again later")
    case .other: self.init(failure.reason)
    }
  }
}
