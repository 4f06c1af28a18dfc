import BumpClaims
import BumpKit
import Foundation
import Lab
import Testing

@testable import BumpCLI
@testable import BumpStore
@testable import BumpTerminal

/// `--qr-file`.
@Suite(.processes()) struct QRFileTests {
  private func mode(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test func `a link's QR code is written to a new file that only its owner can read`() async throws {
    let alice = try Person()
    let path = "\(alice.home)/x.svg"
    let sent = try await alice.run("send", "--amount", "1.00", "--link-only", "--qr-file", path, "--json")
    #expect(sent.status == 0, "\(sent)")
    #expect(try sent.events.first { $0.string("event") == "fallback" }?.string("qrFile") == path)
    #expect(try mode(of: path) == 0o600)
    let picture = try String(contentsOfFile: path, encoding: .utf8)
    #expect(picture.hasPrefix("<?xml") && picture.hasSuffix("</svg>\n"))
    let files = try FileManager.default.contentsOfDirectory(atPath: alice.home).filter { $0.contains("svg") }
    #expect(files == ["x.svg"])
  }

  @Test func `a file's name does a terminal no harm`() async throws {
    let alice = try Person()
    let (qrFile, keyFile) = ("\(alice.home)/\u{1B}[31m\n\u{202E}.svg", "\(alice.home)/\u{1B}[31m.key")
    try #require(try await alice.run("key", "new", keyFile).status == 0)
    let sent = try await alice.run(
      ["send", "1.00", "--link-only", "--qr-file", qrFile, "--key", keyFile], streams: .terminal)
    #expect(sent.status == 0 && FileManager.default.fileExists(atPath: qrFile), "\(sent)")
    let lines = sent.standardOutput.split(whereSeparator: \.isNewline)
    #expect(lines.contains { $0.contains(#"/\u{1b}[31m\u{a}\u{202e}.svg: "#) }, "\(lines)")
    #expect(lines.contains { $0.contains(#" --key $'"#) && $0.hasSuffix(#"/\033[31m.key'"#) }, "\(lines)")
    #expect(!sent.standardOutput.contains("\u{1B}[31m") && !sent.standardOutput.contains("\u{202E}"))
  }

  @Test func `bump link writes the same picture`() async throws {
    let alice = try Person()
    _ = try await alice.run("send", "--amount", "1.00", "--link-only", "--qr-file", "\(alice.home)/1.svg")
    let claimID = try #require(try await alice.history().first?.string("claimId"))
    let shown = try await alice.run("link", claimID, "--qr-file", "\(alice.home)/2.svg")
    #expect(shown.status == 0 && shown.lines.count == 1, "\(shown)")
    let pictures = try ["1.svg", "2.svg"].map { try Data(contentsOf: URL(filePath: "\(alice.home)/\($0)")) }
    #expect(pictures[0] == pictures[1])
  }

  /// What stands in the way, made by a script in the person's home, and what is said of it.
  @Test(arguments: [
    ("echo mine >x.svg", "is there already. Name another"), ("ln -s nowhere x.svg", "is there already. Name another"),
    ("mkdir x.svg", "is there already. Name another"),
    ("true", "cannot be made: no such file or directory. Name another"),
  ])
  func `a file that cannot be made is refused before there is a claim`(script: String, words: String) async throws {
    let alice = try Person()
    let path = script == "true" ? "\(alice.home)/nowhere/x.svg" : "\(alice.home)/x.svg"
    _ = try await RunningProcess.start(["sh", "-c", "cd \(alice.home) && \(script)"]).finish()
    for arguments in [["send", "--amount", "1.00", "--link-only"], ["link", "some"]] {
      let refused = try await alice.run(arguments + ["--qr-file", path])
      #expect(refused.status == 1 && refused.error?.hasSuffix(words) == true, "\(refused)")
    }
    #expect(try await alice.history().isEmpty)
    if script.hasPrefix("echo") { #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine\n") }
  }

  @Test func `a file that has come in the meantime is left as it is`() throws {
    let alice = try Person()
    let file = try QRFile("\(alice.home)/x.svg")
    try file.check()
    try "mine".write(toFile: file.path, atomically: false, encoding: .utf8)
    let error = #expect(throws: CommandError.self) { try file.write("https://irl.app/claim/x") }
    #expect(error?.message.hasSuffix("cannot be written: file exists. Name another") == true)
    #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "mine")
    let files = try FileManager.default.contentsOfDirectory(atPath: alice.home)
    #expect(files == ["x.svg"])
  }

  /// The outcome of a send, and how it ends where its link can be shown but not drawn.
  @Test(arguments: [(true, Int32(1)), (false, 3)])
  func `a link is shown even where its picture cannot be written, and that is said`(
    isAsked: Bool, exit status: Int32
  ) async throws {
    let said = try await #require(
      processExitsWith: .exitCode(status), observing: [\.standardOutputContent, \.standardErrorContent]
    ) { [isAsked = isAsked as Bool] in
      let claim = try OutgoingClaim.sample()
      let report = SendReport(
        claim: claim, credential: .none, qr: .auto, qrFile: try QRFile("/nowhere/x.svg"),
        console: Console(quiet: true), json: JSONLines(true))
      let link = try ClaimLink(claim: claim.claim, expiry: claim.expiry)
      let outcome = SendOutcome.undelivered(.discoveryTimeout, link: link, [])
      Foundation.exit(report.end(isAsked ? report.conclude(linkOnly: link) : report.conclude(outcome)).rawValue)
    }
    let events = try String(decoding: said.standardOutputContent, as: UTF8.self).split(separator: "\n").map {
      try JSONObject(String($0))
    }
    #expect(events.count == 2 && events[0].string("link") != nil && events[0].string("qrFile") == nil)
    #expect(events[1].number("exit") == Double(status))
    let error = try #require(events[1].string("error"))
    #expect(error.contains("no such file or directory. Try another: `bump link ours --qr-file claim.svg`"))
    #expect(String(decoding: said.standardErrorContent, as: UTF8.self) == "bump: \(error)\n")
  }
}
