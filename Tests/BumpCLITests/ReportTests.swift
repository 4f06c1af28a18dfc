import BumpWire
import Foundation
import Lab
import Testing

@testable import BumpCLI
@testable import BumpChannel
@testable import BumpKit

/// How an outcome is said, and what exit status it is. Each is said by a process of its own, as it writes to the real
/// streams.
@Suite struct ReportTests {
  private static func claim() throws -> Claim {
    Claim(
      id: try ClaimID("ours"), secret: try ClaimSecret([UInt8](repeating: 7, count: 16)), token: .usdc,
      amount: try Amount("1.00"))
  }

  private static let expiry = Expiry(unixSeconds: 4_000_000_000)
  /// A name that would drive a terminal.
  private static let stranger = "bob\u{1B}[2J"

  private static func received(_ name: String) throws -> ReceiveOutcome? {
    let session = VerifiedClaim.Origin.session(from: try DisplayName(stranger))
    let verified = VerifiedClaim(claim: try claim(), expiry: try #require(expiry), origin: session)
    let outcomes: [String: ReceiveOutcome] = [
      "stored": .received(verified), "duplicate": .duplicate(verified), "beside another": .conflicting(verified),
      "nobody": .nobody(.timeout, []),
      "nobody reached": .nobody(
        .timeout, [FailedPeer(name: stranger, address: "192.0.2.7:4000", reason: .refused)]),
      "nobody after failures": .nobody(.timeout, [FailedPeer(address: "192.0.2.7:4000", reason: .failed(.closed))]),
      "no discovery": .nobody(.discoveryUnavailable, []),
      "interference": .nobody(.interference, []), "declined here": .declinedHere,
      "declined there": .declinedThere, "expired": .expired, "not authentic": .unauthenticated,
      "code wanted": .codeWanted, "wrong code": .wrongCode, "wrong key": .wrongKey, "interrupted": .interrupted,
    ]
    return outcomes[name]
  }

  static let receiving: [(String, Int32, String, String)] = [
    ("stored", 0, "received", "1.00"), ("duplicate", 0, "duplicate", "1.00"),
    ("beside another", 0, "conflicting", "bump show ours"), ("nobody", 3, "nobody", "bump send"),
    ("nobody after failures", 3, "nobody", "192.0.2.7 closed the connection"),
    ("nobody reached", 3, "nobody", #""bob\u{1b}[2J" is here, 192.0.2.7:4000, but refuses"#),
    ("no discovery", 3, "nobody", "without discovery"),
    ("interference", 3, "nobody", "somebody interferes"), ("declined here", 4, "declined", "nothing was received"),
    ("declined there", 4, "declined", "the sender declined"), ("expired", 7, "expired", "the offer has expired"),
    ("not authentic", 6, "unauthenticated", "not authentic"),
    ("code wanted", 6, "unauthenticated", "bump receive 27-482915"),
    ("wrong code", 6, "unauthenticated", "not the sender's code"), ("wrong key", 6, "unauthenticated", "another key"),
    ("interrupted", 130, "interrupted", "nothing was received"),
  ]

  @Test(arguments: receiving)
  func `a receive ends in its exit status and one result`(
    name: String, exit status: Int32, outcome: String, words: String
  ) async throws {
    let said = try await #require(
      processExitsWith: .exitCode(status), observing: [\.standardOutputContent, \.standardErrorContent]
    ) { [name = name as String] in
      let report = ReceiveReport(console: Console(quiet: false), json: JSONLines(true), showSecret: false)
      Foundation.exit(report.result(try #require(try Self.received(name))).rawValue)
    }
    try expectResult(said, status, outcome, words)
  }

  @Test(arguments: [("stored", 0.0), ("duplicate", 1), ("beside another", 2)])
  func `the result of a receive tells by its status whether the claim was here before`(name: String, status: Double)
    async throws
  {
    let said = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
      [name = name as String] in
      let report = ReceiveReport(console: Console(quiet: true), json: JSONLines(true), showSecret: false)
      Foundation.exit(report.result(try #require(try Self.received(name))).rawValue)
    }
    let result = try JSONObject(Self.text(said.standardOutputContent))
    #expect(result.number("status") == status && result.number("exit") == 0)
  }

  @Test(arguments: [
    ("stored", Int32(0), ""), ("duplicate", 0, "already here: "), ("beside another", 0, "conflicting: "),
  ])
  func `people read a received claim as one line on the output, which says whether it was here before`(
    name: String, exit status: Int32, mark: String
  ) async throws {
    let said = try await #require(
      processExitsWith: .exitCode(status), observing: [\.standardOutputContent]
    ) { [name = name as String] in
      let report = ReceiveReport(console: Console(quiet: true), json: JSONLines(false), showSecret: false)
      Foundation.exit(report.result(try #require(try Self.received(name))).rawValue)
    }
    #expect(Self.text(said.standardOutputContent) == mark + #"1.00 USDC from "bob\u{1b}[2J" (ours)"# + "\n")
  }

  static let keeping: [(String, Int32, String, String)] = [
    ("interrupted", 0, "ended", "2 claims were received."), ("no discovery", 3, "nobody", "without discovery"),
    ("interference", 3, "nobody", "somebody interferes"),
  ]

  @Test(arguments: keeping)
  func `a receive of many claims ends in its exit status and one result`(
    name: String, exit status: Int32, outcome: String, words: String
  ) async throws {
    let said = try await #require(
      processExitsWith: .exitCode(status), observing: [\.standardOutputContent, \.standardErrorContent]
    ) { [name = name as String] in
      let report = ReceiveReport(console: Console(quiet: false), json: JSONLines(true), showSecret: false)
      for each in ["stored", "declined there", "duplicate", "not authentic"] {
        report.event(.concluded(try #require(try Self.received(each))), nil)
      }
      Foundation.exit(report.keptResult(try #require(try Self.received(name)), received: 2).rawValue)
    }
    try expectResult(said, status, outcome, words)
    let events = try Self.text(said.standardOutputContent).split(separator: "\n").map { try JSONObject(String($0)) }
    #expect(events.map { $0.string("event") } == ["received", "failed", "duplicate", "failed", "result"])
    #expect(events[0].string("claimId") == "ours" && events[0].string("from") == Self.stranger)
    #expect(events[0].string("secret") == nil && events[0].number("status") == 0 && events[2].number("status") == 1)
    #expect(events[1].string("outcome") == "declined" && events[3].string("outcome") == "unauthenticated")
    #expect(events[4].number("received") == 2)
  }

  private static func sent(_ name: String) throws -> SendOutcome? {
    let bob = try DisplayName(stranger)
    let link = try ClaimLink(claim: claim(), expiry: #require(expiry))
    let outcomes: [String: SendOutcome] = [
      "delivered": .delivered(to: bob, .stored), "delivered again": .delivered(to: bob, .duplicate),
      "nobody": .undelivered(.discoveryTimeout, link: link, []),
      "no answer": .undelivered(
        .sendTimeout, link: link, [FailedPeer(address: "192.0.2.7:40000", reason: .failed(.timedOut))]),
      "no discovery": .undelivered(.discoveryUnavailable, link: link, []),
      "interference": .undelivered(.interference, link: link, []),
      "nobody, without a link": .undelivered(.discoveryTimeout, link: nil, []), "unknown": .unknown(bob, link: link),
      "code burnt": .codeBurnt, "expired": .expired,
      "declined here": .declinedHere(bob), "declined there": .undelivered(.declined, link: link, []),
      "changed elsewhere": .changedElsewhere(.linkShown),
      "interrupted": .interrupted(.new), "interrupted late": .interrupted(.unknown),
    ]
    return outcomes[name]
  }

  static let sending: [(String, Int32, String, String)] = [
    ("delivered", 0, "delivered", #"to "bob\u{1b}[2J" (ours)"#),
    ("delivered again", 0, "delivered", "Delivered 1.00 USDC"),
    ("nobody", 3, "undelivered", "Nobody was found"),
    ("no answer", 3, "undelivered", "the transfer failed: 192.0.2.7 did not answer in time."),
    ("no discovery", 3, "undelivered", "without discovery"), ("interference", 3, "undelivered", "Somebody interferes"),
    ("nobody, without a link", 3, "undelivered", "bump link ours"),
    ("unknown", 5, "unknown", "may have the claim already"),
    (
      "code burnt", 6, "unauthenticated",
      "still new. Try `bump send --again ours` for another"
    ),
    ("expired", 7, "expired", "claim ours has expired"),
    (
      "declined here", 4, "declined",
      "still new. Try `bump send --again ours` for another"
    ),
    ("declined there", 3, "undelivered", "Whoever came declined"),
    ("changed elsewhere", 1, "failed", "bump show ours"),
    ("interrupted", 130, "interrupted", "nothing left this machine"),
    ("interrupted late", 130, "interrupted", "it may have arrived"),
  ]

  @Test(arguments: sending)
  func `a send ends in its exit status and one result`(name: String, exit status: Int32, outcome: String, words: String)
    async throws
  {
    let said = try await #require(
      processExitsWith: .exitCode(status), observing: [\.standardOutputContent, \.standardErrorContent]
    ) { [name = name as String] in
      let claim = OutgoingClaim(
        claim: try Self.claim(), expiry: try #require(Self.expiry), state: .new, peer: nil, createdAt: 1)
      let report = SendReport(
        claim: claim, credential: .none, qr: .auto, console: Console(quiet: false), json: JSONLines(true))
      Foundation.exit(report.result(try #require(try Self.sent(name))).rawValue)
    }
    try expectResult(said, status, outcome, words)
    let hasLink = Self.text(said.standardOutputContent).contains("https://irl.app/claim/ours#s=")
    #expect(hasLink == ((outcome == "undelivered" || outcome == "unknown") && name != "nobody, without a link"))
    #expect(!Self.text(said.standardErrorContent).contains(sevens))
  }

  /// What was said. A stream to which nothing was written holds the mark of the testing library, which is no UTF-8.
  private static func text(_ content: [UInt8]) -> String { String(validating: content, as: UTF8.self) ?? "" }

  /// The output ends in one result that tells the exit status; an error is one line, and is in the result too;
  /// nothing that a stranger chose drives the terminal.
  private func expectResult(_ said: ExitTest.Result, _ status: Int32, _ outcome: String, _ words: String) throws {
    let (output, error) = (Self.text(said.standardOutputContent), Self.text(said.standardErrorContent))
    let events = try output.split(separator: "\n").map { try JSONObject(String($0)) }
    #expect(events.count { $0.string("event") == "result" } == 1)
    let result = try #require(events.last)
    #expect(result.string("event") == "result" && result.string("outcome") == outcome, "\(output)")
    #expect(result.number("exit") == Double(status) && result.number("ms") != nil, "\(output)")
    #expect(result.string("secret") == nil)
    #expect((result.list("found") != nil) == words.contains("192.0.2.7"), "\(output)")
    if let said = result.string("error") { #expect(error.hasSuffix("bump: \(said)\n"), "\(error)") }
    #expect((error + output).contains(words), "\(error)")
    #expect(!(error + output).contains("\u{1B}"), "\(error)")
  }
}
