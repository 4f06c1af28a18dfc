import BumpClaims
import BumpDiscovery
import BumpVaultAPI
import BumpVaultClient
import Foundation
import Lab
import Testing

@testable import BumpCLI
@testable import BumpKit
@testable import BumpStore
@testable import BumpTerminal
@testable import BumpWire

/// How an outcome is said, and what exit status it is. Each is said by a process of its own, as it writes to the real
/// streams.
@Suite struct ReportTests {
  private static func claim() throws -> Claim { try OutgoingClaim.sample().claim }

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
      "nobody without the key": .nobody(
        .timeout,
        [FailedPeer(name: "ann-0123456789abcdef", address: "192.0.2.7:4000", mode: .key, reason: .passedOver)]),
      "nobody tried without the key": .nobody(
        .timeout,
        [
          FailedPeer(
            name: "ann-0123456789abcdef", address: "192.0.2.7:4000", mode: .key, reason: .failed(.otherMode(.key)))
        ]),
      "expired on arrival": .expiredOnArrival(secondsAgo: 90),
      "nobody after failures": .nobody(.timeout, [FailedPeer(address: "192.0.2.7:4000", reason: .failed(.closed))]),
      "no discovery": .nobody(.discoveryUnavailable, []),
      "namesakes": .nobody(
        .namesakes([
          SenderCandidate(name: "bob-69ea000000000000", shown: "bob-69ea", mode: .code),
          SenderCandidate(name: "bob-7f3a000000000000", shown: "bob-7f3a", mode: .open),
        ]), []),
      "interference": .nobody(.interference, []),
      "declined three times": .nobody(
        .interference,
        [
          FailedPeer(address: "192.0.2.7:4000", reason: .declinedThere), FailedPeer(reason: .notTried),
          FailedPeer(address: "192.0.2.8:4000", reason: .failed(.aborted(.shuttingDown))),
        ]),
      "code burnt": .nobody(.timeout, [FailedPeer(address: "192.0.2.7:4000", reason: .failed(.codeBurnt))]),
      "declined here": .declinedHere,
      "declined there": .declinedThere, "expired": .expired, "not authentic": .unauthenticated,
      "code wanted": .codeWanted, "wrong code": .wrongCode, "code unanswered": .codeUnanswered, "wrong key": .wrongKey,
      "interrupted": .interrupted,
    ]
    return outcomes[name]
  }

  /// What is said where nobody has the key any more.
  private static let forgotten =
    "If you forgot it, the sender runs `bump key forget NAME`, and you meet again with a code"

  static let receiving: [(String, Int32, String, String)] = [
    ("stored", 0, "received", "1.00"), ("duplicate", 0, "duplicate", "1.00"),
    ("beside another", 0, "conflicting", "bump show ours"), ("nobody", 3, "nobody", "bump send"),
    ("nobody after failures", 3, "nobody", "192.0.2.7 closed the connection"),
    (
      "nobody reached", 3, "nobody",
      #""bob\u{1b}[2J" was found at 192.0.2.7:4000, but refuses the connection: it has gone, or a firewall"#
    ),
    (
      "nobody without the key", 3, "nobody",
      #"bump: "ann" is here, 192.0.2.7:4000, but requires a key: name the same key with --key or --with. "#
        + forgotten + "\n"
    ),
    (
      "nobody tried without the key", 3, "nobody",
      #"bump: "ann" is here, 192.0.2.7:4000, but requires a key: name the same key with --key or --with. "#
        + forgotten + "\n"
    ),
    ("expired on arrival", 7, "expired", "so one of the two clocks is wrong. Compare `date -u` on both machines"),
    ("no discovery", 3, "nobody", "without discovery"),
    (
      "namesakes", 3, "nobody",
      #"2 senders are near: "bob-69ea" (code: ask for the code), "bob-7f3a" (open: compare the digits). Name one of"#
    ),
    ("interference", 3, "nobody", "somebody may interfere"),
    ("declined three times", 3, "nobody", "three senders declined after the digits were shown"),
    (
      "code burnt", 3, "nobody",
      "three wrong tries at 192.0.2.7: its code no longer works. Ask for a new one"
    ),
    ("declined here", 4, "declined", "nothing was received"),
    ("declined there", 4, "declined", "the sender declined"), ("expired", 7, "expired", "the offer has expired"),
    ("not authentic", 6, "unauthenticated", "not authentic"),
    ("code wanted", 6, "unauthenticated", "bump receive 27-482915"),
    ("wrong code", 6, "unauthenticated", "not the sender's code"),
    ("code unanswered", 6, "unauthenticated", "not all of them answered, so it may be right"),
    ("wrong key", 6, "unauthenticated", "another key"),
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

  @Test(arguments: [(["ally"], " Nobody whom you remember has that key"), ([], "")] as [([String], String)])
  func `of a sender whose key nobody here has it is said so, and how the two meet again`(
    names: [String], hint: String
  ) async throws {
    let said = try await #require(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
      [names = names as [String]] in
      var report = ReceiveReport(console: Console(quiet: false), json: JSONLines(false), showSecret: false)
      report.remembered = try names.map { try DisplayName($0) }
      report.event(.sessionFailed(.otherMode(.key), peer: "192.0.2.7:4000"), nil)
      Foundation.exit(report.result(try #require(try Self.received("nobody tried without the key"))).rawValue)
    }
    let lines = Self.text(said.standardErrorContent).split(separator: "\n")
    let first = "The transfer failed: 192.0.2.7 requires a key, and none was named here."
    #expect(lines.count == 2 && lines[0] == first + (hint.isEmpty ? "" : hint + "."), "\(lines)")
    let end = "--key or --with" + (hint.isEmpty ? "" : "." + hint) + ". \(Self.forgotten)"
    #expect(lines[1].hasSuffix(end), "\(lines)")
  }

  /// The sender counts the tries of all. Another process may have used some.
  @Test(arguments: [(2, true), (1, true), (0, false)])
  func `a receiver gives no number of tries that are left, which only the sender knows`(left: Int, isAsked: Bool)
    async throws
  {
    let said = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [left = left as Int] in
      var report = ReceiveReport(console: Console(quiet: false), json: JSONLines(false), showSecret: false)
      report.asksForCodes = true
      report.event(
        .wrongCode(name: "ann-0123456789abcdef", peer: "192.0.2.7:4000", triesLeft: left, isSpent: false), nil)
      Foundation.exit(0)
    }
    let advice = " A code works for three tries in all. The sender's screen says how many are left."
    #expect(
      Self.text(said.standardErrorContent) == "That is not the code of \"ann\".\(isAsked ? advice : "")\n")
  }

  @Test func `what a sender of a card needs is said once`() async throws {
    let said = try await #require(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
      let report = ReceiveReport(console: Console(quiet: false), json: JSONLines(false), showSecret: false)
      report.event(.sessionFailed(.takesNoDocuments, peer: "192.0.2.7:4000"), nil)
      Foundation.exit(report.result(.documentOffered).rawValue)
    }
    let failure = "The transfer failed: 192.0.2.7 sends a card or a link. Receive it with: bump receive --save DIR.\n"
    #expect(Self.text(said.standardErrorContent) == failure + "bump: nothing was received\n")
  }

  @Test func `a person who chooses none of several senders has declined no offer`() async throws {
    let said = try await #require(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
      let report = ReceiveReport(console: Console(quiet: false), json: JSONLines(false), showSecret: false)
      report.codes.isChoiceLacking = true
      Foundation.exit(report.result(.declinedHere).rawValue)
    }
    #expect(Self.text(said.standardErrorContent) == "bump: nothing was received: no sender was chosen\n")
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

  @Test(
    arguments: [
      (1_795_809_600 - 60, "You have had this claim since 19:59. Nothing new was received."),
      (1_795_809_600 - 86_400, "You have had this claim since 2026-11-26 20:00. Nothing new was received."),
      (nil, "You have had this claim already. Nothing new was received."),
    ] as [(Int64?, String)])
  func `who asks whether money came is told since when the claim is here`(since: Int64?, sentence: String) async throws
  {
    await #expect(processExitsWith: .success) { [since = since as Int64?, sentence = sentence as String] in
      setenv("TZ", "UTC0", 1)
      #expect(ReceiveReport.standing(since: since, at: 1_795_809_600) == sentence)
    }
  }

  @Test(
    arguments: [
      (nil, "Nothing proves that anybody will pay it. If its sender names a vault: bump claim ours --vault URL"),
      (
        "https://vault.example",
        "Its link says that it is backed by the vault https://vault.example, which was not asked. Claim it there "
          + "with: bump claim ours --vault https://vault.example"
      ),
    ] as [(String?, String)])
  func `what a received claim is worth is said, and not that somebody issued it`(vault: String?, sentence: String)
    throws
  {
    var report = ReceiveReport(console: Console(quiet: true), json: JSONLines(false), showSecret: false)
    report.linkedVault = vault.flatMap { VaultURL($0) }
    #expect(report.worth(of: try ClaimID("ours")) == sentence)
  }

  static let keeping: [(String, Int32, String, String)] = [
    ("interrupted", 0, "ended", "2 claims were received."), ("no discovery", 3, "nobody", "without discovery"),
    ("interference", 3, "nobody", "somebody may interfere"),
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
      Foundation.exit(report.keptResult(try #require(try Self.received(name)), received: KeptCount(claims: 2)).rawValue)
    }
    try expectResult(said, status, outcome, words)
    let events = try Self.text(said.standardOutputContent).split(separator: "\n").map { try JSONObject(String($0)) }
    #expect(events.map { $0.string("event") } == ["received", "failed", "duplicate", "failed", "result"])
    #expect(events[0].string("claimId") == "ours" && events[0].string("from") == Self.stranger)
    #expect(events[0].string("secret") == nil && events[0].number("status") == 0 && events[2].number("status") == 1)
    #expect(events[1].string("outcome") == "declined" && events[3].string("outcome") == "unauthenticated")
    #expect(events[4].number("received") == 2)
  }

  @Test func `claims that still wait for the vault when receiving ends are reported as not asked about`() async throws {
    let said = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
      let report = ReceiveReport(console: Console(quiet: true), json: JSONLines(true), showSecret: false)
      var turns = FundingTurns<RemoteHost, VerifiedClaim>()
      let origin = VerifiedClaim.Origin.session(from: try DisplayName("bob"))
      for id in ["first", "second", "third"] {
        let claim = Claim(
          id: try ClaimID(id), secret: try Self.claim().secret, token: .usdc, amount: try Amount("1.00"))
        _ = turns.add(
          VerifiedClaim(claim: claim, expiry: try #require(Self.expiry), origin: origin), from: nil, at: .zero)
      }
      // The vault is being asked about the first one.
      _ = turns.next(at: .zero)
      ContinuousReceive.end(&turns, report) { claim, reason in
        ReceivedFunding(
          claim: claim.claim, expiry: claim.expiry, url: nil, margin: .standard,
          result: .notAsked(CommandError(.failure, reason)))
      }
      Foundation.exit(0)
    }
    let events = try Self.text(said.standardOutputContent).split(separator: "\n").map { try JSONObject(String($0)) }
    #expect(events.map { $0.string("event") } == ["funding", "funding"])
    #expect(events.map { $0.string("claimId") } == ["second", "third"])
    #expect(events.allSatisfy { $0.string("funding") == "unknown" })
    #expect(events.allSatisfy { $0.string("error") == "receiving ended before it was asked" })
  }

  static let waits: [(ReceiveEvent, String, String)] = [
    (
      .paused(declined: 3, failed: 0, seconds: 125), "paused",
      "Three offers were declined, and each comparison of digits is a chance for a stranger. The next sender is tried "
        + "in 125 s. With a key (--key) on both sides there is no such wait.\n"
    ),
    (
      .paused(declined: 0, failed: 3, seconds: 125), "interference",
      "Paused: three transfers failed after the digits were shown. Somebody may interfere. The next sender is tried in 125 s.\n"
    ),
    (
      .paused(declined: 1, failed: 2, seconds: 125), "interference",
      "Somebody may interfere: of three transfers 1 was declined, and 2 failed. The next sender is tried in 125 s.\n"
    ),
    (
      .deferred(name: "\(stranger)-0123456789abcdef", peer: "192.0.2.7:4000", seconds: 125), "heldBack",
      #""bob\u{1b}[2J" at 192.0.2.7:4000 waits 125 s: digits were compared twice without a claim, and the third "#
        + "comparison is reserved for another sender. With a key (--key) on both sides there is no such wait.\n"
    ),
  ]

  @Test(arguments: waits.indices)
  func `a till that tries nobody for a while says why, and calls only failures interference`(index: Int) async throws {
    let said = try await #require(
      processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
    ) { [index = index as Int] in
      let report = ReceiveReport(console: Console(quiet: false), json: JSONLines(true), showSecret: false)
      report.event(Self.waits[index].0, nil)
      Foundation.exit(0)
    }
    let (event, (_, word, text)) = (try JSONObject(Self.text(said.standardOutputContent)), Self.waits[index])
    #expect(Self.text(said.standardErrorContent) == text)
    #expect(event.string("event") == word && event.number("seconds") == 125)
    #expect(word != "heldBack" || event.string("name") == "\(Self.stranger)-0123456789abcdef")
    #expect(word != "heldBack" || event.string("peer") == "192.0.2.7:4000")
  }

  private static func sent(_ name: String) throws -> SendOutcome? {
    let bob = try DisplayName(stranger)
    let link = try ClaimLink(claim: claim(), expiry: #require(expiry))
    let outcomes: [String: SendOutcome] = [
      "delivered": .delivered(to: bob, .stored), "delivered again": .delivered(to: bob, .duplicate),
      "nobody": .undelivered(.discoveryTimeout, link: link, []),
      "no answer": .undelivered(
        .sendTimeout, link: link, [FailedPeer(address: "192.0.2.7:40000", reason: .failed(.timedOut))]),
      "another mode": .undelivered(
        .discoveryTimeout, link: nil, [FailedPeer(address: "192.0.2.7:40000", reason: .failed(.aborted(.mode)))]),
      "no discovery": .undelivered(.discoveryUnavailable, link: link, []),
      "interference": .undelivered(.interference, link: link, []),
      "declined three times": .undelivered(
        .interference, link: nil,
        [
          FailedPeer(address: "bob:1", reason: .declinedThere),
          FailedPeer(address: "bob:2", reason: .failed(.aborted(.shuttingDown))),
        ]),
      "declined by a clock": .undelivered(
        .declined, link: link, [FailedPeer(address: "bob:1", reason: .declinedAtOnce)]),
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
    (
      "another mode", 3, "undelivered",
      "192.0.2.7 requires a code or a key, and none was named here. Add --to NAME if you remember that receiver, or else "
        + "--code. Claim ours is kept."
    ),
    ("no discovery", 3, "undelivered", "discovery is not available"),
    ("interference", 3, "undelivered", "Somebody may interfere"),
    (
      "declined three times", 3, "undelivered",
      "Every receiver that connected declined. Three receivers have seen digits of this claim, and no more are shown. "
        + "Claim ours is kept. Try `bump send --again ours --code` for another receiver"
    ),
    (
      "declined by a clock", 3, "undelivered",
      "Every receiver that connected declined, and one without asking its person. Its clock may be "
    ),
    ("nobody, without a link", 3, "undelivered", "bump link ours"),
    ("unknown", 5, "unknown", "may already have the claim"),
    (
      "code burnt", 6, "unauthenticated",
      "three wrong tries: this code no longer works. Claim ours is still new. Try `bump send --again ours` for another"
    ),
    ("expired", 7, "expired", "claim ours has expired"),
    (
      "declined here", 4, "declined",
      "still new. Try `bump send --again ours` for another"
    ),
    ("declined there", 3, "undelivered", "Every receiver that connected declined"),
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
      let claim = try OutgoingClaim.sample()
      let report = SendReport(
        claim: claim, credential: .none, qr: .auto, console: Console(quiet: false), json: JSONLines(true))
      Foundation.exit(report.end(report.conclude(try #require(try Self.sent(name)), in: .new)).rawValue)
    }
    try expectResult(said, status, outcome, words)
    let hasLink = Self.text(said.standardOutputContent).contains("https://irl.app/claim/ours#s=")
    #expect(
      hasLink
        == ((outcome == "undelivered" || outcome == "unknown")
          && !["nobody, without a link", "declined three times", "another mode"].contains(name)))
    #expect(!Self.text(said.standardErrorContent).contains(sevens))
  }

  /// What a sender and a receiver say at the end whose transfer failed, after they said why.
  @Test(arguments: [(true, "A receiver came, but the transfer failed. The same"), (false, "bump: found a sender, but")])
  func `why a transfer failed is said once`(isSender: Bool, words: String) async throws {
    let said = try await #require(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
      [isSender = isSender as Bool] in
      let console = Console(quiet: false)
      guard isSender else {
        let report = ReceiveReport(console: console, json: JSONLines(false), showSecret: false)
        report.event(.sessionFailed(.closed, peer: "192.0.2.7:4000"), nil)
        Foundation.exit(report.result(try #require(try Self.received("nobody after failures"))).rawValue)
      }
      let claim = try OutgoingClaim.sample()
      let report = SendReport(claim: claim, credential: .none, qr: .auto, console: console, json: JSONLines(false))
      report.event(.sessionFailed(.timedOut, peer: "192.0.2.7:40000"), Progress("Waiting", nil, console))
      Foundation.exit(report.end(report.conclude(try #require(try Self.sent("no answer")), in: .new)).rawValue)
    }
    let text = Self.text(said.standardErrorContent)
    #expect(text.hasPrefix("The transfer failed: 192.0.2.7 ") && text.contains(words), "\(text)")
    #expect(text.matches(of: /192\.0\.2\.7/).count == 1, "\(text)")
  }

  @Test(arguments: [
    (
      1, false,
      #"No receiver was found in time. "bob\u{1b}[2J" is sending too: one of you runs `bump receive`. The same"#
    ),
    (
      1, true,
      #"No receiver was found in time. "bob\u{1b}[2J" was sending too: one of you runs `bump receive`. The same"#
    ),
    (
      3, false,
      #"No receiver was found in time. "bob\u{1b}[2J" and 2 others are sending too: whoever is to receive runs "#
        + "`bump receive`. The same"
    ),
  ]) func `where others are sending too that is said, and a program reads who`(
    count: Int, areGone: Bool, words: String
  ) async throws {
    let said = try await #require(
      processExitsWith: .exitCode(3), observing: [\.standardOutputContent, \.standardErrorContent]
    ) { [count = count as Int, areGone = areGone as Bool] in
      let claim = try OutgoingClaim.sample()
      let report = SendReport(
        claim: claim, credential: .none, qr: .auto, console: Console(quiet: false), json: JSONLines(true))
      let senders = (0..<count).map { Neighbour(name: "\(Self.stranger)-000000000000000\($0)") }
      let seen = OtherSenders.Seen(senders: senders, areGone: areGone)
      let conclusion = report.conclude(try #require(try Self.sent("nobody")), in: .new, besides: seen)
      Foundation.exit(report.end(conclusion).rawValue)
    }
    #expect(Self.text(said.standardErrorContent).contains(words), "\(Self.text(said.standardErrorContent))")
    let result = try JSONObject(String(try #require(Self.text(said.standardOutputContent).split(separator: "\n").last)))
    #expect(result.list("senders")?.count == count)
    #expect(result.list("senders")?.first?["name"] == .string("\(Self.stranger)-0000000000000000"))
  }

  @Test func `a locked claim that expires too soon to be sent names its refund`() async throws {
    let said = try await #require(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
      let claim = try OutgoingClaim.sample()
      var report = SendReport(
        claim: claim, credential: .none, qr: .auto, console: Console(quiet: true), json: JSONLines(false))
      report.vault = VaultURL("https://vault.example")
      Foundation.exit(report.end(report.conclude(.expired)).rawValue)
    }
    let error = Self.text(said.standardErrorContent)
    #expect(error.contains("too soon for a receiver to claim it. After that: bump refund ours"), "\(error)")
  }

  @Test(arguments: [("unknown", Int32(5), 9.0 as Double?), ("no answer", 3, nil), ("nobody", 3, nil)])
  func `the link of a claim that a receiver may still take is marked in the event as that receiver's alone`(
    name: String, exit status: Int32, seconds: Double?
  ) async throws {
    let said = try await #require(processExitsWith: .exitCode(status), observing: [\.standardOutputContent]) {
      [name = name as String] in
      let claim = try OutgoingClaim.sample()
      let report = SendReport(
        claim: claim, credential: .none, qr: .auto, console: Console(quiet: true), json: JSONLines(true))
      Foundation.exit(report.end(report.conclude(try #require(try Self.sent(name)), inFlightFor: 9)).rawValue)
    }
    let events = try Self.text(said.standardOutputContent).split(separator: "\n").map { try JSONObject(String($0)) }
    let fallback = try #require(events.first { $0.string("event") == "fallback" })
    #expect(fallback.string("link") != nil)
    #expect(fallback.number("seconds") == seconds && fallback.string("peerName") == seconds.map { _ in Self.stranger })
  }

  @Test func `how long a receiver may still take a claim is left out where the store cannot be read`() async throws {
    let said = try await #require(
      processExitsWith: .exitCode(5), observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      let claim = try OutgoingClaim.sample()
      let report = SendReport(
        claim: claim, credential: .none, qr: .auto, console: Console(quiet: false), json: JSONLines(true))
      Foundation.exit(report.end(report.conclude(try #require(try Self.sent("unknown")))).rawValue)
    }
    let events = try Self.text(said.standardOutputContent).split(separator: "\n").map { try JSONObject(String($0)) }
    let fallback = try #require(events.first { $0.string("event") == "fallback" })
    #expect(fallback.string("peerName") == Self.stranger && fallback.number("seconds") == nil)
    let words = "Ask whether the claim is there, and then, once the store can be read: bump settle ours\n"
    #expect(Self.text(said.standardErrorContent).contains(words), "\(Self.text(said.standardErrorContent))")
  }

  /// A claim whose link was shown before, and what is said where it was not handed over.
  @Test(arguments: [
    ("code burnt", Int32(6), "The link of claim ours still works. Try `bump send --again ours`"),
    ("declined here", 4, "The link of claim ours still works. Try `bump send --again ours`"),
    ("interrupted with its link", 130, "claim ours was sent to nobody, and can be taken by its link alone."),
  ])
  func `that a claim's link was shown is said in a sentence`(name: String, exit status: Int32, words: String)
    async throws
  {
    let said = try await #require(
      processExitsWith: .exitCode(status), observing: [\.standardOutputContent, \.standardErrorContent]
    ) { [name = name as String] in
      let claim = try OutgoingClaim.sample(.linkShown)
      let report = SendReport(
        claim: claim, credential: .none, qr: .auto, console: Console(quiet: false), json: JSONLines(true))
      let outcome = try Self.sent(name) ?? .interrupted(.linkShown)
      Foundation.exit(report.end(report.conclude(outcome, in: .linkShown)).rawValue)
    }
    let text = Self.text(said.standardErrorContent)
    #expect(text.contains(words) && !text.contains("is link") && !text.contains("still link"), "\(text)")
  }

  static let movedOn: [(String, HandoverState?, Int32, String)] = [
    (
      "declined here", .delivered, 4, "Besides, claim ours is delivered by now, through another process. See: bump show"
    ),
    (
      "declined here", .linkShown, 4,
      "Besides, another process has shown the link of claim ours meanwhile. See: bump show"
    ),
    (
      "code burnt", .released, 6, "Besides, another process has sent claim ours to a receiver meanwhile. See: bump show"
    ),
    ("code burnt", nil, 6, "The store cannot be read. Once it can: bump show ours"),
    ("interrupted", .delivered, 130, "interrupted: claim ours is delivered by now, through another process"),
    ("interrupted", .lost, 130, "interrupted: claim ours is lost by now, through another process"),
    ("interrupted", .linkShown, 130, "claim ours was sent to nobody, and can be taken by its link alone"),
    ("interrupted", .unknown, 130, "claim ours is unknown: it may have arrived"),
  ]

  @Test(arguments: movedOn)
  func `of a new claim that another process has moved on no sentence says that it is new`(
    name: String, state: HandoverState?, exit status: Int32, words: String
  ) async throws {
    let said = try await #require(processExitsWith: .exitCode(status), observing: [\.standardErrorContent]) {
      [name = name as String, state = state?.rawValue as String?] in
      let claim = try OutgoingClaim.sample()
      let report = SendReport(
        claim: claim, credential: .none, qr: .auto, console: Console(quiet: false), json: JSONLines(true))
      let state = state.flatMap(HandoverState.init(rawValue:))
      let outcome = name == "interrupted" ? .interrupted(try #require(state)) : try #require(try Self.sent(name))
      Foundation.exit(report.end(report.conclude(outcome, in: state)).rawValue)
    }
    let text = Self.text(said.standardErrorContent)
    #expect(text.contains(words) && !text.contains("new") && !text.contains("nothing left"), "\(text)")
  }

  @Test(arguments: [
    (HandoverState.delivered, "will call it unknown. Once it can be written: bump settle ours --delivered"),
    (.unknown, "claim ours is unknown, but the store cannot be written"),
  ])
  func `of a state that cannot be written it is said what the store says, and how to settle it`(
    state: HandoverState, words: String
  ) async throws {
    let said = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [state = state.rawValue as String] in
      let claim = try OutgoingClaim.sample()
      let console = Console(quiet: true)
      let report = SendReport(claim: claim, credential: .none, qr: .auto, console: console, json: JSONLines(true))
      report.event(
        .notRecorded(try #require(HandoverState(rawValue: state))), Progress("Waiting", nil, console))
      Foundation.exit(0)
    }
    #expect(Self.text(said.standardErrorContent).contains(words), "\(Self.text(said.standardErrorContent))")
  }

  static let overruled: [(HandoverState, String?, String)] = [
    (.unknown, nil, "If the link of claim ours was shown meanwhile, give it to nobody else."),
    (.lost, nil, "claim ours was settled as lost, and is not."),
    (.linkShown, nil, "the link of claim ours was shown meanwhile: anybody with it may redeem the claim first."),
    (.released, stranger, #"claim ours was sent to "bob\u{1b}[2J" meanwhile: if both have it, the first to redeem it"#),
  ]

  @Test(arguments: overruled)
  func `of a claim whose receiver answered late it is said who else may have it`(
    state: HandoverState, other: String?, words: String
  ) async throws {
    let said = try await #require(
      processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
    ) { [state = state.rawValue as String, other = other as String?] in
      let claim = try OutgoingClaim.sample()
      // Quiet: money is told of all the same.
      let console = Console(quiet: true)
      let report = SendReport(claim: claim, credential: .none, qr: .auto, console: console, json: JSONLines(true))
      let event = SendEvent.answeredLate(
        try #require(HandoverState(rawValue: state)), with: try other.map { try DisplayName($0) })
      report.event(event, Progress("Waiting", nil, console))
      Foundation.exit(0)
    }
    #expect(Self.text(said.standardErrorContent).contains(words), "\(Self.text(said.standardErrorContent))")
    let event = try JSONObject(Self.text(said.standardOutputContent))
    #expect(event.string("event") == "stoodOtherwise" && event.string("state") == state.rawValue)
    #expect(event.string("peerName") == other)
  }

  @Test func `a till's person reads who waits, by the name on that sender's own screen`() async throws {
    let said = try await #require(
      processExitsWith: .exitCode(0), observing: [\.standardErrorContent, \.standardOutputContent]
    ) {
      let report = ReceiveReport(console: Console(quiet: false), json: JSONLines(true), showSecret: false)
      let alice = QueuedSender(name: "alice-7f3a91c2d4e5b607", peer: "192.0.2.7:4000")
      let stranger = QueuedSender(name: Self.stranger + "-0123456789abcdef", peer: "192.0.2.8:4000")
      report.event(.queued(alice, waiting: 1), nil)
      report.event(.queued(stranger, waiting: 2), nil)
      report.event(.unqueued(alice, waiting: 1, hasTurn: true), nil)
      report.event(.unqueued(stranger, waiting: 0, hasTurn: false), nil)
      Foundation.exit(0)
    }
    let lines = Self.text(said.standardErrorContent).split(separator: "\n")
    #expect(lines.count == 3 && lines[0] == #""alice-7f3a" at 192.0.2.7 waits for its turn: 1 sender waits."#)
    #expect(lines[1].hasSuffix(" at 192.0.2.8 waits for its turn: 2 senders wait.") && !lines[1].contains("\u{1B}"))
    #expect(lines[2].hasSuffix(" at 192.0.2.8 no longer waits."))
    let events = try Self.text(said.standardOutputContent).split(separator: "\n").map { try JSONObject(String($0)) }
    #expect(events.map { $0.string("event") } == ["queued", "queued", "unqueued", "unqueued"])
    #expect(events.map { $0.number("waiting") } == [1, 2, 1, 0])
    #expect(events[0].string("name") == "alice-7f3a91c2d4e5b607" && events[0].string("peer") == "192.0.2.7:4000")
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
    let found =
      words.contains("192.0.2.7") || words.contains("three senders declined")
      || words.contains("Every receiver that") && outcome == "undelivered"
    #expect(result.list("found") == nil || found, "\(output)")
    #expect(result.list("found") != nil || !words.contains("192.0.2.7"), "\(output)")
    if let said = result.string("error") { #expect(error.hasSuffix("bump: \(said)\n"), "\(error)") }
    #expect((error + output).contains(words), "\(error)")
    #expect(!(error + output).contains("\u{1B}"), "\(error)")
  }
}
