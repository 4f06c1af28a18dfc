import Foundation
import Lab
import Testing

@testable import BumpMail

/// libcurl with a server of mail that says what a test has it say.
@Suite struct SMTPConversationTests {
  private func message(_ text: String = "012345\n.\n..\nFrom here\n") throws -> OutgoingMessage {
    OutgoingMessage(
      from: try #require(EnvelopeAddress("no-reply@vault.example")),
      to: try #require(EnvelopeAddress("alice@example.org")), subject: "Code", plain: text, html: nil,
      at: 1_800_000_000, id: [1, 2, 3])
  }

  private func send(
    _ answers: [String: String?] = [:], credentials: SMTPServer.Credentials? = nil,
    security: SMTPServer.Security = .none, limit: Duration = .seconds(30)
  ) async throws -> (lines: [String], failure: MailFailure?) {
    let scripted = try ScriptedMailServer(answers)
    let server = try SMTPServer(
      host: "127.0.0.1", port: scripted.port, security: security, credentials: credentials, limit: limit)
    do {
      try await server.send(message())
      return (scripted.end(), nil)
    } catch {
      return (scripted.end(), error as? MailFailure)
    }
  }

  @Test func `a message arrives byte for byte, for one recipient`() async throws {
    let (lines, failure) = try await send()
    #expect(failure == nil)
    #expect(lines.first == "EHLO vault.example")
    #expect(lines.count { $0.hasPrefix("MAIL FROM:<no-reply@vault.example>") } == 1)
    #expect(lines.filter { $0.hasPrefix("RCPT") } == ["RCPT TO:<alice@example.org>"])
    let data = try #require(lines.firstIndex(of: "DATA"))
    let end = try #require(lines.lastIndex(of: "."))
    let sent = lines[(data + 1)..<end].joined(separator: "\r\n") + "\r\n"
    #expect(sent == String(decoding: try message().bytes, as: UTF8.self))
    #expect(lines.last == "QUIT")
  }

  @Test(
    arguments: [
      ("RCPT", "550 5.1.1 alice@example.org is unknown", .permanent), ("RCPT", "451 4.7.1 later", .temporary),
      ("MAIL", "552 too much", .permanent), ("DATA", "451 not now", .temporary), (".", "554 5.7.1 spam", .permanent),
      (".", "452 4.3.1 full", .temporary), (".", nil, .unknown), ("RCPT", nil, .temporary), ("EHLO", nil, .temporary),
      ("greeting", "554 go away", .permanent), ("MAIL", "530 5.7.0 sign in", .configuration),
    ] as [(String, String?, MailFailure.Kind)])
  func `each refusal has its kind, and no address in its words`(
    command: String, answer: String?, kind: MailFailure.Kind
  ) async throws {
    let (_, failure) = try await send([command: answer])
    #expect(failure?.kind == kind, "\(failure?.description ?? "none")")
    for text in ["alice", "example.org", "unknown", "spam", "012345"] {
      #expect(failure?.description.contains(text) == false)
    }
  }

  @Test func `a wrong password is said to be one, and nothing is sent`() async throws {
    let credentials = SMTPServer.Credentials(user: "bob", password: "wrong")
    let (lines, failure) = try await send(["AUTH": "535 5.7.8 no"], credentials: credentials)
    #expect(failure?.kind == .configuration && failure?.description.contains("password") == true)
    #expect(!lines.contains { $0.hasPrefix("MAIL") || $0.hasPrefix("DATA") })
  }

  @Test func `a server that does not offer STARTTLS gets neither password nor message`() async throws {
    let credentials = SMTPServer.Credentials(user: "bob", password: "secret")
    let (lines, failure) = try await send(credentials: credentials, security: .startTLS)
    #expect(failure?.kind == .configuration && failure?.description.contains("TLS") == true)
    #expect(!lines.contains { $0.hasPrefix("AUTH") || $0.hasPrefix("MAIL") })
  }

  @Test func `a server that cannot check the password now is asked again`() async throws {
    let credentials = SMTPServer.Credentials(user: "bob", password: "right")
    let (lines, failure) = try await send(["AUTH": "454 4.7.0 later"], credentials: credentials)
    #expect(failure?.kind == .temporary && failure?.description.contains("454") == true)
    #expect(!lines.contains { $0.hasPrefix("MAIL") || $0.hasPrefix("DATA") })
  }

  /// libcurl by itself waits for two minutes for the answer to QUIT.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      (["RCPT": "", "QUIT": ""], .temporary), ([".": "", "QUIT": ""], .unknown), (["QUIT": ""], nil),
    ] as [([String: String?], MailFailure.Kind?)])
  func `a server that says nothing is given up in its time, also at the end`(
    answers: [String: String?], kind: MailFailure.Kind?
  ) async throws {
    let (_, failure) = try await send(answers, limit: .milliseconds(300))
    #expect(failure?.kind == kind, "\(failure?.description ?? "none")")
  }

  @Test(.timeLimit(.minutes(1)), arguments: [".", "RCPT"])
  func `a message that is cancelled has its farewell, and nothing further`(command: String) async throws {
    let scripted = try ScriptedMailServer([command: "", "QUIT": ""])
    let server = try SMTPServer(
      host: "127.0.0.1", port: scripted.port, security: .none, limit: .seconds(600), farewell: .milliseconds(1))
    let message = try message()
    let sending = Task { try await server.send(message) }
    try await waitUntil("the silence") { scripted.sent.contains { $0.hasPrefix(command) } }
    sending.cancel()
    let failure = await #expect(throws: MailFailure.self) { try await sending.value }
    #expect(failure?.kind == (command == "." ? .unknown : .temporary), "\(failure?.description ?? "none")")
    scripted.end()
  }

  @Test func `a message whose answer comes within its farewell was sent`() async throws {
    let scripted = try ScriptedMailServer()
    let server = try SMTPServer(host: "127.0.0.1", port: scripted.port, security: .none, farewell: .seconds(30))
    let message = try message()
    let sending = Task { try await server.send(message) }
    sending.cancel()
    try await sending.value
    #expect(scripted.end().contains("."))
  }
}
