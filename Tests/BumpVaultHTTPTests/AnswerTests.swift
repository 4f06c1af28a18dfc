import BumpClaims
import BumpText
import BumpVault
import BumpVaultHTTP
import BumpWallet
import Testing
import VaultContract

@testable import BumpVaultAPI

/// What the vault answers, held against the contract's table.
struct AnswerTests {
  private func scene() async throws -> Scene { try await Scene(StoreMaker { InMemoryVaultStore($0, clock: $1) }) }

  private func names(_ body: JSONValue) -> [String] {
    if case .object(let members) = body { members.map(\.name) } else { [] }
  }

  private func field(_ name: String, _ body: JSONValue) -> JSONValue? {
    if case .object(let members) = body { members.first { $0.name == name }?.value } else { nil }
  }

  /// Of what a body says nothing: in none of the forms in which it could.
  private func expect(_ body: JSONValue, hides bytes: [UInt8], at location: SourceLocation = #_sourceLocation) {
    let text = body.text.lowercased()
    let hex = String(decoding: Hex.encode(bytes), as: UTF8.self)
    #expect(!text.contains(hex) && !body.text.contains(Base64.encoded(bytes)), sourceLocation: location)
  }

  @Test func `a draft is answered with 201 and its ids, and with the secret only where the vault drew it`() async throws
  {
    let scene = try await scene()
    let claim = try scene.claim(1)
    let record = try await scene.vault.draft(claim.id, claim.terms)
    let answer = Answer.drafted(record)
    #expect(answer.status == 201 && answer.header("Location") == "/api/claims/\(claim.id)")
    #expect(names(answer.body) == ["claimId", "ledgerId", "expiry", "status"])
    #expect(field("ledgerId", answer.body) == .text(claim.terms.ledgerID) && field("status", answer.body) == "none")
    #expect(field("expiry", answer.body) == .integer(claim.terms.expiry.unixSeconds))
    #expect(Answer.deposited(record) == nil)
    let secret = try ClaimSecret(Scene.secret(1))
    let drawn = Answer.drafted(record, secret: secret).body
    #expect(names(drawn) == names(answer.body) + ["secret"])
    #expect(field("secret", drawn) == .string(Base64.encoded(secret.exposed)))
  }

  @Test func `a deposit is answered with 200, the status and the transaction, a repeat too`() async throws {
    let scene = try await scene()
    try await scene.mint(1_000_000, to: Person(1))
    let claim = try scene.claim(1)
    let record = try await scene.lock(claim, from: Person(1))
    let answer = try #require(Answer.deposited(record))
    #expect(answer.status == 200 && names(answer.body) == ["status", "txHash"])
    #expect(field("status", answer.body) == "pending")
    #expect(field("txHash", answer.body) == .text(try #require(record.deposit).transaction))
    try await scene.take(claim, for: Person(2))
    let later = try #require(try await scene.store.rows(of: claim.id).claim)
    #expect(field("status", try #require(Answer.deposited(later)).body) == "claimed")
  }

  @Test func `a claim shows its terms and how it ended, and never who sent it`() async throws {
    let scene = try await scene()
    let (alice, bob) = (try Person(1), try Person(2))
    try await scene.mint(2_000_000, to: alice)
    let (claim, expired) = (try scene.claim(1), try scene.claim(2, lasting: 60))
    let open = ["claimId", "ledgerId", "token", "amount", "expiry", "status", "secretHash", "now"]
    for claim in [claim, expired] {
      _ = try await scene.vault.draft(claim.id, claim.terms)
      #expect(names(Answer.claim(try await scene.vault.view(.claimID(claim.id))).body) == open)
      try await scene.lock(claim, from: alice)
      let pending = Answer.claim(try await scene.vault.view(.claimID(claim.id)))
      #expect(names(pending.body) == open && field("status", pending.body) == "pending")
      #expect(field("amount", pending.body) == "1.00")
      expect(pending.body, hides: alice.address.bytes)
    }
    let receipt = try await scene.take(claim, for: bob)
    let claimed = Answer.claim(try await scene.vault.view(.claimID(claim.id))).body
    #expect(names(claimed) == open + ["txHash", "time", "receiver"])
    #expect(field("receiver", claimed) == .text(bob.address))
    #expect(field("txHash", claimed) == .text(receipt.receipt.transaction))
    scene.clock.advance(by: 60)
    _ = try await scene.vault.refund(expired.id)
    let refunded = Answer.claim(try await scene.vault.view(.claimID(expired.id))).body
    #expect(names(refunded) == open + ["txHash", "time"] && field("status", refunded) == "refunded")
    expect(refunded, hides: alice.address.bytes)
  }

