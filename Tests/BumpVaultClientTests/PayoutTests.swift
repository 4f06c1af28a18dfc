import BumpClaims
import BumpText
import BumpVault
import BumpVaultAPI
import BumpWallet
import Lab
import Synchronization
import Testing
import VaultContract
import VaultTestServer

@testable import BumpVaultClient

/// A claim at a vault, whatever is lost on its way and whatever the vault says.
@Suite(.processes()) struct PayoutTests {
  private let alice: Person
  private let bob: Person
  private let carol: Person

  init() throws { (alice, bob, carol) = (try Person(1), try Person(2), try Person(3)) }

  /// A vault that holds the first claim.
  private func desk() async throws -> InProcessVaultServer { try await .locking(from: alice) }

  private func session(_ desk: InProcessVaultServer, for receiver: Person, _ units: Int64 = 1_000_000) throws
    -> PayoutSession
  {
    try PayoutSession(
      desk.scene.whole(1, units), expiry: desk.scene.expiry, to: receiver.address, at: desk.vault)
  }

  @Test func `a claim is paid to the receiver, whose receipt the vault has signed`() async throws {
    let desk = try await desk()
    guard case .paid(let receipt) = try await desk.client.run(session(desk, for: bob)) else {
      return record("not paid")
    }
    #expect(receipt.receipt.receiver == bob.address && receipt.isSigned(by: desk.vault.vault.address))
    #expect(try await desk.scene.balance(bob) == 1_000_000)
  }

  @Test(arguments: [[InProcessVaultServer.Loss.answer], [.request, .answer, .answer], [.unsent, .answer]])
  func `a lost answer is asked for again, and the receiver is paid once`(losses: [InProcessVaultServer.Loss])
    async throws
  {
    let desk = try await desk()
    desk.lose(losses)
    guard case .paid = try await desk.client.run(session(desk, for: bob)) else { return record("not paid") }
    #expect(try await desk.scene.balance(bob) == 1_000_000)
    #expect(Set(desk.requests.filter { $0.path.hasSuffix("/claim") }).count == 1)
  }

  @Test func `where every answer is lost the receiver is perhaps paid, and gets the receipt later`() async throws {
    let desk = try await desk()
    desk.lose([InProcessVaultServer.Loss](repeating: .answer, count: 8))
    let heldAt = desk.scene.clock.now
    guard case .perhapsPaid = try await desk.client.run(session(desk, for: bob)) else { return record("certain") }
    desk.scene.clock.advance(by: 10_000)
    let again = try PayoutSession(
      desk.scene.whole(1), expiry: Expiry(clamping: desk.scene.expiry.unixSeconds - 10_000), to: bob.address,
      at: desk.vault, wasAsked: true, heldAt: heldAt)
    guard case .paid = try await desk.client.run(again) else { return record("not paid") }
  }

  @Test func `no request holds the secret, in any form`() async throws {
    let desk = try await desk()
    _ = try await desk.client.run(session(desk, for: bob))
    let secret = Scene.secret(1)
    let hex = String(decoding: Hex.encode(secret), as: UTF8.self)
    for request in desk.requests {
      let text = request.path + String(decoding: request.body ?? [], as: UTF8.self)
      #expect(!text.lowercased().contains(hex) && !text.contains(Base64.encoded(secret).prefix(21)))
    }
  }

  @Test func `what was paid to somebody else is said with their receipt`() async throws {
    let desk = try await desk()
    try await desk.scene.take(desk.scene.claim(1), for: carol)
    guard case .paidToAnother(let receipt) = try await desk.client.run(session(desk, for: bob)) else {
      return record("not said")
    }
    #expect(receipt.receipt.receiver == carol.address)
  }

  /// What a vault may say in place of a receipt for bob.
  private static let forgeries: [(String, @Sendable (SignedReceipt) -> JSONValue)] = [
    (
      "another signer",
      { receipt in
        var members = receipt.json.members
        members["signature"] = .string(Hex.prefixed((try? Person(9))?.key.sign(receipt.receipt.digest).bytes ?? []))
        return .of(members)
      }
    ),
    ("another amount", { $0.json.with("amount", "9.00") }),
    ("another time", { $0.json.with("time", 5) }),
    ("another claim", { $0.json.with("ledgerId", .string("0x" + String(repeating: "1", count: 64))) }),
    ("a refund", { $0.json.with("status", "refunded") }),
    ("nothing", { _ in [:] }),
  ]

  @Test(arguments: 0..<6) func `a receipt that the vault has not signed for this is not believed`(_ number: Int)
    async throws
  {
    let desk = try await desk()
    let (name, forge) = Self.forgeries[number]
    let (path, vault) = ("/api/claims/\(try desk.scene.claim(1).terms.ledgerID)/claim", desk.vault)
    desk.forge(path) { reply in
      guard case .answer(_, let body, _) = reply, let receipt = try? SignedReceipt(body, in: vault.domain) else {
        return reply
      }
      return .answer(status: 200, body: forge(receipt).encoded)
    }
    guard case .perhapsPaid(let failure) = try await desk.client.run(session(desk, for: bob)) else {
      return record("believed: \(name)")
    }
    #expect(failure.code == .untrusted, "\(name)")
  }

  @Test func `that somebody else was paid is not believed without the vault's signature`() async throws {
    let desk = try await desk()
    let (path, vault) = ("/api/claims/\(try desk.scene.claim(1).terms.ledgerID)/claim", desk.vault)
    desk.forge(path) { reply in
      guard case .answer(_, let body, _) = reply, let receipt = try? SignedReceipt(body, in: vault.domain) else {
        return reply
      }
      let forged = receipt.json.with("receiver", "0x0000000000000000000000000000000000000001")
      let problem = Problem(.alreadyClaimed, "gone").answer.body.with("receipt", forged)
      return .answer(status: 409, body: problem.encoded)
    }
    guard case .perhapsPaid(let failure) = try await desk.client.run(session(desk, for: bob)) else {
      return record("believed")
    }
    #expect(failure.code == .untrusted)
  }

  /// The vault's signature is under another payment of the same amount.
  @Test(arguments: [200, 409]) func `the receipt of another claim is not believed, though the vault has signed it`(
    status: Int
  ) async throws {
    let desk = try await desk()
    let other = try desk.scene.claim(2)
    try await desk.scene.lock(other, from: alice)
    let receipt = try await desk.scene.take(other, for: bob).json
    desk.forge("/api/claims/\(try desk.scene.claim(1).terms.ledgerID)/claim") { _ in
      let problem = Problem(.alreadyClaimed, "gone").answer.body.with("receipt", receipt)
      return .answer(status: status, body: (status == 200 ? receipt : problem).encoded)
    }
    guard case .perhapsPaid(let failure) = try await desk.client.run(session(desk, for: bob)) else {
      return record("believed")
    }
    #expect(failure.code == .untrusted)
  }

  /// The vault's signature is under each of them.
  @Test
  func
    `a vault's receipt of a payment is none of a refund, and the other way round; one of another amount, or without the receiver that its kind has, is not believed, though the vault signed it`()
    async throws
  {
    func signed(
      _ desk: InProcessVaultServer, _ outcome: SettlementOutcome, _ units: Int64 = 1_000_000, to receiver: Address
    ) throws -> SignedReceipt {
      let terms = try desk.scene.claim(1).terms
      let receipt = Receipt(
        ledgerID: terms.ledgerID, outcome: outcome, token: terms.token, amount: try desk.scene.amount(units),
        receiver: receiver, transaction: .word(7), time: desk.scene.clock.now, domain: desk.vault.domain)
      return SignedReceipt(receipt, signature: desk.scene.identity.key.sign(receipt.digest))
    }
    let desk = try await desk()
    let terms = try desk.scene.claim(1).terms
    let (payout, refund) = ("/api/claims/\(terms.ledgerID)/claim", "/api/claims/\(terms.ledgerID)/refund")
    let payments = [
      try signed(desk, .refunded, to: .zero).json, try signed(desk, .claimed, 2_000_000, to: bob.address).json,
      // A payment whose receiver is zero, or left out.
      try signed(desk, .claimed, to: .zero).json.without("receiver"),
    ]
    for body in payments {
      desk.forge(payout) { _ in .answer(status: 200, body: body.encoded) }
      guard case .perhapsPaid(let failure) = try await desk.client.run(session(desk, for: bob)) else {
        return record("believed: \(body.text)")
      }
      #expect(failure.code == .untrusted)
    }
    let refunds = [
      try signed(desk, .claimed, to: bob.address).json, try signed(desk, .refunded, 2_000_000, to: .zero).json,
      try signed(desk, .refunded, to: bob.address).json.with("receiver", .string("\(bob.address)")),
    ]
    for body in refunds {
      desk.forge(refund) { _ in .answer(status: 200, body: body.encoded) }
      guard case .perhapsRefunded(let failure) = try await desk.client.run(RefundSession(terms, at: desk.vault)) else {
        return record("believed: \(body.text)")
      }
      #expect(failure.code == .untrusted)
    }
    // A receipt of this kind and amount is believed.
    let good = try signed(desk, .claimed, to: bob.address).json
    desk.forge(payout) { _ in .answer(status: 200, body: good.encoded) }
    guard case .alreadyPaid = try await desk.client.run(session(desk, for: bob)) else { return record("not believed") }
  }

  @Test func `a claim that the vault holds with other terms is not funded, and no proof is sent for it`() async throws {
    let desk = try await desk()
    guard case .notFunded = try await desk.client.run(session(desk, for: bob, 2_000_000)) else {
      return record("funded")
    }
    #expect(!desk.paths.contains { $0.hasSuffix("/claim") })
    #expect(try await desk.scene.balance(bob) == 0)
  }

  @Test func `a claim without a deposit is not funded`() async throws {
    let desk = try await InProcessVaultServer()
    guard case .notFunded(let unknown) = try await desk.client.run(session(desk, for: bob)) else {
      return record("funded")
    }
    #expect(unknown.problem == .unknownClaim)
    _ = try await desk.scene.vault.draft(desk.scene.claim(1).id, desk.scene.claim(1).terms)
    guard case .notFunded(let draft) = try await desk.client.run(session(desk, for: bob)) else {
      return record("funded")
    }
    #expect(draft.problem == .unknownClaim)
  }

  @Test(arguments: [true, false])
  func `an answer of a vault that did not look at the claim tells nothing of an earlier request`(wasAsked: Bool)
    async throws
  {
    let desk = try await desk()
    desk.forge("/api/claims/\(try desk.scene.claim(1).terms.ledgerID)/claim") { _ in
      .answer(status: 400, body: Problem(.malformed, "no").answer.body.encoded)
    }
    let session = try PayoutSession(
      desk.scene.whole(1), expiry: desk.scene.expiry, to: bob.address, at: desk.vault, wasAsked: wasAsked)
    switch try await desk.client.run(session) {
    case .perhapsPaid: #expect(wasAsked)
    case .notPaid: #expect(!wasAsked)
    case let other: record("\(other)")
    }
  }

  @Test func `an expired claim is said to be`() async throws {
    let desk = try await desk()
    let session = try session(desk, for: bob)
    desk.scene.clock.advance(by: 3600)
    guard case .expired = try await desk.client.run(session) else { return record("not expired") }
  }

  @Test func `a vault that changed its domain is proven nothing to`() async throws {
    let desk = try await desk()
    let other = try Scene.identity(seed: 2).trusted
    let session = try PayoutSession(desk.scene.whole(1), expiry: desk.scene.expiry, to: bob.address, at: other)
    guard case .notPaid(let failure) = try await desk.client.run(session) else { return record("paid") }
    #expect(failure.code == .changed && desk.paths == ["GET /api/vault"])
  }
}

extension JSONValue {
  fileprivate var members: [String: JSONValue] {
    guard case .object(let members) = self else { return [:] }
    return Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value) })
  }

  fileprivate static func of(_ members: [String: JSONValue]) -> JSONValue {
    .object(members.map { Member($0.key, $0.value) })
  }

  fileprivate func without(_ name: String) -> JSONValue { .of(members.filter { $0.key != name }) }

  fileprivate func with(_ name: String, _ value: JSONValue) -> JSONValue {
    .of(members.merging([name: value]) { $1 })
  }
}
