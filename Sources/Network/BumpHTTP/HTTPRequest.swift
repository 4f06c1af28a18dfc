import BumpSystem
import BumpText
import CHTTP

/// A request over HTTP/1.1 by libcurl, on a connection of its own, so that a failure shows whether the request was
/// sent. `HTTPConnections` carries requests out on connections that are kept.
///
/// Certificates are checked against the system's. Redirects are not followed. Requests to this machine use no proxy.
package struct HTTPRequest: Sendable {
  /// The URL to request.
  package var url: String
  /// The method; `nil` for GET or, with a body, POST.
  package var method: String?
  /// The body; `nil` for none.
  package var body: [UInt8]?
  /// The media type of the body.
  package var bodyType = "application/json"
  /// The media type that the answer should have.
  package var accept: String
  /// The header field Authorization; `nil` for none.
  package var authorization: String?
  /// Further header fields. Names and values have no line feed.
  package var fields: [(name: String, value: String)] = []
  /// The keys that sign the request; `nil` if it is not signed.
  package var signature: RequestSignature?
  /// The path of a file of certificates in PEM that are trusted in place of the system's; `nil` for the system's.
  package var roots: String?
  /// How long connecting may take, including TLS.
  package var connectLimit: Duration
  /// How long the whole request may take; `nil` for no limit.
  package var limit: Duration?
  /// After how many seconds without data the request fails; `nil` for no limit.
  package var silence: Int?

  package init(
    url: String, body: [UInt8]? = nil, accept: String, authorization: String? = nil, roots: String? = nil,
    connectLimit: Duration, limit: Duration?, silence: Int? = nil
  ) {
    (self.url, self.body, self.accept) = (url, body, accept)
    (self.authorization, self.roots) = (authorization, roots)
    (self.connectLimit, self.limit, self.silence) = (connectLimit, limit, silence)
  }

  /// Whether no proxy is used, whatever `http_proxy` names: a request to this machine must not leave it.
  var isDirect: Bool {
    guard let match = url.prefixMatch(of: /(?i)https?:\/\/(?:\[([^\]\/?#]*)\]|([^:\/?#]*))/) else { return false }
    return LoopbackHost.contains(String(match.1 ?? match.2 ?? ""))
  }

  /// Loads libcurl on another thread, so that the first request need not wait for it.
  package static func prepare() { startThread { bump_http_load() } }

  /// Sends the request, and receives the answer. If the task is cancelled, it ends early.
  ///
  /// - Parameter take: called with the status, the media type and the next bytes of the body. It returns `false` to
  ///   stop.
  package func perform(
    _ take: @escaping @Sendable (_ status: Int, _ type: String, _ bytes: [UInt8]) -> Bool
  ) async -> HTTPResponse {
    guard let call = HTTPCall() else { return .noLibrary }
    return await perform(by: call, take)
  }

  func perform(
    by call: HTTPCall, _ take: @escaping @Sendable (_ status: Int, _ type: String, _ bytes: [UInt8]) -> Bool
  ) async -> HTTPResponse {
    await withTaskCancellationHandler {
      await onThread { call.perform(self, take) }
    } onCancel: {
      call.cancel()
    }
  }
}

extension HTTPResponse {
  /// The end of a request where there is no libcurl.
  static var noLibrary: HTTPResponse {
    HTTPResponse(
      end: .unsent, status: 0, type: "", retryAfter: nil, redirect: nil,
      failure: HTTPFailure(.other, "libcurl is not installed here"))
  }
}

/// The keys that sign a request (AWS Signature Version 4). It prints without the secret.
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

/// The result of a request.
package struct HTTPResponse: Sendable {
  /// How a request ended.
  package enum End: Sendable {
    case answered
    /// `take` stopped the request.
    case stopped
    /// The request was never begun, so no byte of it was sent.
    case unsent
    /// Something of the request may have been sent, and no complete answer was received. The request may have been
    /// handled.
    case lost
  }

  package let end: End
  /// The status; 0 if no answer came.
  package let status: Int
  /// The media type; empty if the answer names none.
  package let type: String
  /// The header field Retry-After, in seconds.
  package let retryAfter: Int?
  /// The target of a redirect, as an absolute URL; `nil` for none.
  package let redirect: String?
  /// Why there is no complete answer. It says nothing of a request that was answered.
  package let failure: HTTPFailure
}
