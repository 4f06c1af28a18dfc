import BumpClaims
import BumpKit
import Foundation
import Lab
import Measures
import Testing
import VaultTestServer

/// The wait until a claim is claimed, on terminals of 80 × 24.
@Suite(.processes(2)) struct VaultWaitTests {
  private let testbed: VaultTestbed
  private var alice: Person { testbed.alice }
  private var bob: Person { testbed.bob }

  init() async throws { testbed = try await .withFundedSender() }

  /// A send of a claim whose link was shown, on a terminal.
  private func waiting() async throws -> RunningProcess {
    let sending = try await RunningProcess.start(
      [BumpCommand.binary, "send", "1.00", "--vault", testbed.server.url, "--link-only"],
      environment: alice.environment,
      streams: .terminal)
    try await sending.text(" left. Ctrl-C ends the waiting.")
    return sending
  }

  /// The countdowns that were shown, in seconds.
  private func countdowns(_ sending: RunningProcess) -> [Int] {
    let shown = /Waiting until it is claimed, (\d\d):(\d\d):(\d\d) left\. Ctrl-C/
    return sending.standardOutput.text.matches(of: shown).map { match in
      [match.1, match.2, match.3].reduce(0) { 60 * $0 + (Int($1) ?? 0) }
    }
  }

  @Test func `the wait counts down, in place, until it tells to whom the claim was claimed`() async throws {
    let receiver = try await testbed.open(bob)
    let sending = try await waiting()
    while Set(countdowns(sending)).count < 2 {
      try await sending.text(" left. Ctrl-C", after: sending.standardOutput.bytes.count)
    }
    let shown = countdowns(sending)
    // A day, up to the end of a minute.
    #expect(shown.allSatisfy { (80_000...86_460).contains($0) } && shown == shown.sorted(by: >), "\(shown)")
    // One row of the screen is rewritten.
    let rows = TerminalScreen(showing: sending.standardOutput.screen).rows
    #expect(rows.count { $0.hasPrefix("Waiting until it is claimed, ") } == 1, "\(rows)")
    let id = try #require(try await alice.history().first?.string("claimId"))
    let link = try #require(try await alice.run("link", id).lines.last)
    #expect(try await bob.take(link, "--vault", testbed.server.url, "--claim").status == 0)
    let sent = try await sending.finish()
    #expect(sent.status == 0, "\(sent)")
    let said = #/Claimed to (0x\S+) \(transaction 0x[0-9a-f]{64}\), says (http\S+)\./#
    let match = try #require(sent.standardOutput.firstMatch(of: said), "\(sent)")
    #expect(match.1 == "\(receiver)" && match.2 == testbed.server.url)
    let last = TerminalScreen(showing: sent.screen).rows
    #expect(!last.contains { $0.hasPrefix("Waiting until") }, "\(last)")
  }

  /// A vault takes whole minutes.
  @Test(.thorough) func `a claim that nobody has claimed when it expires is said to be, by the vault's word`()
    async throws
  {
    let sent = try await alice.run(
      "send", "1.00", "--vault", testbed.server.url, "--expires", "1s", "--expiry-margin", "0s", "--link-only",
      "--until-claimed", "--json")
    let id = try #require(try sent.result.string("claimId"))
    #expect(
      sent.standardError.contains(
        "Claim \(id) has expired unclaimed, says \(testbed.server.url). Get its money back with: "),
      "\(sent)")
    #expect(try sent.events.contains { $0.string("event") == "expired" }, "\(sent)")
  }

  @Test(arguments: [["--until-claimed", "--json"]])
  func `a claim that expires while its vault is away is not said to be unclaimed`(more: [String]) async throws {
    let vault = try await testbed.confirmNobody(for: alice)
    var lifetime: Int64 = 2
    while true {
      // As a send left it that had locked its money.
      let store = try await ClaimStore.open(at: alice.store)
      let claim = try await store.create(
        amount: Amount("1.00"), token: .usdc, expiry: Expiry(clamping: UnixTime.now() + lifetime))
      let funding = Funding(vault: vault, ledgerID: "0x1", status: .pending, updatedAt: 0)
      _ = try await store.note(funding, of: claim.claim, expiry: claim.expiry, .outgoing)
      let id = claim.claim.id
      let sent = try await alice.run(
        ["send", "--again", "\(id)", "--discovery", "none", "--discovery-timeout", "0.1", "--expiry-margin", "0s"]
          + more,
        streams: more.isEmpty ? .terminal : .pipes)
      // A slow machine has twice as long to get so far with the next claim.
      lifetime *= 2
      if sent.status == 7, lifetime < 100 { continue }
      let said = more.isEmpty ? sent.standardOutput : sent.standardError
      #expect(said.contains("Claim \(id) has expired. \(vault) does not say whether it was claimed before."), "\(sent)")
      #expect(said.contains("bump refund \(id)"), "\(sent)")
      if !more.isEmpty {
        #expect(try sent.events.contains { $0.string("event") == "expired" }, "\(sent)")
      }
      return
    }
  }

  /// A program needs the link while it waits for somebody to take it.
  @Test(arguments: [["--link-only"], ["--discovery", "none", "--discovery-timeout", "0.1"]])
  func `programs have the link before the claim is waited for`(how: [String]) async throws {
    try await testbed.open(bob)
    let sending = try await RunningProcess.start(
      [BumpCommand.binary, "send", "1.00", "--vault", testbed.server.url, "--json", "--until-claimed"] + how,
      environment: alice.environment)
    sending.closeInput()
    // The send ends only with the claim, which nobody could make without the link.
    let link = try #require(try await sending.event("fallback").string("link"))
    #expect(try await bob.take(link, "--vault", testbed.server.url, "--claim").status == 0)
    let sent = try await sending.finish()
    #expect(try sent.events.suffix(3).map { $0.string("event") } == ["fallback", "claimed", "result"], "\(sent)")
  }

  @Test func `Ctrl-C ends the wait behind a bump, which it could have ended too`() async throws {
    let sending = try await RunningProcess.start(
      [
        BumpCommand.binary, "send", "1.00", "--vault", testbed.server.url, "--discovery", "none", "--discovery-timeout",
        "0.1",
      ], environment: alice.environment, streams: .terminal)
    try await sending.text(" left. Ctrl-C ends the waiting.")
    sending.signal(SIGINT)
    let sent = try await sending.finish()
    // As the bump ended: with the link.
    #expect(sent.status == 3, "\(sent)")
    #expect(try await alice.history().map { $0.string("state") } == ["linkShown"])
  }

  @Test func `what cannot be waited for is said, and not passed over`() async throws {
    let id = try await alice.claim(.new)
    for arguments in [["1.00"], ["--again", "\(id)"]] {
      let sent = try await alice.run(
        ["send"] + arguments + ["--until-claimed", "--discovery", "none", "--discovery-timeout", "0.1"])
      #expect(sent.status == 64 && sent.standardOutput.isEmpty, "\(sent)")
      #expect(
        sent.error?.hasSuffix(". Name one with --vault, or in BUMP_VAULT, or leave out --until-claimed") == true,
        "\(sent)")
    }
    #expect(try await alice.history().map { $0.string("state") } == ["new"])
  }
}
