import BumpSystem
import CHTTP

/// A message on its way to a server, by libcurl. It may be cancelled from any thread.
final class SMTPCall: @unchecked Sendable {
  private let call: OpaquePointer

  /// - Returns: `nil` if libcurl cannot be loaded.
  init?() {
    guard let call = bump_call_make() else { return nil }
    self.call = call
  }

  deinit { bump_call_free(call) }

  /// Gives the message the server's `farewell`, and nothing further.
  func cancel() { bump_call_cancel(call) }

  /// Sends the message. Blocks until that has ended.
  func send(_ message: OutgoingMessage, to server: SMTPServer) -> bump_smtp_answer {
    let texts = CStrings()
    return withExtendedLifetime(texts) {
      message.bytes.withUnsafeBufferPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self) { bytes in
          var made = bump_smtp_message()
          made.url = texts.add(server.url(message.sender.domain))
          made.sender = texts.add(message.sender.text)
          made.recipient = texts.add(message.recipient.text)
          made.user = texts.add(server.credentials?.user)
          made.password = texts.add(server.credentials?.password)
          made.roots = texts.add(server.roots)
          made.starts_tls = server.security == .startTLS ? 1 : 0
          made.bytes = bytes.baseAddress
          made.count = bytes.count
          made.connect_milliseconds = server.connectLimit.limitInMilliseconds
          made.milliseconds = server.limit.limitInMilliseconds
          made.farewell_milliseconds = server.farewell.limitInMilliseconds
          return bump_smtp_send(call, &made)
        }
      }
    }
  }
}
