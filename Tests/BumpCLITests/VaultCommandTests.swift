import BumpClaims
import BumpKit
import BumpVault
import BumpVaultAPI
import BumpVaultHTTP
import BumpWallet
import Foundation
import Lab
import Testing
import VaultContract
import VaultTestServer

@testable import BumpCLI

/// The commands that have to do with a vault, on one that answers over HTTP.
@Suite(.processes(2)) struct VaultCommandTests {
  private let testbed: VaultTestbed
  private var desk: InProcessVaultServer { testbed.desk }
  private var server: LocalVaultServer { testbed.server }
  private var alice: Person { testbed.alice }
  private var bob: Person { testbed.bob }

  init() async throws { testbed = try await VaultTestbed() }

  @Test func `a claim is locked, handed over, claimed once, and shown as claimed on both sides`() async throws {
    try await testbed.open(alice, "3.00")
    let receiver = try await testbed.open(bob)
    let sent = try await testbed.send()
    #expect(sent.status == 0, "\(sent)")
    let ledgerID = try #require(try await alice.history().first?.string("ledgerId"))
    #expect(
      sent.standardError.contains(
        "1.00 USDC are locked, says \(server.url).\nWatch the claim in a browser: \(server.url)/sent/\(ledgerID)\n"),
      "\(sent)")
    #expect(try await testbed.balance(alice) == "2.00 USDC\n")
    let id = try #require(try await alice.history().first?.string("claimId"))
    #expect(try await alice.history().first?.string("money") == "pending")

    let link = try #require(sent.lines.last)
    let received = try await bob.take(link)
    #expect(received.status == 0, "\(received)")
    #expect(try await testbed.balance(bob) == "0.00 USDC\n")
    let claimed = try await bob.run("claim", id, "--vault", server.url)
    #expect(claimed.status == 0 && claimed.standardOutput.hasPrefix("Claimed 1.00 USDC to \(receiver) (transaction 0x"))
    #expect(try await testbed.balance(bob) == "1.00 USDC\n")
    // Again nothing is paid, and it is said that it was paid before.
    let again = try await bob.run("claim", id, "--json")
    #expect(try again.status == 8 && again.result.number("exit") == 8, "\(again)")
    #expect(try again.result.string("outcome") == "alreadyPaid" && again.result.string("receiver") == "\(receiver)")
    #expect(try again.result.number("time") != nil)
    #expect(try await testbed.balance(bob) == "1.00 USDC\n")

    // It lists what is known, and gives the vault two seconds. This process, which is the vault, may be busy.
    var history = try await alice.run("history")
    #expect(history.lines.first?.hasSuffix("  link shown, locked  \(id.prefix(8))") == true, "\(history)")
    for _ in 1...10 where history.lines.last?.contains("locked") == true {
      history = try await alice.run("history")
    }
    #expect(history.lines.last?.hasSuffix("  claimed  \(id.prefix(8))") == true, "\(history)")
    #expect(
      history.lines.count == 1 || history.standardError == "Their vaults say now:\n", "\(history)")
    #expect(try await bob.history().first?.string("money") == "claimed")
    let movements = try await alice.run("wallet", "history", "--vault", server.url)
    #expect(
      movements.lines.map { $0.split(separator: "  ")[1].trimmingCharacters(in: .whitespaces) } == ["deposit", "mint"])
    let secret = try #require(try await bob.run("show", id, "--show-secret", "--json").events.first?.string("secret"))
    #expect(!server.requests.contains { $0.contains(secret) || $0.contains(secret.dropLast(2)) })
    try await desk.scene.expectSound(minted: 3_000_000)
  }

  @Test func `a deposit and a claim whose answers are lost are made once`() async throws {
    try await testbed.open(alice, "3.00")
    try await testbed.open(bob)
    for _ in 0..<2 { server.loseAnswer(to: "/deposit") }
    let sent = try await testbed.send()
    #expect(sent.status == 0, "\(sent)")
    #expect(try await testbed.balance(alice) == "2.00 USDC\n")
    let id = try #require(try await alice.history().first?.string("claimId"))
    _ = try await bob.take(try #require(sent.lines.last))
    for _ in 0..<2 { server.loseAnswer(to: "/claim") }
    #expect(try await bob.run("claim", id, "--vault", server.url).status == 0)
    #expect(try await testbed.balance(bob) == "1.00 USDC\n")
  }

  @Test func `a deposit in doubt hands nothing over, is shown, and is asked for again with the same claim`()
    async throws
  {
    try await testbed.open(alice, "3.00")
    for _ in 0..<8 { server.loseAnswer(to: "/deposit") }
    let sent = try await testbed.send("--json")
    #expect(sent.status == 5 && !sent.standardOutput.contains("://"), "\(sent)")
    let id = try #require(try await alice.history().first?.string("claimId"))
    let error = try sent.result.string("error")
    #expect(
      error?.hasPrefix("claim \(id) was not sent. The vault may have locked 1.00 USDC for it: ") == true, "\(sent)")
    #expect(error?.hasSuffix(". Ask it again with: bump send --again \(id)") == true, "\(sent)")
    #expect(try await alice.history().map { $0.string("money") } == ["asked"])
    let again = try await alice.run(
      "send", "--again", id, "--discovery", "none", "--discovery-timeout", "0.1", "--json")
    let locked = try #require(try again.events.first { $0.string("event") == "locked" }, "\(again)")
    let ledgerID = try #require(try await alice.history().first?.string("ledgerId"))
    #expect(locked.string("page") == "\(server.url)/sent/\(ledgerID)", "\(again)")
    #expect(try await alice.history().map { $0.string("money") } == ["pending"])
    #expect(try await testbed.balance(alice) == "2.00 USDC\n")
  }

  @Test func `without the money nothing is locked, and nothing is handed over`() async throws {
    try await testbed.open(alice, "0.50")
    let sent = try await testbed.send()
    #expect(sent.status == 1 && sent.standardOutput.isEmpty, "\(sent)")
    let id = try #require(try await alice.history().first?.string("claimId"))
    #expect(
      sent.error
        == #"claim \#(id) was not sent. Nothing is locked for it: the vault says: "the sender's balance is smaller than the claim's amount". The vault advises: "Top the wallet up, or send less""#,
      "\(sent)")
    #expect(try await alice.history().map { $0.string("money") } == ["refused"])
    #expect(try await alice.run("history").lines.first?.contains("  new, not locked  ") == true)
  }

  /// An address that a client does not take for its own machine, as plain HTTP to another one would be.
  private var remote: String { "http://[::ffff:127.0.0.1]:\(server.port)" }

  @Test func `without TLS a refusal leaves it open whether the money is locked, and the vault is asked again`()
    async throws
  {
    try await testbed.open(alice, "3.00")
    try await testbed.move(to: remote, alice)
    // Somebody on the way passes the deposit on, and says that it was refused.
    server.forgeAnswer(to: "/deposit", Problem(.insufficientFunds, "the sender's balance is too small"))
    let sent = try await alice.run("send", "1.00", "--vault", remote, "--link-only")
    #expect(sent.status == 5 && sent.standardOutput.isEmpty, "\(sent)")
    #expect(sent.error?.contains("was not sent. The vault may have locked 1.00 USDC for it: ") == true, "\(sent)")
    #expect(sent.error?.contains(#"is too small", but this is not authenticated"#) == true, "\(sent)")
    let claim = try #require(try await alice.history().first)
    #expect(claim.string("money") == "asked" && claim.string("state") == "new")
    let link = try await alice.run("link", try #require(claim.string("claimId")))
    // Such a vault has no page that may be believed.
    #expect(link.status == 0 && link.standardOutput.contains("https://irl.app/claim/"), "\(link)")
    #expect(!sent.standardError.contains("/sent/"), "\(sent)")
    #expect(try await alice.history().map { $0.string("money") } == ["pending"])
    #expect(try await testbed.balance(alice, at: remote) == "2.00 USDC\n")
  }

  @Test func `a claim whose money is not locked, is in doubt or is gone has no link`() async throws {
    try await testbed.open(alice, "1.00")
    try await testbed.open(bob)
    func link(_ id: String, _ options: String...) async throws -> ProcessResult {
      try await alice.run(["link", id] + options)
    }

    #expect(try await alice.run("send", "2.00", "--vault", server.url, "--link-only").status == 1)
    let poor = try #require(try await alice.history().first?.string("claimId"))
    let none = try await link(poor)
    #expect(none.status == 1 && none.standardOutput.isEmpty, "\(none)")
    #expect(none.error == "nothing is locked for claim \(poor). Lock its money with: bump send --again \(poor)")
    #expect(try await alice.history().first?.string("state") == "new")

    for _ in 0..<8 { server.loseAnswer(to: "/deposit") }
    #expect(try await testbed.send().status == 5)
    let id = try #require(try await alice.history().first?.string("claimId"))
    for _ in 0..<8 { server.loseAnswer(to: "/deposit") }
    let doubt = try await link(id)
    #expect(doubt.status == 5 && doubt.standardOutput.isEmpty, "\(doubt)")
    let late = try await link(id, "--expiry-margin", "2d")
    #expect(late.status == 7 && late.standardOutput.isEmpty, "\(late)")
    // The vault answers again, and says that the money is locked.
    let shown = try await link(id)
    #expect(shown.status == 0, "\(shown)")
    _ = try await bob.take(try #require(shown.lines.first { $0.hasPrefix("\(server.url)/claim/") }))
    #expect(try await bob.run("claim", id, "--vault", server.url).status == 0)
    let gone = try await link(id)
    #expect(gone.status == 1 && gone.error?.contains("claim \(id) was claimed at its vault already") == true, "\(gone)")
  }

  @Test func `a vault that is confirmed by --yes is said to be, and one that is another than before too`() async throws
  {
    _ = try await alice.run("wallet", "new")
    let first = try await alice.run("wallet", "balance", "--vault", server.url, "--yes")
    #expect(first.status == 0 && first.standardError.hasSuffix("With --yes you have confirmed it, from now on.\n"))
    #expect(try await alice.run("wallet", "balance", "--vault", server.url, "--yes").standardError.isEmpty)
    let before = try Scene.identity(seed: 2).vault.vault
    let body = Answer.vault(before, .init(), version: "1", asksForChallenge: false, hasFaucet: false).body.text
    try await ClaimStore.open(at: alice.store).confirm(vault: server.url, describedAs: body)
    let trusted = try await alice.run("wallet", "trust", server.url, "--yes")
    #expect(
      trusted.status == 0
        && trusted.standardError.contains("It has changed since you confirmed it as \(before.address)."),
      "\(trusted)")
    #expect(!(try await alice.run("wallet", "trust", server.url, "--yes").standardError.contains("has changed")))
  }

  @Test func `a vault whose receipt names another transaction than the one that is kept contradicts itself`()
    async throws
  {
    try await testbed.open(alice, "3.00")
    try await testbed.open(bob)
    let sent = try await testbed.send()
    let id = try #require(try await alice.history().first?.string("claimId"))
    let store = try await ClaimStore.open(at: alice.store)
    let claim = try #require(try await store.outgoing(ClaimID(id)))
    let bobs = try await ClaimStore.open(at: bob.store)
    _ = try await bob.take(try #require(sent.lines.last))
    // What the vault signed before, as bob has it, is of another movement than the one it will make.
    var kept = try #require(try await store.funding(of: claim.claim, .outgoing))
    let other = "0x" + String(repeating: "11", count: 32)
    (kept.status, kept.transaction, kept.receipt) = (.claimed, other, "signed before")
    _ = try await bobs.note(kept, of: claim.claim, expiry: claim.expiry, .incoming)

    let claimed = try await bob.run("claim", id, "--vault", server.url)
    #expect(claimed.status == 1 && claimed.standardOutput.isEmpty, "\(claimed)")
    #expect(claimed.error?.contains("contradicts itself") == true && claimed.error?.contains(other) == true)
    #expect(try await bobs.funding(of: claim.claim, .incoming)?.receipt == "signed before")

    _ = try await store.note(kept, of: claim.claim, expiry: claim.expiry, .outgoing)
    let refunded = try await alice.run("refund", id)
    #expect(refunded.status == 1 && refunded.error?.contains("contradicts itself") == true, "\(refunded)")
  }

  @Test func `a claim may last as long as a vault allows, to the minute`() async throws {
    try await testbed.open(alice, "3.00")
    // With a clock that stands still, a minute that begins meanwhile would be one too many.
    desk.scene.clock.set(UnixTime.now())
    desk.scene.clock.run(by: UnixTime.now)
    let longest = try await testbed.send("--expires", "30d")
    #expect(longest.status == 0, "\(longest)")
    #expect(try await testbed.send("--expires", "31d").status == 1)
  }

  @Test func `an expired claim is refunded to its sender, and one that somebody may have is left before`() async throws
  {
    let sender = try await testbed.open(alice, "3.00")
    _ = try await testbed.send()
    let id = try #require(try await alice.history().first?.string("claimId"))
    let early = try await alice.run("refund", String(id.prefix(6)), "--json")
    #expect(try early.result.string("claimId") == id, "a program need not read a sentence for it")
    #expect(
      early.status == 1 && early.error?.contains("has not expired, and somebody may have it or its link. ") == true)
    desk.scene.clock.advance(by: 90_000)
    let refunded = try await alice.run("refund", id)
    #expect(
      refunded.status == 0 && refunded.standardOutput.hasPrefix("Refunded 1.00 USDC of claim \(id)"), "\(refunded)")
    let again = try await alice.run("refund", id)
    #expect(
      again.status == 0 && again.standardOutput.hasPrefix("Already refunded: 1.00 USDC of claim \(id)"), "\(again)")
    #expect(try await desk.scene.store.balances(of: sender)[desk.scene.token] == 3_000_000)
    #expect(try await alice.history().first?.string("money") == "refunded")
  }

  @Test func `a claim whose money is locked is listed behind any number of newer ones, until it is refunded`()
    async throws
  {
    try await testbed.open(alice, "3.00")
    let (_, id) = try await testbed.lockedLink()
    _ = try await alice.link()
    let short = try await alice.run("history", "--limit", "1")
    #expect(
      short.lines.count == 2 && short.lines.last?.hasSuffix("  link shown, locked  \(id.prefix(8))") == true, "\(short)"
    )
    let events = try await alice.run("history", "--limit", "1", "--json").events
    #expect(events.count == 2 && events.last?.string("claimId") == id)
    #expect(try await alice.run("history").lines.count == 2, "what is listed anyway is listed once")
    desk.scene.clock.advance(by: 90_000)
    #expect(try await alice.run("refund", id).status == 0)
    #expect(try await alice.run("history", "--limit", "1").lines.count == 1)
  }

  @Test func `a claim that was claimed is not refunded, and who has it is said`() async throws {
    try await testbed.open(alice, "3.00")
    let receiver = try await testbed.open(bob)
    let sent = try await testbed.send()
    _ = try await bob.take(try #require(sent.lines.last))
    let id = try #require(try await alice.history().first?.string("claimId"))
    _ = try await bob.run("claim", id, "--vault", server.url)
    let refused = try await alice.run("refund", id)
    #expect(refused.status == 1 && refused.error?.contains("was claimed to \(receiver) at 20") == true, "\(refused)")
  }

  @Test func `a send that waits tells when the claim is claimed`() async throws {
    try await testbed.open(alice, "3.00")
    try await testbed.open(bob)
    let sending = try await RunningProcess.start(
      [BumpCommand.binary, "send", "1.00", "--vault", server.url, "--link-only", "--until-claimed"],
      environment: alice.environment)
    sending.closeInput()
    try await sending.text("\(server.url)/claim/", on: .output)
    let id = try #require(try await alice.history().first?.string("claimId"))
    let link = try await alice.run("link", id)
    _ = try await bob.take(try #require(link.lines.last))
    _ = try await bob.run("claim", id, "--vault", server.url)
    let finished = try await sending.finish()
    #expect(finished.status == 0 && finished.standardError.contains("Claimed to 0x"), "\(finished)")
    #expect(try await alice.history().first?.string("money") == "claimed")
  }

  @Test func `a vault that nobody has confirmed is asked for nothing, and the command that confirms it is said`()
    async throws
  {
    _ = try await alice.run("wallet", "new")
    let sent = try await testbed.send()
    #expect(sent.status == 1 && sent.error?.contains("bump wallet trust \(server.url)") == true, "\(sent)")
    #expect(server.requests.isEmpty)
    #expect(try await alice.history().isEmpty)
  }

  @Test func `a vault that is another than the one that was confirmed is signed nothing for`() async throws {
    try await testbed.open(alice, "3.00")
    let other = try Scene.identity(seed: 2).vault.vault
    let body = Answer.vault(
      other, .init(), version: "1", asksForChallenge: false, hasFaucet: false
    ).body.text
    try await ClaimStore.open(at: alice.store).confirm(vault: server.url, describedAs: body)
    let sent = try await testbed.send()
    #expect(sent.status == 1 && sent.standardError.contains("the vault is not the one that was confirmed"), "\(sent)")
    #expect(!server.requests.contains { $0.hasPrefix("POST") })
    #expect(try await alice.run("wallet", "balance", "--vault", server.url).status == 1)
    #expect(!server.requests.contains { $0.contains("/accounts/") })
  }

  @Test func `without a vault nobody is asked, and all is as it was`() async throws {
    let sent = try await alice.run("send", "1.00", "--link-only")
    #expect(sent.status == 0 && !sent.standardError.contains("vault"), "\(sent)")
    let id = try #require(try await alice.history().first?.string("claimId"))
    #expect(try await alice.history().first?.string("money") == nil)
    #expect(try await alice.run("refund", id).error == "claim \(id) has no vault, so no money of it is locked")
    #expect(server.requests.isEmpty)
  }

  @Test func `a vault that does not answer is waited for, which is said once, and locks nothing`() async throws {
    try await testbed.open(alice, "3.00")
    let nobody = try await testbed.confirmNobody(for: alice)
    let sent = try await alice.run("send", "1.00", "--vault", nobody, "--link-only")
    #expect(sent.status == 1 && sent.standardOutput.isEmpty)
    let lines = sent.standardError.split(separator: "\n")
    #expect(lines.count == 2 && lines.first == "Waiting for the vault \(nobody).", "\(sent)")
    #expect(lines.last?.contains(" was not sent. Nothing is locked for it: no answer from the vault") == true)
  }
}
