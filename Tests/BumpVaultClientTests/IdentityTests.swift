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

/// A vault proves who it is, and a server that passes on what another vault says of itself does not.
@Suite(.processes()) struct IdentityTests {
  private let alice, bob: Person
  init() throws { (alice, bob) = (try Person(1), try Person(2)) }

  /// A server that relays everything to the vault of such a server, and what it does with the vault's description.
  struct Relay: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: VaultFailure.Code
    let answer: @Sendable (VaultReply, VaultIdentity) throws -> VaultReply
  }

  private static let relays = [
    Relay(testDescription: "passes the nonce on", code: .changed) { reply, _ in reply },
    Relay(testDescription: "asks without a nonce", code: .untrusted) { _, vault in
      .answer(
        status: 200,
        body: Answer.vault(
          vault.vault.vault, VaultLimits(), version: "1", asksForChallenge: false, hasFaucet: true
        ).body.encoded)
    },
    Relay(testDescription: "shows the answer to an earlier nonce", code: .untrusted) { _, vault in
      vault.description(for: .word(9))
    },
    Relay(testDescription: "says that real money is test money", code: .untrusted) { reply, _ in
      reply.replacing("\"faucet\":true", "\"faucet\":false")
    },
    Relay(testDescription: "says that the vault is to be found at its own URL", code: .untrusted) { reply, _ in
      reply.replacing(InProcessVaultServer.url.description, IdentityTests.url.description)
    },
    Relay(testDescription: "names another token", code: .untrusted) { reply, _ in
      reply.replacing("\"symbol\":\"USDC\"", "\"symbol\":\"EURC\"")
    },
    Relay(testDescription: "signs by a key of its own", code: .untrusted) { reply, vault in
      guard case .answer(_, let body, _) = reply, let nonce = try VaultStatement(body).proof?.nonce else {
        return reply
      }
      let proof = IdentityProof(
        vault.vault.vault, hasFaucet: true, at: IdentityTests.url, nonce: nonce,
        by: try Scene.identity(seed: 2).key)
      return .answer(
        status: 200,
        body: Answer.vault(
          vault.vault.vault, VaultLimits(), version: "1", asksForChallenge: false, hasFaucet: true, proof: proof
        ).body.encoded)
    },
  ]

  /// Where the relay is asked.
  private static let url: VaultURL = {
    guard let url = VaultURL("https://test.example") else { preconditionFailure("it is a URL") }
    return url
  }()

  /// A server with a claim of alice's, 2.00 of hers, and somebody in front of it.
  private func desk(behind relay: Relay? = nil) async throws -> InProcessVaultServer {
    let desk = try await InProcessVaultServer.locking(from: alice)
    guard let relay else { return desk }
    desk.forge("/api/vault") { [identity = desk.scene.identity] in (try? relay.answer($0, identity)) ?? $0 }
    return desk
  }

  /// The failures of every kind of session that signs something, or believes something.
  private func failures(_ desk: InProcessVaultServer, of vault: TrustedVault) async throws -> [String: VaultFailure] {
    let (old, new) = (try desk.scene.claim(1), try desk.scene.claim(2))
    var failures: [String: VaultFailure] = [:]
    if case .notLocked(let failure) = try await desk.client.run(
      DepositSession(new.id, new.terms, from: alice.key, at: vault))
    {
      failures["deposit"] = failure
    }
    if case .notPaid(let failure) = try await desk.client.run(
      PayoutSession(desk.scene.whole(1), expiry: desk.scene.expiry, to: bob.address, at: vault))
    {
      failures["payout"] = failure
    }
    if case .failed(let failure) = try await desk.client.run(RefundSession(old.terms, at: vault)) {
      failures["refund"] = failure
    }
    if case .failure(let failure) = try await desk.client.run(StatusSession(old.terms, at: vault)) {
      failures["status"] = failure
    }
    if case .failure(let failure) = try await desk.client.run(BalancesSession(of: alice.key, at: vault)) {
      failures["balances"] = failure
    }
    if case .failure(let failure) = try await desk.client.run(AccountHistorySession(of: alice.key, count: 9, at: vault))
    {
      failures["history"] = failure
    }
    return failures
  }

  @Test(arguments: relays)
  func `through a server that relays a vault nothing is signed, no money moves and no history is read`(
    relay: Relay
  ) async throws {
    let desk = try await desk(behind: relay)
    let vault = TrustedVault(desk.vault.pinned, hasFaucet: true, at: Self.url)
    let failures = try await failures(desk, of: vault)
    #expect(failures.count == 6 && desk.paths == Array(repeating: "GET /api/vault", count: 6), "\(failures)")
    for (session, failure) in failures {
      // A token that was confirmed and is missing is a change, which is said first.
      #expect([relay.code, .changed].contains(failure.code), "\(session): \(failure)")
    }
    #expect(try await desk.scene.balance(alice) == 2_000_000)
    #expect(try await desk.scene.balance(bob) == 0)
  }

  @Test(arguments: relays)
  func `a server that relays a vault is not introduced, whatever it says of its money`(relay: Relay) async throws {
    let desk = try await desk(behind: relay)
    let introduced = try await desk.client.run(IntroductionSession(at: Self.url))
    guard case .failure(let failure) = introduced else { return record("introduced") }
    #expect(failure.code == relay.code)
    if relay.code == .changed {
      #expect(
        failure.reason.contains(Self.url.description) && failure.reason.contains(InProcessVaultServer.url.description))
    }
  }

  @Test func `the vault itself is believed at its own URL, for each session's own nonce`() async throws {
    let desk = try await desk()
    #expect(try await failures(desk, of: desk.vault).isEmpty)
    let first = desk.requests.filter { $0.named == "/api/vault" }
    #expect(first.count == 6 && Set(first).count == 6)
    // 1.00 was deposited and 1.00 was paid.
    #expect(try await desk.scene.balance(alice) == 1_000_000)
    #expect(try await desk.scene.balance(bob) == 1_000_000)
  }

  @Test func `the nonce is the one that the session was given`() async throws {
    let desk = try await desk()
    let client = VaultClient(
      desk, now: { 0 }, random: RandomBytes { Array(repeating: 0xAB, count: $0) }, pause: { _ in })
    _ = try await client.run(IntroductionSession(at: InProcessVaultServer.url))
    #expect(desk.requests.map(\.path) == ["/api/vault?nonce=" + String(repeating: "ab", count: 32)])
  }

  /// Of two ports of one machine each is another server's.
  @Test(arguments: [
    "http://127.0.0.1:8643", "http://127.0.0.2:8642", "http://[::1]:8642", "https://127.0.0.1:8642",
    "https://localhost:8642",
  ])
  func `another port, address or scheme of this machine is another vault`(url: String) async throws {
    let desk = try await desk()
    let introduced = try await desk.client.run(IntroductionSession(at: try #require(VaultURL(url))))
    #expect(throws: VaultFailure(.changed, "")) { try introduced.get() }
  }

  @Test(arguments: [true, false])
  func `a vault that was confirmed as test money and says otherwise, or the reverse, has changed`(
    wasTestMoney: Bool
  ) async throws {
    let desk = try await desk()
    let identity = desk.scene.identity
    desk.forge("/api/vault") { reply in
      guard case .answer(_, let body, _) = reply, let nonce = try? VaultStatement(body).proof?.nonce else {
        return reply
      }
      return identity.description(for: nonce, hasFaucet: !wasTestMoney)
    }
    let vault = TrustedVault(desk.vault.pinned, hasFaucet: wasTestMoney, at: InProcessVaultServer.url)
    let failures = try await failures(desk, of: vault)
    #expect(failures.count == 6 && failures.values.allSatisfy { $0.code == .changed }, "\(failures)")
    #expect(failures["deposit"]?.reason.contains("test money") == true)
    #expect(try await desk.scene.balance(alice) == 2_000_000)
  }
}

extension VaultReply {
  fileprivate func replacing(_ text: String, _ other: String) -> Self {
    guard case .answer(let status, let body, _) = self else { return self }
    let said = String(decoding: body, as: UTF8.self)
    #expect(said.contains(text))
    return .answer(status: status, body: Array(said.replacing(text, with: other).utf8))
  }
}
