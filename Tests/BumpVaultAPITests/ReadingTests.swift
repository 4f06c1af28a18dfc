import BumpClaims
import BumpVault
import BumpVaultHTTP
import BumpWallet
import Testing
import VaultContract

@testable import BumpVaultAPI

/// What a client reads is what the vault has written.
struct ReadingTests {
  private func scene() async throws -> Scene { try await Scene(StoreMaker { InMemoryVaultStore($0, clock: $1) }) }

  /// A JSON object with one field more, which is not known yet.
  private func newer(_ body: JSONValue) -> [UInt8] {
    guard case .object(let members) = body else { return [] }
    return JSONValue.object(members + [.init("newer", "field")]).encoded
  }

  @Test func `a vault is read as it described itself, with fields that are not known yet`() async throws {
    let scene = try await scene()
    let vault = scene.identity.vault.vault
    let answer = Answer.vault(vault, VaultLimits(), version: "1", asksForChallenge: true, hasFaucet: false)
    let read = try VaultStatement(newer(answer.body))
    #expect(read.vault == vault && read.cap == VaultLimits().cap && read.asksForChallenge && !read.hasFaucet)
  }

  @Test(arguments: [
    ("\"decimals\":6", "\"decimals\":18"), ("\"chainId\":31337", "\"chainId\":-1"),
    ("\"receiptKey\":\"0x", "\"receiptKey\":\"0xf"), ("\"faucet\":false", "\"faucet\":0"),
  ])
  func `a vault that contradicts itself is refused`(text: String, other: String) async throws {
    let scene = try await scene()
    let answer = Answer.vault(
      scene.identity.vault.vault, VaultLimits(), version: "1", asksForChallenge: true, hasFaucet: false)
    let body = answer.body.text
    #expect(body.contains(text))
    #expect(throws: RequestError.self) { try VaultStatement(Array(body.replacing(text, with: other).utf8)) }
  }

  @Test func `receipts are those of another key where one is named for them`() async throws {
    let scene = try await scene()
    let answer = Answer.vault(
      scene.identity.vault.vault, VaultLimits(), version: "1", asksForChallenge: true, hasFaucet: false)
    let other = try Person(9).address
    let body = answer.body.text.replacing(
      "\"receiptKey\":\"\(scene.identity.address)\"", with: "\"receiptKey\":\"\(other)\"")
    #expect(body != answer.body.text)
    #expect(throws: RequestError.self) { try VaultStatement(Array(body.utf8)) }
  }

  @Test func `drafts, deposits, claims and receipts are read as they were written`() async throws {
    let scene = try await scene()
    try await scene.mint(1_000_000, to: Person(1))
    let claim = try scene.claim(1)
    let draft = try await scene.vault.draft(claim.id, claim.terms)
    let drafted = try DraftResponse(newer(Answer.drafted(draft).body))
    #expect(drafted.claimID == claim.id && drafted.ledgerID == claim.terms.ledgerID && drafted.status == .none)
    let pending = try await scene.vault.deposit(claim.id, scene.authorization(of: claim, from: Person(1)))
    let deposited = try DepositResponse(newer(try #require(Answer.deposited(pending)).body))
    #expect(deposited.status == .pending && deposited.transaction == pending.deposit?.transaction)
    let receipt = try await scene.take(claim, for: Person(2))
    #expect(try SignedReceipt(newer(receipt.json), in: scene.identity.vault.domain) == receipt)
    let view = try await scene.vault.view(.claimID(claim.id))
    let read = try ClaimResponse(newer(view.json))
    let receiver = try Person(2).address
    #expect(read.terms == claim.terms && read.status == .claimed && read.receiver == receiver)
    #expect(read.transaction == view.transaction && read.time == view.time)
    let other = view.json.text.replacing("\"amount\":\"1.00\"", with: "\"amount\":\"2.00\"")
    #expect(throws: RequestError.self) { try ClaimResponse(Array(other.utf8)) }
  }

  @Test func `a problem is read as it was written, and one that is not known yet too`() async throws {
    let scene = try await scene()
    let domain = scene.identity.vault.domain
    for kind in Problem.Kind.all {
      let read = try ProblemResponse(
        newer(Problem(kind, "why", remedy: "what", notBefore: 7).answer.body), in: domain)
      #expect(read.kind == kind && read.detail == "why" && read.remedy == "what" && read.notBefore == 7)
    }
    let unknown = try ProblemResponse(
      Array(#"{"type":"/problems/new","title":"x","status":409,"detail":"d"}"#.utf8), in: domain)
    #expect(unknown.kind == nil && unknown.detail == "d")
  }

  @Test func `events are read from whatever pieces they come in`() {
    let stream = Array(
      ":\n\nevent: pending\ndata: {\"a\":1}\n\n:\n\r\nevent:claimed\r\ndata:x\r\ndata: y\r\n\r\ndata: z\n".utf8)
    let events = [
      EventParser.Event(name: "pending", data: Array("{\"a\":1}".utf8)),
      EventParser.Event(name: "claimed", data: Array("x\ny".utf8)),
    ]
    for size in [1, 2, 3, 7, stream.count] {
      var parser = EventParser()
      let pieces = stride(from: 0, to: stream.count, by: size).map { stream[$0..<min($0 + size, stream.count)] }
      #expect(pieces.flatMap { parser.parse($0) } == events, "\(size)")
    }
  }

  @Test func `an event without an end is dropped, and what follows is read`() {
    var parser = EventParser()
    let long = Array("data: ".utf8) + [UInt8](repeating: 0x78, count: 1_000_000) + Array("\n\ndata: y\n\n".utf8)
    #expect(parser.parse(long) == [EventParser.Event(name: "message", data: Array("y".utf8))])
    var heartbeats = EventParser()
    for _ in 0..<100_000 { _ = heartbeats.parse(ServerSentEvents.heartbeat) }
    #expect(heartbeats.parse(Array("data: y\n\n".utf8)).count == 1)
  }
}
