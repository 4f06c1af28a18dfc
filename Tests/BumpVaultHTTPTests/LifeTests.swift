import BumpClaims
import BumpText
import BumpVault
import BumpVaultAPI
import BumpWallet
import Testing
import VaultContract

@testable import BumpVaultHTTP

/// Claims from their draft to their end, by requests alone.
struct LifeTests {
  @Test func `a claim is drafted, deposited, claimed, and each repeat gets the first answer`() async throws {
    let served = try await Served()
    try await served.scene.mint(1_000_000, to: Person(1))
    let claim = try served.scene.claim(1)
    let path = "/api/claims/\(claim.id)"
    for _ in 1...2 {
      let draft = try await served.ask("POST", "/api/claims", served.draft(claim))
      #expect(draft.status == 201 && draft.member("status") == "none" && draft.header("Location") == path)
      #expect(draft.member("ledgerId") == claim.terms.ledgerID.description && draft.member("secret") == nil)
    }
    #expect(try await served.ask("GET", path).member("status") == "none")
    let deposit = try served.deposit(claim, from: Person(1))
    let first = try await served.ask("POST", path + "/deposit", deposit)
    #expect(first.status == 200 && first.member("status") == "pending")
    #expect(try await served.ask("POST", path + "/deposit", deposit).bytes == first.bytes)
    let early = try await served.ask("POST", path + "/refund")
    expectProblem(early, .notExpired)
    #expect(early.member("notBefore") == claim.terms.expiry.description)
    let receipt = try await served.ask("POST", path + "/claim", served.payout(claim, to: Person(2)))
    let receiver = try Person(2).address.description
    #expect(receipt.status == 200 && receipt.member("receiver") == receiver)
    #expect(receipt.member("made") == "now")
    let repeated = try await served.ask("POST", path + "/claim", served.payout(claim, to: Person(2)))
    #expect(repeated.member("made") == "before" && repeated.receipt == receipt.receipt)
    let late = try await served.ask("POST", path + "/claim", served.payout(claim, to: Person(3)))
    expectProblem(late, .alreadyClaimed)
    #expect(late.text.contains(receipt.receipt))
    expectProblem(try await served.ask("POST", path + "/refund"), .alreadyClaimed)
    let view = try await served.ask("GET", path)
    #expect(view.member("status") == "claimed" && view.member("txHash") == receipt.member("txHash"))
    let sender = try Person(1).address.description
    #expect(!view.text.contains(sender))
    #expect(try await served.ask("POST", path + "/deposit", deposit).member("status") == "claimed")
    try await served.scene.expectSound(minted: 1_000_000)
  }

  @Test func `an expired claim goes back, whoever asks, with or without an empty object`() async throws {
    let served = try await Served()
    try await served.scene.mint(1_000_000, to: Person(1))
    let claim = try served.scene.claim(1)
    try await served.scene.lock(claim, from: Person(1))
    served.scene.clock.set(claim.terms.expiry.unixSeconds)
    let path = "/api/claims/\(claim.id)"
    expectProblem(try await served.ask("POST", path + "/claim", served.payout(claim, to: Person(2))), .expired)
    let receipt = try await served.ask("POST", path + "/refund", "{}")
    #expect(receipt.status == 200 && receipt.member("status") == "refunded" && receipt.member("receiver") == nil)
    #expect(try await served.ask("POST", path + "/refund").bytes == receipt.bytes)
  }

  @Test func `a claim is found by its ledger id, whatever id it was deposited under, which is not told`() async throws {
    let served = try await Served()
    try await served.scene.mint(1_000_000, to: Person(1))
    let claim = try served.scene.claim(1)
    let path = "/api/claims/\(claim.terms.ledgerID)"
    var theirs = claim
    theirs.id = try ClaimID("theirs")
    for draft in [claim, theirs] { _ = try await served.ask("POST", "/api/claims", served.draft(draft)) }
    expectProblem(try await served.ask("GET", path), .unknownClaim)
    expectProblem(try await served.ask("POST", path + "/refund"), .unknownClaim)
    let deposit = try served.deposit(claim, from: Person(1))
    let first = try await served.ask("POST", "/api/claims/theirs/deposit", deposit)
    #expect(try await served.ask("POST", "/api/claims/\(claim.id)/deposit", deposit).bytes == first.bytes)
    expectProblem(try await served.ask("POST", path + "/deposit", deposit), .badField)

    let view = try await served.ask("GET", path)
    #expect(view.member("status") == "pending" && view.member("claimId") == nil && !view.text.contains("theirs"))
    let receipt = try await served.ask("POST", path + "/claim", served.payout(claim, to: Person(2)))
    #expect(receipt.status == 200)
    let repeated = try await served.ask("POST", "/api/claims/theirs/claim", served.payout(claim, to: Person(2)))
    #expect(repeated.member("made") == "before" && repeated.receipt == receipt.receipt)
    expectProblem(try await served.ask("POST", path + "/refund"), .alreadyClaimed)
    try await served.scene.expectSound(minted: 1_000_000)
  }

