import BumpSystem
import CHTTP
import Glibc

/// One request at a time by libcurl, and the connection that it leaves. The request may be cancelled from any thread; then
/// the call is of no further use.
final class HTTPCall: @unchecked Sendable {
  private let call: OpaquePointer

  /// - Returns: `nil` if libcurl cannot be loaded.
  init?() {
    guard let call = bump_call_make() else { return nil }
    self.call = call
  }

  deinit { bump_call_free(call) }

  func cancel() { bump_call_cancel(call) }

  /// The receiver of the body.
  private final class BodyReceiver {
    let take: (Int, String, [UInt8]) -> Bool
    init(_ take: @escaping (Int, String, [UInt8]) -> Bool) { self.take = take }
  }

  func perform(_ request: HTTPRequest, _ take: @escaping (Int, String, [UInt8]) -> Bool) -> HTTPResponse {
    let bodyReceiver = BodyReceiver(take)
    let texts = CStrings()
    return withExtendedLifetime((bodyReceiver, texts)) {
      (request.body ?? []).withUnsafeBufferPointer { body in
        body.withMemoryRebound(to: CChar.self) { body in
          var made = bump_http_request()
          made.url = texts.add(request.url)
          made.method = texts.add(request.method)
          // An empty body is a body too, so its pointer must not be NULL.
          made.body = request.body == nil ? nil : body.baseAddress ?? texts.add("")
          made.body_count = body.count
          made.body_type = texts.add(request.bodyType)
          made.accept = texts.add(request.accept)
          made.authorization = texts.add(request.authorization)
          made.fields = texts.add(request.fields.map { "\($0.name): \($0.value)\n" }.joined())
          made.signature = texts.add(request.signature.map { "aws:amz:\($0.region):\($0.service)" })
          made.signer = texts.add(request.signature.map { "\($0.accessKey):\($0.secretKey)" })
          made.roots = texts.add(request.roots)
          made.is_direct = request.isDirect ? 1 : 0
          made.connect_milliseconds = request.connectLimit.limitInMilliseconds
          made.milliseconds = request.limit?.limitInMilliseconds ?? 0
          made.silence_seconds = request.silence ?? 0
          let answer = bump_http_perform(
            call, &made,
            { context, status, type, bytes, count in
              guard let context, let type else { return 0 }
              let bodyReceiver = Unmanaged<BodyReceiver>.fromOpaque(context).takeUnretainedValue()
              let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
              return bodyReceiver.take(status, String(cString: type), Array(bytes)) ? 1 : 0
            }, Unmanaged.passUnretained(bodyReceiver).toOpaque())
          return HTTPResponse(answer)
        }
      }
    }
  }
}

extension HTTPResponse {
  /// Converts an answer, and frees its memory.
  fileprivate init(_ answer: bump_http_answer) {
    let end: End =
      switch answer.end {
      case BUMP_HTTP_ANSWERED: .answered
      case BUMP_HTTP_STOPPED: .stopped
      case BUMP_HTTP_UNSENT: .unsent
      default: .lost
      }
    let failure =
      switch answer.failure {
      case BUMP_HTTP_UNTRUSTED:
        HTTPFailure(.untrusted, "its certificate is not trusted here, or is another host's")
      case BUMP_HTTP_NO_TLS: HTTPFailure(.noTLS, "no TLS connection can be made with it")
      case BUMP_HTTP_NOTHING: HTTPFailure(.noAnswer, "it closed the connection without an answer")
      default: HTTPFailure(words: withUnsafeBytes(of: answer.reason, Self.text))
      }
    defer { free(answer.redirect) }
    self.init(
      end: end, status: answer.status, type: withUnsafeBytes(of: answer.type, Self.text),
      retryAfter: answer.retry_after < 0 ? nil : answer.retry_after,
      redirect: answer.redirect.map { String(cString: $0) },
      failure: failure)
  }

  /// Reads a C string.
  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
