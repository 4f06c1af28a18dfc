import CHTTP
import Glibc

/// A message on its way to a server, by libcurl. It may be cancelled from any thread.
final class SMTPCall: @unchecked Sendable {
  private let call: OpaquePointer

  /// - Returns: `nil` if libcurl cannot be loaded.
  init?() {
    guard let call = bump_smtp_make() else { return nil }
    self.call = call
  }

  deinit { bump_smtp_free(call) }

  /// Gives the message the server's `farewell`, and nothing further.
  func cancel() { bump_smtp_cancel(call) }

  /// Sends the message. Blocks until that has ended.
  func send(_ message: OutgoingMessage, to server: SMTPServer) -> bump_smtp_answer {
    let credentials = server.credentials
    let texts = [
      server.url(message.sender.domain), message.sender.text, message.recipient.text, credentials?.user,
      credentials?.password, server.roots,
    ].map { $0.flatMap { strdup($0) } }
    defer {
      for text in texts {
        // One of them is the password.
        if let text { explicit_bzero(text, strlen(text)) }
        free(text)
      }
    }
    return message.bytes.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        var made = bump_smtp_message()
        made.url = UnsafePointer(texts[0])
        made.sender = UnsafePointer(texts[1])
        made.recipient = UnsafePointer(texts[2])
        made.user = UnsafePointer(texts[3])
        made.password = UnsafePointer(texts[4])
        made.roots = UnsafePointer(texts[5])
        made.starts_tls = server.security == .startTLS ? 1 : 0
        made.bytes = bytes.baseAddress
        made.count = bytes.count
        made.connect_milliseconds = server.connectLimit.milliseconds
        made.milliseconds = server.limit.milliseconds
        made.farewell_milliseconds = server.farewell.milliseconds
        return bump_smtp_send(call, &made)
      }
    }
  }
}

extension Duration {
  /// The milliseconds, at least one, since libcurl takes zero as no limit.
  fileprivate var milliseconds: Int {
    let (seconds, attoseconds) = components
    return max(1, Int(min(seconds, 1_000_000)) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}