  @Test func `a receipt has all that was signed, and a refund's does not name the sender`() async throws {
    let scene = try await scene()
    let (alice, bob) = (try Person(1), try Person(2))
    try await scene.mint(2_000_000, to: alice)
    let (claim, expired) = (try scene.claim(1), try scene.claim(2, lasting: 60))
    for claim in [claim, expired] { try await scene.lock(claim, from: alice) }
    let paid = Answer.receipt(try await scene.take(claim, for: bob))
    #expect(paid.status == 200)
    #expect(
      names(paid.body) == ["ledgerId", "status", "token", "amount", "receiver", "txHash", "time", "signature"])
    #expect(field("receiver", paid.body) == .text(bob.address) && field("status", paid.body) == "claimed")
    #expect(field("time", paid.body) == .integer(scene.clock.now))
    scene.clock.advance(by: 60)
    let back = Answer.receipt(try await scene.vault.refund(expired.id)).body
    #expect(names(back) == ["ledgerId", "status", "token", "amount", "txHash", "time", "signature"])
    expect(back, hides: alice.address.bytes)
  }

  @Test func `an event has the name of what happened last, and the claim`() async throws {
    let scene = try await scene()
    try await scene.mint(2_000_000, to: Person(1))
    let claim = try scene.claim(1, lasting: 60)
    try await scene.lock(claim, from: Person(1))
    let pending = try await scene.vault.view(.claimID(claim.id))
    let text = String(decoding: ServerSentEvents.event(pending), as: UTF8.self)
    #expect(text == "event: pending\ndata: \(Answer.claim(pending).body.text)\n\n")
    #expect(!ServerSentEvents.isLast(pending))
    scene.clock.advance(by: 60)
    let expired = try await scene.vault.view(.claimID(claim.id))
    #expect(String(decoding: ServerSentEvents.event(expired), as: UTF8.self).hasPrefix("event: expired\ndata: {"))
    // A refund may follow.
    #expect(!ServerSentEvents.isLast(expired))
    _ = try await scene.vault.refund(claim.id)
    #expect(ServerSentEvents.isLast(try await scene.vault.view(.claimID(claim.id))))
    // A line that begins with a colon is a comment.
    #expect(ServerSentEvents.heartbeat == Array(":\n\n".utf8))
  }

  @Test func `an account shows balances and a history by pages, without the ids of claims`() async throws {
    let scene = try await scene()
    let alice = try Person(1)
    try await scene.mint(3_000_000, to: alice, id: 7)
    let claim = try scene.claim(1, 1_500_000)
    try await scene.lock(claim, from: alice)
    let balances = Answer.balances(of: alice.address, try await scene.store.balances(of: alice.address)).body
    #expect(names(balances) == ["address", "balances"])
    #expect(field("balances", balances) == [["token": .text(try scene.token), "amount": "1.50"]])

    let entries = try await scene.store.history(of: alice.address, before: nil, limit: 2)
    let page = Answer.history(of: alice.address, entries, limit: 2).body
    #expect(
      field("entries", page) == [
        [
          "kind": "deposit", "ledgerId": .text(claim.terms.ledgerID), "token": .text(try scene.token),
          "amount": "1.50", "time": .integer(scene.clock.now),
        ],
        [
          "kind": "mint", "token": .text(try scene.token), "amount": "3.00", "time": .integer(scene.clock.now),
        ],
      ])
    #expect(field("before", page) == .integer(try #require(entries.last).number))
    #expect(field("before", Answer.history(of: alice.address, entries, limit: 3).body) == nil)
    #expect(!page.text.contains(claim.id.description))
  }

  @Test func `the vault says all that a client pins, and whether its money is test money`() async throws {
    let scene = try await scene()
    let vault = scene.identity.vault.vault
    let body = Answer.vault(vault, VaultLimits(), version: "0.1.0", asksForChallenge: true, hasFaucet: false).body
    #expect(
      names(body) == [
        "version", "chainId", "address", "receiptKey", "tokens", "limits", "challenge", "faucet",
      ])
    #expect(field("chainId", body) == 31337 && field("address", body) == .text(vault.address))
    #expect(
      field("tokens", body) == [
        [
          "symbol": "USDC", "address": .text(try scene.token), "decimals": 6,
          "domain": ["name": "USD Coin", "version": "2"],
        ]
      ])
    #expect(
      field("limits", body) == [
        "amount": "100.00", "pending": 20, "depositsPerDay": 100, "draftSeconds": 600, "expirySeconds": 2_592_000,
      ])
    #expect(field("challenge", body) == true && field("faucet", body) == false)
    let open = Answer.vault(vault, VaultLimits(), version: "0.1.0", asksForChallenge: false, hasFaucet: true).body
    #expect(field("challenge", open) == false && field("faucet", open) == true)
    // The key itself is nobody's business.
    expect(body, hides: scene.identity.key.exposed)
  }

  @Test func `test money is answered with its transaction`() async throws {
    let scene = try await scene()
    let entry = try await scene.vault.mint(
      .word(1 as UInt64), scene.amount(1_000_000), of: scene.token, to: Person(1).address)
    let body = Answer.minted(entry).body
    #expect(names(body) == ["address", "token", "amount", "txHash"] && field("txHash", body) == .text(entry.hash))
  }

  @Test func `no answer is kept by a cache`() async throws {
    let scene = try await scene()
    let answers = [
      Answer.healthy, Answer.balances(of: scene.identity.address, [:]), Problem(.notFound, "there is nothing").answer,
    ]
    #expect(answers.allSatisfy { $0.header("Cache-Control") == "no-store" })
    #expect(
      answers.map { $0.header("Content-Type") } == ["application/json", "application/json", "application/problem+json"])
  }
}
