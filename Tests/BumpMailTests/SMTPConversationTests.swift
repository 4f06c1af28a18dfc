import Foundation
import Glibc
import Lab
import Synchronization
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

  @Test func `a server that says nothing is given up`() async throws {
    let (_, failure) = try await send(["RCPT": ""], limit: .milliseconds(300))
    #expect(failure?.kind == .temporary)
  }
}

/// A server of mail on 127.0.0.1, for one connection.
private final class ScriptedMailServer: Sendable {
  let port: UInt16
  private let listener: Int32
  /// Answers by command. `nil` closes the connection, and an empty one says nothing.
  private let answers: [String: String?]
  private let lines = Mutex<[String]>([])

  init(_ answers: [String: String?]) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && getsockname(listener, address, &length) == 0
          && listen(listener, 1) == 0
      }
    }
    try #require(isListening)
    (self.answers, self.listener, port) = (answers, listener, UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [self] in serve() }
  }

  /// Closes the server. Returns what its client has sent, line for line.
  func end() -> [String] {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    return lines.withLock(\.self)
  }

  private func serve() {
    let client = acceptConnection(on: listener)
    guard client >= 0 else { return }
    defer { close(client) }
    guard answer("greeting", "220 test", client) else { return }
    var (rest, isMessage): ([UInt8], Bool) = ([], false)
    while let line = Self.line(&rest, client) {
      lines.withLock { $0.append(line) }
      let command = isMessage ? (line == "." ? "." : "") : String(line.prefix { $0 != " " })
      switch command {
      case "": continue
      case "EHLO": guard answer(command, "250-test\r\n250 AUTH PLAIN", client) else { return }
      case "AUTH": guard answer(command, "235 ok", client) else { return }
      case "DATA":
        guard answer(command, "354 go", client) else { return }
        isMessage = answers["DATA"] == nil
      case ".":
        isMessage = false
        guard answer(command, "250 ok", client) else { return }
      case "QUIT":
        _ = answer(command, "221 bye", client)
        return
      default: guard answer(command, "250 ok", client) else { return }
      }
    }
  }

  private func answer(_ command: String, _ usual: String, _ client: Int32) -> Bool {
    guard let text = answers[command] ?? .some(usual) else { return false }
    let bytes = text.isEmpty ? [] : Array("\(text)\r\n".utf8)
    return bytes.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } >= 0
  }

  private static func line(_ rest: inout [UInt8], _ client: Int32) -> String? {
    while true {
      if let end = rest.firstIndex(of: 10) {
        let line = rest[..<end].filter { $0 != 13 }
        rest.removeFirst(end + 1)
        return String(decoding: line, as: UTF8.self)
      }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = recv(client, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      rest += buffer.prefix(count)
    }
  }
}