  @Test func `other terms under one id are refused`() async throws {
    let served = try await Served()
    let claim = try served.scene.claim(1)
    #expect(try await served.ask("POST", "/api/claims", served.draft(claim)).status == 201)
    var other = try served.scene.claim(1, 2_000_000)
    expectProblem(try await served.ask("POST", "/api/claims", served.draft(other)), .idTaken)
    other.id = try ClaimID("other")
    #expect(try await served.ask("POST", "/api/claims", served.draft(other)).status == 201)
  }

  @Test func `whoever watches over the vault is told that its clock is not believed`() async throws {
    let served = try await Served()
    try await served.scene.mint(1, to: Person(1))
    #expect(try await served.ask("GET", "/readyz").text == #"{"status":"ok"}"#)
    served.scene.clock.jump(by: 172_800)
    let ready = try await served.ask("GET", "/readyz")
    #expect(ready.status == 200 && ready.member("clock")?.contains("172800 seconds ahead") == true, "\(ready.text)")
    try await served.scene.store.confirmClock()
    #expect(try await served.ask("GET", "/readyz").text == #"{"status":"ok"}"#)
  }

  @Test func `a bare secret pays a claim whose deposit somebody has carried to another id`() async throws {
    let served = try await Served()
    let claim = try served.scene.claim(1)
    try await served.scene.mint(1_000_000, to: Person(1))
    let carried = try ClaimID("carried")
    _ = try await served.scene.vault.draft(carried, claim.terms)
    _ = try await served.scene.vault.deposit(carried, served.scene.authorization(of: claim, from: Person(1)))
    let path = "/api/claims/\(claim.terms.ledgerID)/claim"
    func body(of id: ClaimID) throws -> String {
      PayoutRequest(receiver: try Person(2).address, .secret(try ClaimSecret(Scene.secret(1)), of: id)).json.text
    }
    expectProblem(try await served.ask("POST", path, body(of: carried)), .wrongSecret)
    let receipt = try await served.ask("POST", path, body(of: claim.id))
    #expect(receipt.status == 200 && receipt.member("ledgerId") == claim.terms.ledgerID.description)
    #expect(try await served.scene.balance(Person(2)) == 1_000_000)
  }

  @Test func `the vault draws id and secret where neither is sent, and pays for the secret`() async throws {
    let served = try await Served()
    try await served.scene.mint(1_000_000, to: Person(1))
    let made = try served.scene.claim(1)
    let body = DraftRequest(nil, token: made.terms.token, amount: made.terms.amount, expiry: made.terms.expiry).json
      .text
    let draft = try await served.ask("POST", "/api/claims", body)
    let id = try ClaimID(#require(draft.member("claimId")))
    let text = try #require(draft.member("secret"))
    let secret = try ClaimSecret(#require(Base64.decoded(text)))
    let key = ClaimKey(secret: secret, claimID: id)
    let terms = ClaimTerms(
      secretHash: key.secretHash, token: made.terms.token, amount: made.terms.amount, expiry: made.terms.expiry)
    #expect(draft.member("ledgerId") == terms.ledgerID.description)
    var claim = made
    (claim.id, claim.key, claim.terms) = (id, key, terms)
    #expect(
      try await served.ask("POST", "/api/claims/\(id)/deposit", served.deposit(claim, from: Person(1))).status == 200)
    let receiver = try Person(2).address
    let payout = PayoutRequest(receiver: receiver, .secret(secret, of: id)).json.text
    let path = "/api/claims/\(id)/claim"
    expectProblem(try await served.ask("POST", path, payout, from: Served.away), .insecure)
    #expect(try await served.ask("GET", "/api/claims/\(id)").member("status") == "pending")
    let wrong = PayoutRequest(receiver: receiver, .secret(try ClaimSecret(Scene.secret(1)), of: id)).json.text
    expectProblem(try await served.ask("POST", path, wrong), .wrongSecret)
    let nobody = PayoutRequest(receiver: .zero, .secret(secret, of: id)).json.text
    expectProblem(try await served.ask("POST", path, nobody), .badReceiver)
    let receipt = try await served.ask("POST", path, payout, from: Served.away, isTLS: true)
    #expect(receipt.status == 200 && receipt.member("receiver") == receiver.description)
    // Nothing that the vault answers or keeps has the secret in it, but that one draft.
    let snapshot = String(describing: try await served.scene.store.snapshot())
    for answer in [receipt.text, try await served.ask("GET", "/api/claims/\(id)").text, snapshot] {
      #expect(!answer.contains(text))
    }
  }

  @Test func `the vault draws no secret for somebody whom others can overhear`() async throws {
    let served = try await Served()
    let claim = try served.scene.claim(1)
    let body = DraftRequest(nil, token: claim.terms.token, amount: claim.terms.amount, expiry: claim.terms.expiry).json
      .text
    expectProblem(try await served.ask("POST", "/api/claims", body, from: Served.away), .insecure)
    expectProblem(
      try await served.ask("POST", "/api/claims", body, from: Served.away, isTLS: true), .challengeRequired)
    // A proxy on this machine that the configuration does not name.
    for header in ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP", "x-forwarded-proto"] {
      expectProblem(try await served.ask("POST", "/api/claims", body, [.init(header, "x")]), .insecure)
    }
  }

