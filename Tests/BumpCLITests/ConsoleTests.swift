import ArgumentParser
import Foundation
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
