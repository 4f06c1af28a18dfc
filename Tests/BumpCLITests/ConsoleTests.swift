import ArgumentParser
import Foundation
import Glibc
import Lab
import Testing

@testable import BumpCLI
@testable import BumpTerminal
@testable import BumpWire

/// What is said on stderr.
@Suite struct ConsoleTests {
  @Test func `of what strangers bring about no more is said than a person reads`() async throws {
    let said = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let console = Console(quiet: false)
      for number in 1...100 { console.sayOfStrangers("stranger \(number)") }
      Foundation.exit(0)
    }
    let lines = String(decoding: said.standardErrorContent, as: UTF8.self).split(separator: "\n")
    #expect(lines.prefix(16).elementsEqual((1...16).map { "stranger \($0)" }))
    #expect(lines.dropFirst(16) == ["Further messages like this are suppressed for one minute."])
  }

  @Test func `where no line is rewritten a receiver that decides is said once`() async throws {
    let said = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let progress = Progress("Waiting for a receiver", nil, Console(quiet: false))
      progress.secured("192.0.2.9:4000", VerificationDigits(handshakeHash: [0, 0, 0, 0, 0, 0, 0, 7]))
      progress.deciding("192.0.2.9:4000", seconds: 60)
      progress.show(first: true)
      Foundation.exit(0)
    }
    let lines = String(decoding: said.standardErrorContent, as: UTF8.self).split(separator: "\n")
    #expect(
      lines.count == 1 && lines[0].firstMatch(of: /^\d{3} \d{3}: 192\.0\.2\.9 is deciding, \d+ s left$/) != nil,
      "\(lines)")
  }

  @Test func `a wait without a limit says for how long it has waited, which is no time that is left`() {
    #expect(
      Progress.waiting("Waiting for a sender", as: nil, for: nil, passed: 40)
        == "Waiting for a sender until \(Interrupt.inWords), for 40 s")
  }

  @Test(
    arguments: [
      (nil, Duration.seconds(10), "Waiting for a receiver… 8 s"),
      ("alice-69ea", .seconds(10), "Waiting for a receiver as alice-69ea… 8 s"),
      ("alice-69ea", nil, "Waiting for a receiver as alice-69ea until \(Interrupt.inWords), for 2 s"),
    ] as [(String?, Duration?, String)])
  func `a sender that waits shows the name by which receivers tell it from others`(
    name: String?, time: Duration?, line: String
  ) {
    #expect(Progress.waiting("Waiting for a receiver", as: name, for: time, passed: 2) == line)
  }

  /// Calls a closure whose messages and results go to a terminal of this kind, and copies what the terminal was sent to
  /// stdout as it was before.
  private static func show(on kind: String, _ write: (Console) -> Void) throws {
    let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // Linux: TIOCSPTLCK and TIOCGPTN, which are macros (ioctl_tty(2)).
    var (isLocked, number): (Int32, Int32) = (0, 0)
    try #require(ioctl(terminal, 0x4004_5431, &isLocked) == 0 && ioctl(terminal, 0x8004_5430, &number) == 0)
    let screen = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    for file in [STDOUT_FILENO, STDERR_FILENO] {
      close(file)
      // The lowest free descriptor from this number on.
      try #require(fcntl(screen, F_DUPFD_CLOEXEC, file) == file)
    }
    setenv("TERM", kind, 1)
    write(Console(quiet: false))
    // All is there once the other end is closed.
    for file in [STDOUT_FILENO, STDERR_FILENO, screen] { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    while case let count = read(terminal, &bytes, bytes.count), count > 0 { _ = Glibc.write(output, bytes, count) }
  }

  /// The sequences that write a status, and that erase it.
  private static let (status, erased) = ("\r\u{1B}[K\u{1B}[?7lAsking.\u{1B}[?7h", "\r\u{1B}[K")

  static let written: [(String, String)] = [
    ("result", "1.00 USDC\r\n"), ("error", "bump: nothing is locked\r\n"), ("bytes", "card\r\n"),
    ("message", "Note.\r\n\u{1B}[?7lAsking.\u{1B}[?7h"), ("another's message", "Note.\r\n\u{1B}[?7lAsking.\u{1B}[?7h"),
  ]

  @Test(arguments: written)
  func `a status leaves its line before anything else is written, and stays below a message alone`(
    what: String, line: String
  ) async throws {
    let said = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
      [what = what as String] in
      try Self.show(on: "xterm") { console in
        console.setStatus("Asking.", first: true)
        switch what {
        case "result": Console.result("1.00 USDC")
        case "bytes": Console.result(Array("card\n".utf8))
        case "error": Console.standardError("nothing is locked")
        case "message": console.say("Note.")
        default: Console(quiet: false).say("Note.")
        }
      }
      Foundation.exit(0)
    }
    #expect(String(decoding: said.standardOutputContent, as: UTF8.self) == Self.status + Self.erased + line)
  }

  /// What a question is about: on a terminal of 80 columns the second takes two rows.
  static let offers = [
    #""bob" offers 2.00 USDC."#,
    #""somebody whose name is as long as that" offers 123456789.00 USDC, and its line is longer than the terminal."#,
  ]

  @Test(arguments: offers, [1, 2])
  func `what comes while a question is asked stands above what the question is about`(offer: String, count: Int)
    async throws
  {
    let said = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
      [offer = offer as String, count = count as Int] in
      try Self.show(on: "xterm") { console in
        console.say("Before.")
        console.ask("Accept it? ", hint: "[y/n] ", about: [offer])
        for _ in 1...count { console.sayFailure("192.0.2.2 has ended its bump") }
        Console.result("1.00 USDC")
      }
      Foundation.exit(0)
    }
    let failures = Array(repeating: "The transfer failed: 192.0.2.2 has ended its bump.", count: count)
    let about = TerminalScreen(showing: offer).rows
    #expect(
      TerminalScreen(showing: String(decoding: said.standardOutputContent, as: UTF8.self)).rows
        == ["Before."] + failures + ["1.00 USDC"] + about + ["Accept it? [y/n]"])
  }

  @Test func `where no line can be erased what a question is about is said again`() async throws {
    let said = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
      try Self.show(on: "dumb") { console in
        console.ask("Accept it? ", hint: "[y/n] ", about: ["They offer it."])
        console.say("Note.")
      }
      Foundation.exit(0)
    }
    let question = "They offer it.\r\nAccept it? [y/n] "
    #expect(String(decoding: said.standardOutputContent, as: UTF8.self) == "\(question)\r\nNote.\r\n\(question)")
  }

  @Test func `what a question is about is said again where it fills the terminal`() async throws {
    let said = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
      try Self.show(on: "xterm") { console in
        console.ask("Which? ", hint: "[1-30] ", about: (1...30).map { "sender \($0)" })
        console.say("Note.")
      }
      Foundation.exit(0)
    }
    let text = String(decoding: said.standardOutputContent, as: UTF8.self)
    let (list, question) = ((1...30).map { "sender \($0)\r\n" }.joined(), "Which? [1-30] ")
    #expect(text == "\r\u{1B}[K\(list)\(question)\r\u{1B}[KNote.\r\n\(list)\(question)")
  }

  @Test(arguments: [
    ([], 10), (["--discovery", "none"], 120), (["--discovery-timeout", "2.5"], 2.5), (["--wait"], nil),
  ])
  func `the other side is waited for as long as it takes to get there`(arguments: [String], seconds: Double?) throws {
    let options = try BumpOptions.parse(arguments)
    #expect(options.time(with: .none) == seconds.map { .seconds($0) })
    if arguments.isEmpty {
      let code = Credential.code(try OneTimeCode("27-482915"))
      #expect(options.time(with: code) == .seconds(60))
    }
  }
}