  @Test func `a page of an account's history has two hundred entries at the most`() async throws {
    let served = try await Served()
    for number in 0...200 as ClosedRange<UInt64> { try await served.scene.mint(1, to: Person(1), id: number) }
    let target = "/api/accounts/\(try Person(1).address)/history?limit=1000"
    let page = try await served.ask("GET", target, [served.authorization(of: Person(1))])
    #expect(page.status == 200 && page.text.ranges(of: "\"kind\":").count == 200)
  }

  @Test func `an account is shown to its owner alone`() async throws {
    let served = try await Served()
    try await served.scene.payOneOfTwo()
    let (owner, other) = (try Person(1), try Person(2))
    let path = "/api/accounts/\(owner.address)"
    for target in [path, path + "/history"] {
      let refused: [[VaultRequest.Header]] = [
        [], [served.authorization(of: other)], [served.authorization(of: owner, lasting: 0)],
        [served.authorization(of: owner, lasting: 901)],
        [served.authorization(of: owner), served.authorization(of: owner)],
        [.init("Authorization", "Basic x")],
        [.init("Authorization", served.authorization(of: owner).value + "0")],
      ]
      for headers in refused {
        let response = try await served.ask("GET", target, headers)
        expectProblem(response, .notSigned)
        #expect(response.header("WWW-Authenticate") == "Bump")
      }
    }
    let signed = [served.authorization(of: owner)]
    #expect(try await served.ask("GET", path, signed).member("amount") == "7.00")
    let page = try await served.ask("GET", path + "/history?limit=2", signed)
    let before = try #require(page.member("before"))
    #expect(page.member("kind") == "deposit" && !page.text.contains("claimId"))
    let rest = try await served.ask("GET", path + "/history?limit=2&before=\(before)", signed)
    #expect(rest.member("kind") == "mint" && rest.member("before") == nil)
  }

  @Test func `a signature for an account is of no use at another vault`() async throws {
    let (one, other) = (try await Served(), try Scene.identity(seed: 2))
    let person = try Person(1)
    let foreign = AccountRequest(
      account: person.address, validBefore: one.scene.clock.now + 300, domain: other.vault.domain)
    let header = VaultRequest.Header("Authorization", foreign.authorization(by: person.key))
    expectProblem(try await one.ask("GET", "/api/accounts/\(person.address)", [header]), .notSigned)
  }

  @Test func `a store that fails is a failure to the client without a word about it, and is reported`() async throws {
    let served = try await Served(over: BrokenStore())
    let claim = try served.scene.claim(1)
    let response = try await served.ask("POST", "/api/claims", served.draft(claim))
    expectProblem(response, .unavailable)
    #expect(!response.text.contains("tomato") && response.header("Retry-After") == "1")
    #expect(served.failures.all.map(\.reason) == ["a tomato lies on the disk"])
    expectProblem(try await served.ask("GET", "/readyz"), .unavailable)
    #expect(try await served.ask("GET", "/healthz").status == 200)
  }
}

/// A store on a disk that cannot be read.
private struct BrokenStore: VaultStore {
  private var broken: VaultStoreError { VaultStoreError(.failed, "a tomato lies on the disk") }
  func identity() async throws -> VaultIdentity { throw broken }
  func rows(of claim: ClaimID) async throws -> ClaimRows { throw broken }
  func rows(of claim: ClaimID, from sender: Address) async throws -> DepositRows { throw broken }
  func claimID(of ledgerID: Bytes32) async throws -> ClaimID? { throw broken }
  func rows(ofMint id: Bytes32, of token: Address) async throws -> MintRows { throw broken }
  func commit(_ change: Change) async throws -> Committed? { throw broken }
  func balances(of account: Address) async throws -> [Address: Int64] { throw broken }
  func history(of account: Address, before number: Int64?, limit: Int) async throws -> [NumberedEntry] { throw broken }
  func removeDrafts(lifetime: Int64) async throws -> Int { throw broken }
  func keepTime() async throws { throw broken }
  func confirmClock() async throws -> StoreTime { throw broken }
  func seal(limit: Int) async throws -> Batch? { throw broken }
  func batch(_ number: Int64) async throws -> SealedBatch? { throw broken }
  func snapshot() async throws -> StoreSnapshot { throw broken }
}
