import BumpClaims
import BumpKit
import Foundation
import Glibc
import Lab
import Testing

/// `bump send --again`, `bump settle`, and claims by the beginning of their id.
@Suite(.processes(2)) struct AgainTests {
  /// What looks for nobody, for long.
  static let alone = ["--discovery", "none", "--discovery-timeout", "0.1"]

  @Test(arguments: HandoverState.allCases)
  func `a claim is offered again from new, link shown and lost, and no other`(state: HandoverState) async throws {
    let alice = try Person()
    let id = try await alice.claim(state)
    let sent = try await alice.run(["send", "--again", id.description] + Self.alone)
    guard [.new, .linkShown, .lost].contains(state) else {
      #expect(sent.status == 1 && sent.standardOutput.isEmpty, "\(sent)")
      let words = [
        HandoverState.released: #"was sent to "bob", who may still answer for"#, .delivered: #"was delivered to "bob""#,
        .unknown: "then: bump settle \(id)",
      ]
      #expect(try sent.error?.contains(#require(words[state])) == true, "\(sent)")
      #expect(try await alice.history().map { $0.string("state") } == [state.rawValue])
      return
    }
    #expect(sent.status == 3 && sent.standardOutput.hasPrefix("https://irl.app/claim/\(id)#"), "\(sent)")
    #expect(sent.standardError.contains("still works") == (state != .new), "\(sent)")
    #expect(try await alice.history().map { $0.string("state") } == ["linkShown"])
  }

  @Test func `a claim that came to nothing goes to the next receiver, and there is one claim in the end`() async throws
  {
    let (alice, bob) = (try Person(), try Person())
    let first = try await alice.run(["send", "1.00", "--qr", "never", "--json"] + Self.alone)
    let id = try first.result.string("claimId")
    #expect(first.standardError.contains("bump send --again \(id ?? "?")"), "\(first)")
    let sending = try await RunningProcess.start(
      [BumpCommand.binary, "send", "--again", "--discovery", "none", "--json"], environment: alice.environment)
    sending.closeInput()
    let port = try await sending.event("advertising").number("port").map { UInt16($0) } ?? 0
    let received = try await bob.run("receive", "--peer", "127.0.0.1:\(port)", "--json")
    let sent = try await sending.finish()
    #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
    #expect(try received.result.string("claimId") == id)
    #expect(try await alice.history().map { $0.string("state") } == ["delivered"])
    let again = try await alice.run(["send", "--again"] + Self.alone)
    #expect(again.status == 1 && again.error?.contains(#"was delivered to "alice""#) == true, "\(again)")
  }

  @Test func `a claim whose digits are not drawn any more is offered with a code, as it is advised`() async throws {
    let alice = try Person()
    let id = try await alice.claim(.new)
    let spent = try await alice.shell(
      """
      python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1])
      c.execute("UPDATE outgoing SET draws = 3"); c.commit()' "$BUMP_STORE"
      """)
    #expect(spent.status == 0, "\(spent)")
    let refused = try await alice.run(
      ["send", "--again", id.description] + Self.alone, streams: .terminalButOutput)
    #expect(refused.status == 1, "\(refused)")
    let advice = try #require(refused.standardError.firstMatch(of: /`bump (send --again \S+ --code)`/)).1
    let sent = try await alice.run(
      advice.split(separator: " ").map(String.init) + Self.alone + ["--qr", "never"])
    #expect(sent.status == 3 && sent.standardError.contains("`bump \(advice)`"), "\(sent)")
  }

  @Test(arguments: [true, false])
  func `of a claim that another bump here sends, or has sent until it was killed, it is said to end that one first`(
    isKilled: Bool
  ) async throws {
    let alice = try Person()
    let sending = try await RunningProcess.start(
      [BumpCommand.binary, "send", "1.00", "--discovery", "none", "--json"], environment: alice.environment,
      streams: .terminalButOutput)
    _ = try await sending.event("advertising")
    if isKilled {
      sending.signal(SIGKILL)
      _ = try await sending.finish()
    }
    let again = try await alice.run(["send", "--again"] + Self.alone, streams: .terminalButOutput)
    #expect(again.status == 1, "\(again)")
    #expect(again.standardError.contains("is being sent by another bump here, or its three comparisons"), "\(again)")
    #expect(again.standardError.contains("End that bump first, with Ctrl-C. If none runs: `bump send"), "\(again)")
    if !isKilled {
      sending.signal(SIGINT)
      #expect(try await sending.finish().status == 130)
    }
  }

  @Test func `a claim that was made for a port which is taken is named, and offered again as it is advised`()
    async throws
  {
    let (alice, other) = (try Person(), try Person())
    let blocking = try await RunningProcess.start(
      [BumpCommand.binary, "send", "1.00", "--discovery", "none", "--json"], environment: other.environment)
    blocking.closeInput()
    let port = try #require(try await blocking.event("advertising").number("port").map { Int($0) })
    let failed = try await alice.run(["send", "2.00", "--json", "--port", "\(port)"] + Self.alone)
    let id = try #require(try await alice.history().first?.string("claimId"))
    let result = try failed.result
    let error = try #require(result.string("error"))
    #expect(failed.status == 1 && result.string("claimId") == id && result.string("outcome") == "failed", "\(failed)")
    #expect(error.contains("cannot listen on port \(port): "), "\(failed)")
    #expect(
      error.hasSuffix("Claim \(id) is kept. Choose another port: bump send --again \(id) --discovery none --port PORT"),
      "\(failed)")
    #expect(failed.standardError.hasSuffix("bump: \(error)\n"), "\(failed)")
    let again = try await alice.run(["send", "--again", id, "--port", "0"] + Self.alone)
    #expect(again.status == 3 && again.standardOutput.hasPrefix("https://irl.app/claim/\(id)#"), "\(again)")
    #expect(try await alice.history().count == 1)
    blocking.signal(SIGINT)
    _ = try await blocking.finish()
  }

  @Test func `without an id the last claim is meant, and none before it`() async throws {
    let alice = try Person()
    let none = try await alice.run(["send", "--again"] + Self.alone)
    #expect(none.status == 1 && none.error?.contains("no claim was made here yet") == true, "\(none)")
    _ = try await alice.claim(.new)
    let last = try await alice.claim(.unknown)
    let refused = try await alice.run(["send", "--again"] + Self.alone)
    #expect(refused.status == 1 && refused.error?.contains("may already have claim \(last)") == true, "\(refused)")
  }

  @Test(arguments: [["link"], ["send", "--again"]])
  func `a claim whose time is up is not offered again`(command: [String]) async throws {
    let alice = try Person()
    let id = try await alice.claim(.linkShown, expiry: 1_000_000)
    let finished = try await alice.run(command + [id.description])
    #expect(finished.status == 7 && finished.error?.contains("expired at 1970-01-12") == true, "\(finished)")
  }

  @Test(arguments: HandoverState.allCases)
  func `a link is shown where no receiver may be answering, and of an unknown claim with a word`(state: HandoverState)
    async throws
  {
    let alice = try Person()
    let id = try await alice.claim(state)
    let shown = try await alice.run("link", id.description)
    switch state {
    case .released:
      #expect(shown.status == 1 && shown.standardOutput.isEmpty, "\(shown)")
      #expect(shown.error?.contains(#/was sent to "bob", who may still answer for \d+ s/#) == true, "\(shown)")
    case .delivered:
      #expect(shown.status == 1 && shown.standardOutput.isEmpty, "\(shown)")
      #expect(shown.error?.contains(#"was delivered to "bob""#) == true, "\(shown)")
    default:
      #expect(shown.status == 0 && shown.standardOutput.hasPrefix("https://"), "\(shown)")
      #expect(shown.standardError.contains(#""bob" may already have claim"#) == (state == .unknown), "\(shown)")
    }
    let after = [.new, .lost].contains(state) ? "linkShown" : state.rawValue
    #expect(try await alice.history().map { $0.string("state") } == [after])
  }

  @Test func `an unknown claim is settled by hand, and may be offered again where it is lost`() async throws {
    let alice = try Person()
    let (lost, delivered) = (try await alice.claim(.unknown), try await alice.claim(.unknown))
    let settled = try await alice.run("settle", lost.description, "--lost")
    #expect(settled.status == 0 && settled.standardOutput.contains("bump send --again \(lost)"), "\(settled)")
    #expect(try await alice.run("settle", delivered.description, "--delivered").status == 0)
    #expect(try await alice.history().map { $0.string("state") } == ["delivered", "lost"])
    #expect(try await alice.run(["send", "--again", lost.description] + Self.alone).status == 3)
    // Said twice it is so all the same.
    #expect(try await alice.run("settle", delivered.description, "--delivered").status == 0)
  }

  @Test(arguments: [
    (HandoverState.new, "--delivered", "it has not left this machine"), (.released, "--lost", "Try again then"),
    (.linkShown, "--lost", "still works"),
  ])
  func `what is not unknown is not settled`(state: HandoverState, verdict: String, words: String) async throws {
    let alice = try Person()
    let id = try await alice.claim(state)
    let finished = try await alice.run("settle", id.description, verdict)
    #expect(finished.status == 1 && finished.error?.contains(words) == true, "\(finished)")
    #expect(try await alice.history().map { $0.string("state") } == [state.rawValue])
  }

  /// Its process was interrupted, or timed out: the receiver may take it all the same.
  @Test(arguments: [["link"], ["settle", "--lost"], ["settle", "--delivered"], ["send", "--again"]])
  func `what its receiver may still take has no link, is not offered and not settled, for the seconds that are said`(
    command: [String]
  ) async throws {
    let alice = try Person()
    let id = try await alice.claim(.released)
    let ended = try await alice.shell(
      """
      python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1])
      c.execute("UPDATE outgoing SET state = \'\\\'\'unknown\'\\\'\'"); c.commit()' "$BUMP_STORE"
      """)
    #expect(ended.status == 0, "\(ended)")
    let extra = command[0] == "send" ? Self.alone : []
    let finished = try await alice.run(command + [id.description] + extra)
    #expect(finished.status == 1 && finished.standardOutput.isEmpty, "\(finished)")
    #expect(
      finished.error?.contains(#/was sent to "bob", who may still take it for \d+ s. Try again then/#) == true,
      "\(finished)")
    let claim = try await alice.history().first
    #expect(claim?.string("state") == "unknown" && claim?.number("deadline") != nil)
  }

  @Test func `what was settled as delivered by mistake is settled as lost`() async throws {
    let alice = try Person()
    let id = try await alice.claim(.delivered).description
    let lost = try await alice.run("settle", id, "--lost")
    #expect(lost.status == 0 && lost.standardOutput.contains("that still works"), "\(lost)")
    #expect(try await alice.history().map { $0.string("state") } == ["lost"])
  }

  @Test(arguments: ["5", "12.50", "1250", "1,00", "5."])
  func `an amount beside --again is a usage error that says what to type`(amount: String) async throws {
    let alice = try Person()
    let finished = try await alice.run(["send", amount, "--again"] + Self.alone)
    #expect(finished.status == 64, "\(finished)")
    #expect(finished.standardError.contains("Leave out the amount"), "\(finished)")
    #expect(try await alice.run(["send", "12345678", "--again"] + Self.alone).status == 1, "the beginning of an id")
  }

  /// It may be meant as an amount too: then no claim leaves before somebody was asked.
  @Test func `a short number names the claim whose id begins so where a person is asked, and else which claim that is`()
    async throws
  {
    let alice = try Person()
    // The id begins with 12: base64url of these bits.
    let random = RandomBytes { count in [0xD7, 0x60] + [UInt8](repeating: 0, count: count - 2) }
    let id = try await ClaimStore.open(at: alice.store).create(
      amount: Amount("3.00"), token: .usdc, expiry: #require(Expiry(unixSeconds: 4_000_000_000)),
      random: random
    ).claim.id
    let unasked = try await alice.run(["send", "12", "--again", "--yes"] + Self.alone)
    #expect(unasked.status == 64 && unasked.standardOutput.isEmpty, "\(unasked)")
    #expect(
      unasked.error?.hasSuffix(
        "as it was made: 3.00 USDC with the id that begins so. To send that: bump send --again \(id)")
        == true, "\(unasked)")
    for command in [["show", "12"], ["send", "--again", "12", "--qr", "never"] + Self.alone] {
      let asked = try await alice.run(command, streams: .terminalButOutput)
      #expect(asked.status == (command[0] == "send" ? 3 : 0), "\(asked)")
      #expect((asked.standardOutput + asked.standardError).contains("\(id)"), "\(asked)")
    }
  }

  @Test(arguments: [HandoverState.new, .linkShown, .unknown, .lost])
  func `nobody can take a claim whose time is up, and that is what is said of it`(state: HandoverState) async throws {
    let alice = try Person()
    let id = try await alice.claim(state, expiry: 1_000_000).description
    let settled = try await alice.run("settle", id, "--lost")
    #expect(!(settled.standardOutput + settled.standardError).contains("still works"), "\(settled)")
    #expect((settled.standardOutput + settled.standardError).contains("xpired at 1970-01-12"), "\(settled)")
    #expect(settled.status == ([.unknown, .lost].contains(state) ? 0 : 7), "\(settled)")
    let listed = try await alice.run("history")
    #expect(listed.standardOutput.hasSuffix(", expired  \(id.prefix(8))\n"), "\(listed)")
    #expect(try await alice.run("show", id).lines.contains("expired  1970-01-12 13:46:40Z"))
    #expect(try await alice.run("history", "--json").standardOutput.contains(#""expired":true"#))
  }

  @Test func `a link of one's own is not income`() async throws {
    let alice = try Person()
    let link = try await alice.link()
    let taken = try await alice.take(link)
    #expect(taken.status == 1 && taken.standardOutput.isEmpty, "\(taken)")
    #expect(taken.standardError.contains("was made in this store, so nothing was received"), "\(taken)")
    #expect(try await alice.history().count == 1)
  }

  @Test func `a sender whose claim's link is shown meanwhile says so, and its receiver does not call it busy`()
    async throws
  {
    let (alice, bob) = (try Person(), try Person())
    let sending = try await RunningProcess.start(
      [BumpCommand.binary, "send", "1.00", "--discovery", "none", "--json", "--decide"],
      environment: alice.environment)
    let port = try await sending.event("advertising").number("port").map { UInt16($0) } ?? 0
    let receiving = try await RunningProcess.start(
      [BumpCommand.binary] + BumpCommand.patient(["receive", "--peer", "127.0.0.1:\(port)", "--json"]),
      environment: bob.environment)
    receiving.closeInput()
    let id = try #require(try await sending.event("question").string("claimId"))
    #expect(try await alice.run("link", id).status == 0)
    sending.type("y 1\n")
    let (sent, received) = (try await sending.finish(), try await receiving.finish())
    #expect(sent.status == 1 && sent.standardError.contains("has shown the link of claim \(id)"), "\(sent)")
    #expect(received.status == 3 && !received.standardError.contains("busy"), "\(received)")
    #expect(received.standardError.contains("has ended its bump, and nothing was handed over"), "\(received)")
  }

  @Test(arguments: [["show"], ["link"], ["settle", "--lost"], ["send", "--again"]])
  func `a claim is named by the beginning of its id, and an ambiguous one by nothing`(command: [String]) async throws {
    let alice = try Person()
    let store = try await ClaimStore.open(at: alice.store)
    for byte in [UInt8(0), 0, 4] {
      let last = Int(byte) + (try await store.newestOutgoing() == nil ? 0 : 1)
      // Ids in base64url: they begin with six characters alike, and with another.
      let random = RandomBytes { count in [byte] + [UInt8](repeating: 0, count: count - 2) + [UInt8(last)] }
      let id = try await store.create(
        amount: Amount("1.00"), token: .usdc, expiry: #require(Expiry(unixSeconds: 4_000_000_000)), random: random
      ).claim.id
      #expect(try await store.isReleased(id))
      if command[0] == "send" { _ = try await store.settle(id, as: .lost) }
    }
    let extra = command[0] == "send" ? Self.alone : []
    let ambiguous = try await alice.run(command + ["AAA"] + extra)
    #expect(ambiguous.status == 1 && ambiguous.standardOutput.isEmpty, "\(ambiguous)")
    #expect(
      ambiguous.error?.contains("begin with AAA: AAAAAAAAAAAAAAAAAAAAAA, AAAAAAAAAAAAAAAAAAAAAQ. Give more") == true,
      "\(ambiguous)")
    let none = try await alice.run(command + ["AAB"] + extra)
    #expect(none.status == 1 && none.error?.contains("there is no claim AAB") == true, "\(none)")
    let found = try await alice.run(command + ["BAAA"] + extra)
    #expect(found.status == (command[0] == "send" ? 3 : 0), "\(found)")
    #expect((found.standardOutput + found.standardError).contains("BAAAAAAAAAAAAAAAAAAABQ"), "\(found)")
  }

  /// By two minutes, as by a time server, and by an hour and two minutes, as by a change of the time zone.
  @Test(arguments: [2, -62])
  func `where the clock is set nobody else gets a claim that is in flight`(minutes: Int) async throws {
    let alice = try Person()
    let id = try await alice.claim(.released).description
    let clock = try setClock(by: minutes)
    for command in ["link \(id)", "settle --lost \(id)", "send --again \(id) --discovery none"] {
      let refused = try await alice.shell("\"$bump\" \(command)", changes: clock)
      #expect(refused.status == 1 && refused.standardOutput.isEmpty, "\(refused)")
      #expect(refused.error?.contains("may still answer for") == true, "\(refused)")
    }
    let history = try await alice.shell("\"$bump\" history --json", changes: clock)
    #expect(try history.events.first?.string("state") == "released", "\(history)")
  }

  /// All that open a store.
  private static func commands(on id: String) throws -> [[String]] {
    [
      ["receive", "--link", try strangersLink()],
      ["history"], ["show", id], ["receive", "--peer", "127.0.0.1:1"], ["send", "1.00", "--link-only"],
      ["send", "--again", id, "--discovery", "none"], ["link", id], ["settle", id, "--lost"], ["key", "list"],
      ["key", "forget", "bob"], ["refund", id], ["claim", id],
    ]
  }

  @Test(arguments: ["", "-journal"])
  func `a store that others can read is refused by every command, and its mode left as it is`(suffix: String)
    async throws
  {
    let alice = try Person()
    let id = try await alice.claim(.new).description
    #expect(chmod(alice.store + suffix, 0o644) == 0)
    for command in try Self.commands(on: id) {
      let refused = try await alice.run(command)
      #expect(refused.status == 1 && refused.standardOutput.isEmpty, "\(refused)")
      let remedy = "can be read by others. If it is a store: chmod 600 \(alice.store)\(suffix)\n"
      #expect(refused.standardError.hasSuffix(remedy), "\(refused)")
    }
    #expect(try await alice.shell("chmod 600 \"$BUMP_STORE\"*; \"$bump\" show \(id)").status == 0)
  }

  @Test func `a crafted store is refused by every command, and takes nothing`() async throws {
    let alice = try Person()
    let id = try await alice.claim(.new).description
    let made = try await alice.shell(
      """
      python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])' "$BUMP_STORE" \
        'CREATE TRIGGER gone AFTER INSERT ON incoming BEGIN DELETE FROM incoming; END'
      """)
    #expect(made.status == 0, "\(made)")
    for command in try Self.commands(on: id) {
      let finished = try await alice.run(command)
      #expect(finished.status == 1 && finished.standardOutput.isEmpty, "\(finished)")
      #expect(finished.standardError.contains("holds what bump has not made: the trigger gone"), "\(finished)")
    }
  }
}

extension ClaimStore {
  /// Releases a claim long ago.
  fileprivate func isReleased(_ id: ClaimID) async throws -> Bool {
    let then = ClockReading(unix: 1000)
    return try await release(id, to: DisplayName("bob"), answerWithin: .zero, at: { then }) == .released(until: 1005)
  }
}
