import CHTTP
import Foundation
import Lab
import Samples
import Synchronization
import Testing

@testable import BumpMail

private func message(_ text: String = "012345") throws -> OutgoingMessage {
  let address = try #require(EnvelopeAddress("alice@example.org"))
  return OutgoingMessage(
    from: address, to: address, subject: "Code", plain: text, html: nil, at: 1_800_000_000, id: [1, 2, 3])
}

@Suite struct MaildirTests {
  @Test func `a message is a file in new, with the line ends of the system, for its owner alone`() async throws {
    let place = try TemporaryDirectory()
    let maildir = try Maildir(place.path("mail"))
    try await maildir.send(message())
    try await maildir.send(message())
    let names = try FileManager.default.contentsOfDirectory(atPath: place.path("mail/new"))
    #expect(names.count == 2 && names.allSatisfy { !$0.contains(":") })
    for name in names {
      let text = try String(contentsOfFile: place.path("mail/new/\(name)"), encoding: .utf8)
      #expect(text.contains("\n\n012345") && !text.contains("\r"))
      #expect(try place.mode("mail/new/\(name)") == 0o600)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path("mail/tmp")).isEmpty)
    for folder in ["mail", "mail/new", "mail/tmp", "mail/cur"] { #expect(try place.mode(folder) == 0o700) }
  }

  @Test func `no message takes another one's place`() async throws {
    let place = try TemporaryDirectory()
    let maildir = try Maildir(place.path("mail"), draw: { (1, 2) })
    try await maildir.send(message("first"))
    let failure = await #expect(throws: MailFailure.self) { try await maildir.send(message("second")) }
    #expect(failure?.kind == .temporary)
    let names = try FileManager.default.contentsOfDirectory(atPath: place.path("mail/new"))
    let name = try #require(names.first)
    #expect(names.count == 1)
    #expect(try String(contentsOfFile: place.path("mail/new/\(name)"), encoding: .utf8).contains("first"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path("mail/tmp")).isEmpty)
  }

  @Test(arguments: ["mail", "mail/new", "mail/tmp"])
  func `a Maildir that others can read is refused, with what to do`(folder: String) throws {
    let place = try TemporaryDirectory()
    _ = try Maildir(place.path("mail"))
    #expect(chmod(place.path(folder), 0o755) == 0)
    let failure = #expect(throws: MailFailure.self) { try Maildir(place.path("mail")) }
    #expect(failure?.kind == .configuration && failure?.remedy?.contains("chmod -R go= ") == true)
  }

  @Test func `a file in place of a Maildir is refused`() throws {
    let place = try TemporaryDirectory()
    #expect(FileManager.default.createFile(atPath: place.path("mail"), contents: nil))
    #expect(throws: MailFailure.self) { try Maildir(place.path("mail")) }
  }

  @Test func `a link in place of a folder is refused`() throws {
    let place = try TemporaryDirectory()
    _ = try Maildir(place.path("mail"))
    try FileManager.default.removeItem(atPath: place.path("mail/new"))
    try FileManager.default.createSymbolicLink(
      atPath: place.path("mail/new"), withDestinationPath: place.path("mail/cur"))
    #expect(throws: MailFailure.self) { try Maildir(place.path("mail")) }
  }
}

@Suite struct SMTPServerTests {
  @Test(arguments: ["", "a b", "a\r\nb", "a/b", "a:25", "user@host", "a?b", "[::1]"])
  func `what is no host is refused`(host: String) {
    #expect(throws: MailFailure.self) { try SMTPServer(host: host, port: 25, security: .startTLS) }
  }

  @Test func `nothing leaves this machine without encryption`() throws {
    for host in ["mail.example", "192.0.2.1", "127.0.0.1.example", "127.0.0.256", "::2"] {
      let failure = #expect(throws: MailFailure.self) { try SMTPServer(host: host, port: 25, security: .none) }
      #expect(failure?.kind == .configuration)
    }
    for host in ["localhost", "127.0.0.1", "::1"] { _ = try SMTPServer(host: host, port: 25, security: .none) }
  }

  @Test func `the URL has the encryption, the port and the name for EHLO`() throws {
    #expect(
      try SMTPServer(host: "mail.example", port: 587, security: .startTLS).url("v.example")
        == "smtp://mail.example:587/v.example")
    #expect(
      try SMTPServer(host: "mail.example", port: 465, security: .tls).url("v.example")
        == "smtps://mail.example:465/v.example")
    #expect(try SMTPServer(host: "::1", port: 25, security: .none).url("v") == "smtp://[::1]:25/v")
  }

