import BumpClaims
import BumpKit
import BumpVault
import BumpVaultAPI
import BumpWallet
import Lab
import Synchronization
import Testing
import VaultContract
import VaultTestServer

/// Ids of claims that somebody else is quicker to take at a vault.
@Suite(.processes(2)) struct VaultTakenTests {
  private let testbed: VaultTestbed
  private var alice: Person { testbed.alice }
  private let carol: VaultContract.Person

  init() async throws {
    testbed = try await .withFundedSender()
    carol = try VaultContract.Person(3)
    try await testbed.desk.scene.mint(9_000_000, to: carol)
  }

  /// Takes the ids of the next drafts before they are made, for other terms.
  private func takeIDs(_ count: Int) throws {
    let scene = testbed.desk.scene
    let left = Mutex(count)
    let other = try scene.claim(7, lasting: 3600 - scene.clock.now % 60)
    testbed.server.before { request in
      guard request.hasPrefix("POST /api/claims {"), let draft = Self.draft(request, in: scene) else { return }
      guard
        left.withLock({ left in
          left -= 1
          return left >= 0
        })
      else { return }
      _ = try? await scene.vault.draft(draft.id, other.terms)
    }
  }

  private static func draft(_ request: String, in scene: Scene) -> MadeClaim? {
    guard
      let body = request.split(separator: " ", maxSplits: 2).last, let object = try? JSONObject(String(body)),
      let id = object.string("claimId").flatMap({ try? ClaimID($0) }),
      let hash = object.string("secretHash").flatMap({ try? Bytes32($0) }),
      let token = object.string("token").flatMap({ try? Address($0) }),
      let amount = object.string("amount").flatMap({ try? Amount($0) }), let expiry = object.number("expiry"),
      var claim = try? scene.claim(7)
    else { return nil }
    claim.id = id
    claim.terms = ClaimTerms(secretHash: hash, token: token, amount: amount, expiry: Expiry(clamping: Int64(expiry)))
    return claim
  }

  @Test func `where somebody else has taken its id another claim is made, and the money is locked once`() async throws {
    try takeIDs(2)
    let sent = try await testbed.send()
    #expect(sent.status == 0, "\(sent)")
    #expect(sent.standardError.contains(" Making another.\n"), "\(sent)")
    #expect(try await testbed.balance(alice) == "2.00 USDC\n")
    let history = try await alice.history()
    #expect(history.map { $0.string("money") } == ["pending", "refused", "refused"])
    #expect(history.map { $0.string("state") } == ["linkShown", "new", "new"])
    // The link that was shown is that of the claim whose money is locked.
    let link = try UnverifiedClaimLink(try #require(sent.lines.last)).verify()
    #expect(link.claim.id.description == history.first?.string("claimId"))
    try await testbed.open(testbed.bob)
    let received = try await testbed.bob.take(
      try #require(sent.lines.last), "--vault", testbed.server.url, "--claim", "--json")
    #expect(try received.result.string("funding") == "claimed", "\(received)")
  }

  /// Under the id there is money then, of the same terms: not the sender's, and so not for anything that they sign.
  @Test func `a deposit that somebody else made for the same claim is not taken for one's own`() async throws {
    let (scene, carol) = (testbed.desk.scene, carol)
    let isFirst = Mutex(true)
    let drafted = Mutex<MadeClaim?>(nil)
    testbed.server.before { request in
      if let draft = Self.draft(request, in: scene) { drafted.withLock { $0 = draft } }
      guard request.contains("/deposit "), let draft = drafted.withLock(\.self) else { return }
      guard
        isFirst.withLock({ isFirst in
          defer { isFirst = false }
          return isFirst
        })
      else { return }
      _ = try? await scene.lock(draft, from: carol)
    }
    let sent = try await testbed.send()
    #expect(sent.status == 0, "\(sent)")
    #expect(try await alice.history().map { $0.string("money") } == ["pending", "refused"])
    #expect(try await testbed.balance(alice) == "2.00 USDC\n")
    #expect(try await scene.balance(carol) == 8_000_000)
  }

  /// The sender's authorization says nothing of the id: whoever carries it can deposit it under one of their own.
  @Test func `a deposit that was carried to another id is this claim's, and is paid to its receiver`() async throws {
    let scene = testbed.desk.scene
    let drafted = Mutex<MadeClaim?>(nil)
    testbed.server.before { request in
      if let draft = Self.draft(request, in: scene) { drafted.withLock { $0 = draft } }
      guard
        request.contains("/deposit "), let draft = drafted.withLock(\.self),
        let body = request.split(separator: " ", maxSplits: 2).last,
        let deposit = try? DepositRequest(Array(body.utf8)), let theirs = try? ClaimID("theirs")
      else { return }
      _ = try? await scene.vault.draft(theirs, draft.terms)
      _ = try? await scene.vault.deposit(
        theirs,
        SenderAuthorization(
          sender: deposit.sender, validBefore: deposit.validBefore, bytes: deposit.authorization))
    }
    let sent = try await testbed.send()
    #expect(sent.status == 0, "\(sent)")
    #expect(try await alice.history().map { $0.string("money") } == ["pending"])
    #expect(try await testbed.balance(alice) == "2.00 USDC\n")
    try await testbed.open(testbed.bob)
    let received = try await testbed.bob.take(
      try #require(sent.lines.last), "--vault", testbed.server.url, "--claim", "--json")
    #expect(try received.result.string("funding") == "claimed", "\(received)")
    #expect(try await testbed.balance(testbed.bob) == "1.00 USDC\n")
  }

  @Test func `after three ids that somebody else has taken nothing is locked, and nothing is handed over`() async throws
  {
    try takeIDs(.max)
    let sent = try await testbed.send()
    #expect(sent.status == 1 && sent.standardOutput.isEmpty, "\(sent)")
    #expect(
      sent.standardError.contains(
        " was not sent. Nothing is locked for it: the vault says: \"another claim or deposit has that id"),
      "\(sent)")
    #expect(try await alice.history().map { $0.string("money") } == ["refused", "refused", "refused"])
    #expect(try await testbed.balance(alice) == "3.00 USDC\n")
  }

  @Test func `a claim that was made before is given up for no other`() async throws {
    let id = try await alice.claim(.new, expiry: testbed.desk.scene.clock.now / 60 * 60 + 3600)
    try takeIDs(1)
    let sent = try await alice.run(
      "send", "--again", "\(id)", "--vault", testbed.server.url, "--discovery", "none", "--discovery-timeout", "0.1")
    #expect(
      sent.status == 1
        && sent.error?.hasSuffix(". Make another claim: bump send 1.00 --vault \(testbed.server.url)") == true,
      "\(sent)")
    #expect(try await alice.history().map { $0.string("money") } == ["refused"])
  }
}
