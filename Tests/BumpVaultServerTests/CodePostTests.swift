#if Vault
  import BumpMail
  import BumpVaultHTTP
  import Logging
  import Synchronization
  import Testing

  @testable import BumpSignIn
  @testable import BumpVaultServer

  /// Codes on their way to a sender of messages.
  @Suite(.timeLimit(.minutes(1))) struct CodePostTests {
    /// A sender that notes the recipients.
    private final class Sender: MailSender {
      let name = "a test"
      let sent: AsyncStream<String>
      private let entrance: AsyncStream<String>.Continuation

      init() { (sent, entrance) = AsyncStream.makeStream() }

      func send(_ message: OutgoingMessage) async throws(MailFailure) { entrance.yield(message.recipient.text) }
      func end() { entrance.finish() }
    }

    @Test func `a code that has lapsed before it could be sent is not sent`() async throws {
      let sender = Sender()
      let milliseconds = Mutex<Int64>(1_800_000_000_999)
      let post = CodePost(
        sender, from: try #require(EnvelopeAddress("codes@vault.example")), for: VaultOrigin(),
        clock: { milliseconds.withLock(\.self) }, Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      // Nobody sends yet. The second code lasts one second longer than the first.
      for (recipient, lifetime) in [("lapsed", 600), ("good", 601)] as [(String, Int64)] {
        let address = SignInAddress.mail(try MailAddress("\(recipient)@example.org"))
        let code = try #require(OneTimeCode("012345", count: 6))
        post.send(CodeMessage(address: address, code: code, lifetime: lifetime), .english)
      }
      milliseconds.withLock { $0 += 600_000 }
      let running = Task { await post.run() }
      var sent = sender.sent.makeAsyncIterator()
      #expect(await sent.next() == "good@example.org")
      running.cancel()
      await running.value
      sender.end()
      #expect(await sent.next() == nil)
    }
  }
#endif