  @Test func `a password is one line, and prints as nothing`() throws {
    #expect(SMTPServer.Credentials(user: "", password: "x") == nil)
    #expect(SMTPServer.Credentials(user: "a\r\nb", password: "x") == nil)
    #expect(SMTPServer.Credentials(user: "a", password: "x\u{0}") == nil)
    let credentials = try #require(SMTPServer.Credentials(user: "bob", password: "pässword"))
    let server = try SMTPServer(host: "::1", port: 25, security: .none, credentials: credentials)
    var dumped = ""
    dump(server, to: &dumped)
    for text in ["\(server)", dumped, server.name] { #expect(!text.contains("ssword")) }
  }

  @Test(
    arguments: [
      (BUMP_SMTP_REFUSED, 450, .temporary), (BUMP_SMTP_REFUSED, 550, .permanent),
      (BUMP_SMTP_DENIED, 535, .configuration),
      (BUMP_SMTP_NO_TLS, 0, .configuration), (BUMP_SMTP_UNTRUSTED, 0, .configuration),
      (BUMP_SMTP_UNSENT, 0, .temporary),
      (BUMP_SMTP_LOST, 354, .unknown), (BUMP_SMTP_DENIED, 454, .temporary),
    ] as [(bump_smtp_end, Int, MailFailure.Kind)])
  func `each end of a message has its kind of failure`(end: bump_smtp_end, status: Int, kind: MailFailure.Kind) throws {
    var answer = bump_smtp_answer()
    (answer.end, answer.status) = (end, status)
    let server = try SMTPServer(host: "mail.example", port: 587, security: .startTLS)
    #expect(server.failure(answer)?.kind == kind)
    answer.end = BUMP_SMTP_ACCEPTED
    #expect(server.failure(answer) == nil)
  }

  @Test func `a server that is not there is a temporary failure`() async throws {
    let server = try SMTPServer(host: "127.0.0.1", port: closedPort(), security: .none)
    let failure = await #expect(throws: MailFailure.self) { try await server.send(message()) }
    #expect(failure?.kind == .temporary)
    #expect(failure?.description.contains("alice") == false && failure?.description.contains("012345") == false)
  }
}

@Suite struct MailQueueTests {
  /// A sender that fails as it is told, and waits where it is told to.
  private final class Sender: MailSender {
    struct State {
      var failures: [MailFailure.Kind]
      var tries = 0
    }

    let name = "a test"
    private let state: Mutex<State>
    private let (gate, opening) = AsyncStream<Void>.makeStream()
    private let (sent, isSent) = AsyncStream<Int>.makeStream()
    private let waits: Bool

    init(_ failures: [MailFailure.Kind] = [], waits: Bool = false) {
      state = Mutex(State(failures: failures))
      self.waits = waits
    }

    var tries: Int { state.withLock(\.tries) }

    func open() { opening.finish() }

    func send(_ message: OutgoingMessage) async throws(MailFailure) {
      if waits { for await _ in gate {} }
      let (failure, tries) = state.withLock { state in
        state.tries += 1
        return (state.failures.isEmpty ? nil : state.failures.removeFirst(), state.tries)
      }
      isSent.yield(tries)
      if let failure { throw MailFailure(failure, "told to") }
    }

    /// Waits for a number of tries.
    func waitForTries(_ count: Int) async {
      for await tries in sent where tries >= count { return }
    }
  }

  /// Sleeps for no time, and says for how long it would have.
  private struct Delays: Clock {
    typealias Instant = ContinuousClock.Instant
    let slept: Slept
    var now: Instant { ContinuousClock().now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws { slept.count.add(1, ordering: .relaxed) }
    final class Slept: Sendable { let count = Atomic<Int>(0) }
  }

  @Test(
    arguments: [
      ([], 1), ([.temporary], 2), ([.unknown, .temporary], 3), ([.permanent], 1), ([.configuration], 1),
      ([.temporary, .temporary, .temporary, .temporary, .temporary], 3),
    ] as [([MailFailure.Kind], Int)])
  func `a message is tried again where that can help, and not without end`(
    failures: [MailFailure.Kind], tries: Int
  ) async throws {
    let sender = Sender(failures)
    let queue = MailQueue(
      sender, workers: 1, delays: [.seconds(1), .seconds(2)], clock: Delays(slept: Delays.Slept()))
    let running = Task { await queue.run() }
    #expect(queue.add(try message()))
    await sender.waitForTries(tries)
    // The next message is sent by the same worker, once it has done with the first.
    #expect(queue.add(try message()))
    await sender.waitForTries(tries + 1)
    running.cancel()
    await running.value
    #expect(sender.tries >= tries + 1)
  }

  @Test func `a server that hangs fills no memory, and whoever asks does not wait`() async throws {
    let sender = Sender(waits: true)
    let dropped = Mutex(0)
    let queue = MailQueue(sender, capacity: 3, workers: 1, report: { _ in dropped.withLock { $0 += 1 } })
    // Nobody sends yet: three wait, and the others are dropped.
    let added = try (0..<10).map { _ in queue.add(try message()) }
    #expect(added == [true, true, true] + [Bool](repeating: false, count: 7))
    #expect(dropped.withLock(\.self) == 7)
    let running = Task { await queue.run() }
    sender.open()
    await sender.waitForTries(3)
    running.cancel()
    await running.value
    #expect(sender.tries == 3)
  }
}
