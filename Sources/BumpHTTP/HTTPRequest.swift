import BumpThreads
import CHTTP

/// A request over HTTP/1.1 by libcurl, on a connection of its own, so that one which fails says whether it was sent.
///
/// Certificates are checked against those of the system. Redirects are not followed.
package struct HTTPRequest: Sendable {
  package var url: String
  /// The method; `nil` for GET or, with a body, POST.
  package var method: String?
  /// `nil` for none.
  package var body: [UInt8]?
  /// The media type of the body.
  package var bodyType = "application/json"
  /// The media type that is wanted.
  package var accept: String
  /// The header field Authorization; `nil` for none.
  package var authorization: String?
  /// Further header fields. Names and values have no line feed.
  package var fields: [(name: String, value: String)] = []
  /// What signs the request; `nil` for nobody.
  package var signature: RequestSignature?
  /// A file of certificates in PEM that are trusted in place of the system's; `nil` for those.
  package var roots: String?
  /// How long the connection may take, TLS included.
  package var connectLimit: Duration
  /// How long the whole request may take; `nil` for no limit.
  package var limit: Duration?
  /// After how many seconds of silence the request fails; `nil` for no limit.
  package var silence: Int?

  package init(
    url: String, body: [UInt8]? = nil, accept: String, authorization: String? = nil, roots: String? = nil,
    connectLimit: Duration, limit: Duration?, silence: Int? = nil
  ) {
    (self.url, self.body, self.accept) = (url, body, accept)
    (self.authorization, self.roots) = (authorization, roots)
    (self.connectLimit, self.limit, self.silence) = (connectLimit, limit, silence)
  }

  /// Loads libcurl meanwhile, so that the first request need not wait for that.
  package static func prepare() { startThread { bump_http_load() } }

  /// Carries the request out. It ends early where the task is cancelled.
  ///
  /// - Parameter take: is given the body as it comes; returns false for no more.
  package func perform(
    _ take: @escaping @Sendable (_ status: Int, _ type: String, _ bytes: [UInt8]) -> Bool
  ) async -> HTTPAnswer {
    guard let call = HTTPCall() else {
      return HTTPAnswer(
        end: .unsent, status: 0, retryAfter: nil, redirect: nil, reason: "libcurl is not installed here")
    }
    return await withTaskCancellationHandler {
      await onThread { call.perform(self, take) }
    } onCancel: {
      call.cancel()
    }
  }
}

/// The keys by which a request is signed (AWS Signature Version 4). It prints without the secret.
package struct RequestSignature: Sendable, CustomStringConvertible, CustomReflectable {
  let accessKey: String
  let secretKey: String
  let region: String
  let service: String

  package init(accessKey: String, secretKey: String, region: String, service: String) {
    (self.accessKey, self.secretKey, self.region, self.service) = (accessKey, secretKey, region, service)
  }

  package var description: String { "<redacted>" }
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

/// What became of a request.
package struct HTTPAnswer: Sendable {
  package enum End: Sendable {
    case answered
    /// The receiver of the body wanted no more.
    case stopped
    /// There was no connection, so nothing was sent.
    case unsent
    /// There was a connection, and no whole answer.
    case lost
  }

  package let end: End
  /// 0 where there was none.
  package let status: Int
  /// The header field Retry-After, in seconds.
  package let retryAfter: Int?
  /// Where a redirect leads, as an absolute URL; `nil` for none.
  package let redirect: String?
  /// Why it failed, for a person. It has nothing of the request in it.
  package let reason: String
}
