import BumpClaims
import BumpVault
import BumpVaultAPI
import BumpVaultHTTP
import BumpWallet
import Lab
import Synchronization
import Testing
import VaultContract
import VaultTestServer

@testable import BumpVaultClient

/// Which payment is new: what is credited twice is lost.
@Suite(.processes()) struct NewPaymentTests {
  private let alice: Person
  private let bob: Person

  init() throws { (alice, bob) = (try Person(1), try Person(2)) }

  private func desk() async throws -> InProcessVaultServer { try await .locking(from: alice) }

  private func session(_ desk: InProcessVaultServer, wasAsked: Bool = false, heldAt: Int64? = nil) throws
    -> PayoutSession
  {
    let expiry = try desk.scene.claim(1).terms.expiry
    return try PayoutSession(
      desk.scene.whole(1), expiry: expiry, to: bob.address, at: desk.vault, wasAsked: wasAsked, heldAt: heldAt)
  }

  @Test func `a payment is new for the request that made it, and old for every other`() async throws {
    let desk = try await desk()
    guard case .paid(let receipt) = try await desk.client.run(session(desk)) else { return record("not new") }
    guard case .alreadyPaid(let again) = try await desk.client.run(session(desk)) else { return record("new") }
    #expect(receipt == again)
  }

  /// Both tills have recorded their requests, and the vault has said to both that it holds the amount.
  @Test func `of two requests for one receiver at the same time one has made the payment`() async throws {
    let desk = try await desk()
    let first = Mutex<PayoutOutcome?>(nil)
    let (outer, inner) = (try session(desk), try session(desk))
    let second = try await desk.client.run(outer) { _, heldAt in
      #expect(heldAt == desk.scene.clock.now)
      let outcome = try await desk.client.run(inner)
      first.withLock { $0 = outcome }
    }
    guard case .paid = first.withLock(\.self) else { return record("not new") }
    guard case .alreadyPaid = second else { return record("new twice") }
  }

  @Test func `a payment whose answers were lost is new for the request that was recorded before it`() async throws {
    let desk = try await desk()
    let recorded = Mutex<Int64?>(nil)
    desk.lose([InProcessVaultServer.Loss](repeating: .answer, count: 8))
    let lost = try await desk.client.run(session(desk)) { _, heldAt in recorded.withLock { $0 = heldAt } }
    guard case .perhapsPaid = lost else { return record("certain") }
    let last = recorded.withLock(\.self)
    let heldAt = try #require(last)
    let paidAt = desk.scene.clock.now
    for (time, isNew) in [(heldAt, true), (paidAt, true), (paidAt + 1, false), (nil, false)] as [(Int64?, Bool)] {
      switch try await desk.client.run(session(desk, wasAsked: true, heldAt: time)) {
      case .paid: #expect(isNew, "\(time ?? -1)")
      case .alreadyPaid: #expect(!isNew, "\(time ?? -1)")
      case let other: record("\(other)")
      }
    }
  }

  @Test func `a wrong clock here makes no payment new, and none old`() async throws {
    for error in [-1_000_000, 1_000_000] as [Int64] {
      let desk = try await desk()
      let clock = desk.scene.clock
      let client = VaultClient(desk, now: { clock.now + error }, pause: { _ in })
      guard case .paid = try await client.run(session(desk)) else { return record("old") }
      guard case .alreadyPaid = try await client.run(session(desk)) else { return record("new") }
    }
  }

  /// Whoever is on the way says that the vault held the amount long ago, and that the payment was made now.
  @Test func `where anybody may answer, a payment before the time here is old`() async throws {
    let desk = try await desk()
    let path = "/api/claims/\(try desk.scene.claim(1).terms.ledgerID)"
    let held = Answer.claim(try await desk.scene.vault.view(.claimID(desk.scene.claim(1).id))).body.encoded
    desk.scene.clock.advance(by: 10)
    try await desk.scene.take(desk.scene.claim(1, lasting: 3590), for: bob)
    desk.scene.clock.advance(by: 61)
    desk.forge(path) { _ in .answer(status: 200, body: held, VaultReply.Context(isAuthentic: false)) }
    desk.forge(path + "/claim") { reply in
      guard case .answer(let status, let body, _) = reply else { return reply }
      let text = String(decoding: body, as: UTF8.self).replacing(#""made":"before""#, with: #""made":"now""#)
      return .answer(status: status, body: Array(text.utf8), VaultReply.Context(isAuthentic: false))
    }
    let session = try PayoutSession(
      desk.scene.whole(1), expiry: Expiry(clamping: desk.scene.clock.now + 3529), to: bob.address, at: desk.vault)
    guard case .alreadyPaid = try await desk.client.run(session) else { return record("new") }
  }
}
