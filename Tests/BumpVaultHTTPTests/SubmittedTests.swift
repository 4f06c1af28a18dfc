import BumpClaims
import BumpVault
import BumpVaultAPI
import BumpWallet
import Synchronization
import Testing
import VaultContract

@testable import BumpVaultHTTP

/// A vault whose deposits, claims and refunds are confirmed later.
struct SubmittedTests {
  @Test func `what a chain confirms later is answered with 202 and the hash of its transaction`() async throws {
    let served = try await Served()
    let transaction = try Bytes32("0x" + String(repeating: "ab", count: 32))
    let service = VaultService(
      SubmittingVault(vault: EmbeddedVault(served.scene.vault, on: served.scene.store), transaction: transaction),
      served.service.settings, challenges: ProcessChallengeLog(),
      clock: { [clock = served.scene.clock] in clock.now * 1000 })
    let claim = try served.scene.claim(1)
    let path = "/api/claims/\(claim.id)"
    #expect(try await served.ask("POST", "/api/claims", served.draft(claim), at: service).status == 201)
    for (action, body) in [
      ("deposit", try served.deposit(claim, from: Person(1))), ("claim", try served.payout(claim, to: Person(2))),
      ("refund", "{}"),
    ] {
      let response = try await served.ask("POST", "\(path)/\(action)", body, at: service)
      #expect(response.status == 202)
      #expect(response.text == #"{"status":"submitted","txHash":"\#(transaction)"}"#)
    }
    #expect(try await served.ask("GET", path, nil, at: service).member("status") == "none")
  }

  @Test func `a stream goes on while no node of the chain answers`() async throws {
    let served = try await Served()
    try await served.scene.payOneOfTwo()
    let (claim, silence) = (try served.scene.claim(1), Silence())
    let vault = SubmittingVault(
      vault: EmbeddedVault(served.scene.vault, on: served.scene.store), transaction: .word(1 as UInt64),
      silence: silence)
    let (watchers, clock) = (ClaimWatchers(limit: 1, perNetwork: 1), served.scene.clock)
    let address = try #require(ClientAddress(Served.home))
    let events = ClaimEvents(
      claim: claim.id, name: .claimID(claim.id), vault: vault,
      subscription: try #require(watchers.subscribe(claim.id, from: address)),
      watchers: watchers, heartbeat: 15, clock: { clock.now }, report: { _ in })
    var pieces: [String] = []
    try await events.run { bytes in
      pieces.append(String(decoding: bytes, as: UTF8.self))
      switch pieces.count {
      case 1:
        silence.isOn.withLock { $0 = true }
        watchers.moved([claim.id])
      case 2:
        silence.isOn.withLock { $0 = false }
        watchers.tick(clock.now + 1)
      default: watchers.end()
      }
    }
    #expect(pieces.count == 3 && pieces.first?.hasPrefix("event: pending\n") == true)
    #expect(pieces.dropFirst().allSatisfy { $0 == ":\n\n" })
  }
}

/// Whether no node of a chain answers.
private final class Silence: Sendable {
  let isOn = Mutex(false)
}

/// A vault that carries out everything but what moves money.
private struct SubmittingVault: VaultBackend {
  let vault: EmbeddedVault
  let transaction: Bytes32
  var silence = Silence()

  var pinned: PinnedVault { vault.pinned }
  var limits: VaultLimits { vault.limits }
  var receiptKey: PrivateKey { vault.receiptKey }

  func notifying(_ changed: @escaping @Sendable (ClaimID) -> Void) -> Self {
    Self(vault: vault.notifying(changed), transaction: transaction, silence: silence)
  }

  func repeated(_ claimID: ClaimID, _ terms: ClaimTerms) async throws -> ClaimRecord? {
    try await vault.repeated(claimID, terms)
  }

  func draft(_ claimID: ClaimID, _ terms: ClaimTerms) async throws -> ClaimRecord {
    try await vault.draft(claimID, terms)
  }

  func terms(of claimID: ClaimID) async throws -> ClaimTerms? { try await vault.terms(of: claimID) }
  func isDeposited(_ claimID: ClaimID) async throws -> Bool { try await vault.isDeposited(claimID) }

  func authorization(ofDeposit claimID: ClaimID) async throws -> SenderAuthorization? {
    try await vault.authorization(ofDeposit: claimID)
  }

  func deposit(_: ClaimID, _: SenderAuthorization) async throws -> VaultOutcome<ClaimRecord> { .submitted(transaction) }
  func pay(_: ClaimID, for: Address, proof: [UInt8]) async throws -> VaultOutcome<PayoutResult> {
    .submitted(transaction)
  }
  func refund(_: ClaimID) async throws -> VaultOutcome<SignedReceipt> { .submitted(transaction) }

  func mint(_ id: Bytes32, _ amount: Amount, of token: Address, to receiver: Address) async throws -> JournalEntry {
    try await vault.mint(id, amount, of: token, to: receiver)
  }

  func claimID(_ name: ClaimName) async throws -> ClaimID { try await vault.claimID(name) }

  func view(_ claimID: ClaimID, askedBy name: ClaimName) async throws -> ClaimView {
    if silence.isOn.withLock({ $0 }) { throw VaultRefusal(.chainUnreachable, "no node answers") }
    return try await vault.view(claimID, askedBy: name)
  }

  func balances(of account: Address) async throws -> [Address: Int64] { try await vault.balances(of: account) }

  func history(of account: Address, before number: Int64?, limit: Int) async throws -> [NumberedEntry] {
    try await vault.history(of: account, before: number, limit: limit)
  }

  func readiness() async throws -> StoreTime { try await vault.readiness() }
}
