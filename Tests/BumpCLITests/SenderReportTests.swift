import BumpClaims
import BumpDiscovery
import BumpKit
import BumpTerminal
import BumpWire
import Foundation
import Lab
import Testing

@testable import BumpCLI

/// What a receiver reads about senders: which of several it is, that no sender has the wanted name, and who offers
/// something where nobody is asked.
@Suite struct SenderReportTests {
  private static let (first, second) = ("alice-1111000000000000", "alice-2222000000000000")
  private static let listed = [
    SenderCandidate(name: second, shown: "alice-2222", mode: nil),
    SenderCandidate(name: "carol-0123456789abcdef", shown: "carol", mode: nil),
    SenderCandidate(name: first, shown: "alice-1111", mode: nil),
  ]

  private static func report(_ json: Bool = false) -> ReceiveReport {
    ReceiveReport(console: Console(quiet: false), json: JSONLines(json), showSecret: false)
  }

  private static func lines(_ content: [UInt8]) -> [String] {
    String(decoding: content, as: UTF8.self).split(separator: "\n").map { String($0) }
  }

  // MARK: Which of several

  /// The list that was shown, and `--from`.
  @Test(arguments: [(true, nil), (true, "alice"), (false, "alice-1111")] as [(Bool, String?)])
  func `after a list, or a name with its digits, each sentence has that name`(isListed: Bool, from: String?)
    async throws
  {
    let said = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [isListed = isListed as Bool, from = from as String?] in
      var report = Self.report()
      report.from = from
      report.code = try OneTimeCode("27-482915")
      if isListed { report.codes.listed = Self.listed }
      report.event(.passedOver(name: Self.first, mode: .code, channel: 28), nil)
      report.event(.wrongCode(name: Self.first, peer: "192.0.2.7:4000", triesLeft: 2, isSpent: true), nil)
      report.event(.deferred(name: Self.first, peer: "192.0.2.7:4000", seconds: 9), nil)
      report.event(.lost(name: Self.first), nil)
      Console.standardError(report.lack([FailedPeer(name: Self.first, address: "192.0.2.7:4000", reason: .refused)]))
      let alice = try DisplayName("alice")
      Console.standardError("\(report.quoted(alice, Self.first)) \(report.quoted(alice, nil))")
      Foundation.exit(0)
    }
    let lines = Self.lines(said.standardErrorContent)
    try #require(lines.count == 6, "\(lines)")
    #expect(lines[0] == #""alice-1111" is nearby, but its code begins with 28, not 27."#)
    #expect(lines[1] == #"That is not the code of "alice-1111"."#)
    #expect(lines[2].hasPrefix(#""alice-1111" at 192.0.2.7:4000 waits 9 s"#))
    #expect(lines[3] == #""alice-1111" went away."#)
    #expect(lines[4].contains(#""alice-1111" was found at 192.0.2.7:4000, but refuses the connection"#))
    #expect(lines[5] == #"bump: "alice-1111" "alice""#)
  }

  @Test func `without a list a sender has its display name alone, and an offer the name that is in it`() throws {
    var report = Self.report()
    let (alice, mallory) = (try DisplayName("alice"), try DisplayName("mallory"))
    #expect(report.quoted(alice, Self.first) == #""alice""#)
    report.from = "alice"
    #expect(report.quoted(alice, Self.first) == #""alice""#)
    report.codes.listed = Self.listed
    #expect(report.quoted(mallory, Self.first) == #""mallory""#)
    #expect(report.quoted(alice, "alice-3333000000000000") == #""alice""#)
  }

  // MARK: No sender of the wanted name

  @Test func `a wanted name that no sender has is said, with who is nearby, the likeliest first`() async throws {
    let said = try await #require(
      processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      var report = Self.report(true)
      report.from = "alice-1112"
      report.event(.otherNames(Self.listed), nil)
      Foundation.exit(0)
    }
    let words = #"No sender nearby is called "alice-1112". "alice-1111", "alice-2222" and "carol" are here."#
    #expect(Self.lines(said.standardErrorContent) == [words])
    let event = try JSONObject(String(decoding: said.standardOutputContent, as: UTF8.self))
    #expect(event.string("event") == "otherNames")
    #expect(event.list("senders")?.map { $0["name"] } == Self.listed.map { .string($0.name) })
    #expect(event.list("senders")?.map { $0["shown"] } == Self.listed.map { .string($0.shown) })
  }

  @Test(arguments: [
    (1, #""a0" is here. If that is yours"#), (2, #""a0" and "a1" are here. If yours is among them"#),
    (4, #""a0", "a1", "a2" and "a3" are here. If yours is among them"#),
    (16, #""a0", "a1", "a2", "a3" and 12 more are here. If yours is among them"#),
  ])
  func `at the end it is said again, and how to name one of them`(count: Int, words: String) {
    var report = Self.report()
    report.from = "a\u{7}"
    let others = (0..<count).map { SenderCandidate(name: "a\($0)-0123456789abcdef", shown: "a\($0)", mode: nil) }
    #expect(
      report.why(.otherNames(others), [])
        == #"a\u{7} was not found in time: \#(words), name it, as it is shown here, with --from"#)
  }

  // MARK: Nobody is asked

  @Test(
    arguments: [
      (false, nil, nil, "the first offer is accepted. With the sender's code only that sender's offer is."),
      (
        false, "alice", nil,
        #"the first offer from a sender called "alice" is accepted, unless several are called so. "#
          + "With the sender's code only that sender's offer is."
      ),
      (
        false, nil, "192.0.2.7:4000",
        "the first offer from 192.0.2.7:4000 is accepted. With the sender's code only that sender's offer is."
      ),
      (true, nil, nil, "every offer is accepted. With --key only offers from holders of the key are."),
    ] as [(Bool, String?, String?, String)])
  func `where nobody is asked it is said whose offer is accepted, and later who offers what`(
    keeps: Bool, from: String?, peer: String?, words: String
  ) async throws {
    let said = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [keeps = keeps as Bool, from = from as String?, peer = peer as String?] in
      for isUnasked in [true, false] {
        var report = Self.report()
        (report.from, report.peer, report.isUnasked) = (from, peer.flatMap { Endpoint($0) }, isUnasked)
        report.sayWhatIsAccepted(keeps: keeps)
        let offer = Offer(
          claimID: try ClaimID("ours"), token: .usdc, amount: try Amount("2.00"),
          expiry: try #require(Expiry(unixSeconds: 4_000_000_000)), from: try DisplayName("bob\u{1B}[2J"))
        report.event(.offer(offer), nil)
      }
      Foundation.exit(0)
    }
    #expect(
      Self.lines(said.standardErrorContent) == [
        "There is no terminal to ask on, so \(words)", #""bob\u{1b}[2J" offers 2.00 USDC."#,
      ])
  }
}
