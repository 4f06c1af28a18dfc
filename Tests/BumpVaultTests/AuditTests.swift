import BumpClaims
import BumpVault
import BumpWallet
import Testing
import VaultContract

/// What the audit finds of forgers who have the whole store in their hands, and know how to hash. (What clumsier hands leave
/// behind is tested on a file.)
@Suite struct AuditTests {
  /// All that a store holds.
  struct Books {
    var batches: [SealedBatch]
    var snapshot: StoreSnapshot

    func report() -> AuditReport {
      var audit = Audit(vaults: snapshot.vaults)
      for batch in batches { audit.take(batch) }
      return audit.finish(snapshot)
    }

    /// The books with each sealed entry forged, every hash made anew, and the chain too where that is wanted.
    func forged(chained: Bool = true, _ forge: (JournalEntry) -> JournalEntry) -> Books {
      var books = self
      var hashes: [Bytes32: Bytes32] = [:]
      var previous = Batch.beginning
      books.batches = batches.map { sealed in
        let entries = sealed.entries.map { audited in
          let entry = forge(audited.entry)
          hashes[audited.hash] = entry.hash
          return AuditedEntry(entry: entry, hash: entry.hash, terms: audited.terms)
        }
        let batch = Batch(
          number: sealed.batch.number, previous: chained ? previous : sealed.batch.previous, time: sealed.batch.time,
          entries: entries.map(\.hash))
        previous = batch.hash
        return SealedBatch(batch: batch, hash: batch.hash, entries: entries)
      }
      let claims = snapshot.claims.map { claim in
        guard case .settled(let deposit, let end) = claim.state, let hash = hashes[end.transaction] else {
          return claim
        }
        let entry = books.batches.flatMap(\.entries).first { $0.hash == hash }?.entry
        return ClaimRecord(
          claimID: claim.claimID, terms: claim.terms,
          state: .settled(
            deposit,
            .init(
              outcome: end.outcome, receiver: entry?.to ?? end.receiver, transaction: hash,
              time: entry?.time ?? end.time)))
      }
      books.snapshot = snapshot.with(claims: claims)
      return books
    }
  }

  /// A mint, two deposits, a payout to bob, a refund to alice; two batches.
  private func books() async throws -> (books: Books, scene: Scene) {
    let scene = try await Scene(StoreMaker { InMemoryVaultStore($0, clock: $1) })
    let (alice, bob) = (try Person(1), try Person(2))
    try await scene.mint(9_000_000, to: alice, id: 1)
    let (paid, refunded) = (try scene.claim(1), try scene.claim(2, lasting: 60))
    try await scene.lock(paid, from: alice)
    try await scene.store.seal(limit: 10)
    try await scene.lock(refunded, from: alice)
    try await scene.take(paid, for: bob)
    scene.clock.advance(by: 60)
    _ = try await scene.vault.refund(refunded.id)
    try await scene.store.seal(limit: 10)
    let batches = try await [scene.store.batch(1), scene.store.batch(2)].compactMap(\.self)
    return (Books(batches: batches, snapshot: try await scene.store.snapshot()), scene)
  }

  @Test func `books that nobody forged are in order`() async throws {
    let (books, scene) = try await books()
    let report = books.report()
    #expect(report.findings == [] && report.entries == 5 && report.batches == 2)
    let sums = try #require(try report.sums[scene.token])
    #expect(sums.minted == 9_000_000 && sums.balances == 9_000_000 && sums.locked == 0)
    #expect(books.forged { $0 }.report().isSound, "the forger's own work is not seen")
  }

  @Test func `a payout that nobody proved is found, however well it is hashed`() async throws {
    let (books, scene) = try await books()
    let mallory = try Person(3)
    var forged = books.forged { entry in
      entry.kind == .claim ? entry.with(to: mallory.address) : entry
    }
    forged.snapshot = forged.snapshot.with(
      balances: Dictionary(
        uniqueKeysWithValues: try books.snapshot.balances.map { holding, balance in
          holding.account == (try Person(2).address)
            ? (BalanceKey(mallory.address, try scene.token), balance) : (holding, balance)
        }))
    let report = forged.report()
    #expect(report.findings.count == 1 && report.findings.first?.contains("not justified") == true)
  }

  @Test func `a deposit that its sender did not sign is found`() async throws {
    let (books, _) = try await books()
    let forged = books.forged { $0.kind == .deposit ? $0.with(evidence: $0.evidence.dropLast(2) + [0, 27]) : $0 }
    #expect(forged.report().findings.contains { $0.contains("not justified") })
  }

  @Test func `a payout after the expiry, and a refund before it, are found`() async throws {
    let (books, _) = try await books()
    for (kind, shift) in [(.claim, 3600), (.refund, -1), (.deposit, 3600)] as [(JournalEntry.Kind, Int64)] {
      let forged = books.forged { $0.kind == kind ? $0.with(time: $0.time + shift) : $0 }
      #expect(forged.report().findings.contains { $0.contains("not justified") }, "\(kind)")
    }
  }

  @Test(arguments: [(Int64(119), false), (120, true)])
  func `a deposit after the end of its authorization is found, though the claim had not expired`(
    shift: Int64, isFound: Bool
  ) async throws {
    let (books, _) = try await books()
    let deposit = try #require(books.batches[0].entries.first { $0.entry.kind == .deposit })
    let forged = books.forged { $0.hash == deposit.hash ? $0.with(time: $0.time + shift) : $0 }
    #expect(forged.report().findings.contains { $0.contains("not justified") } == isFound)
  }

  @Test func `a batch that was replaced breaks the chain`() async throws {
    let (books, _) = try await books()
    let forged = books.forged(chained: false) { $0.kind == .mint ? $0.with(time: $0.time + 1) : $0 }
    #expect(forged.report().findings == ["batch 2 is not chained to the one before"])
  }

  @Test func `batches that are missing, doubled or exchanged are found`() async throws {
    let (books, _) = try await books()
    for order in [[0], [1], [1, 0], [0, 0, 1], [0, 1, 1], []] {
      var forged = books
      forged.batches = order.map { books.batches[$0] }
      #expect(!forged.report().isSound, "\(order)")
    }
  }

  @Test func `a claim that is deposited and paid twice is found, though every sum is right`() async throws {
    let (books, scene) = try await books()
    let (alice, bob) = (
      BalanceKey(try Person(1).address, try scene.token), BalanceKey(try Person(2).address, try scene.token)
    )
    let entries = books.batches.flatMap(\.entries)
    let payout = try #require(entries.first { $0.entry.kind == .claim })
    let again = entries.filter { $0.entry.ledgerID == payout.entry.ledgerID }
    var forged = books
    let moved = payout.entry.amount.baseUnits
    forged.snapshot = books.snapshot.with(
      balances: books.snapshot.balances.merging([alice: -moved, bob: moved]) { $0 + $1 }, unsealed: again)
    #expect(forged.report().findings.filter { $0.contains("occurs twice") }.count == 2)
  }

  @Test func `a refund to somebody else, and an end before the deposit, are found`() async throws {
    let (books, scene) = try await books()
    let (alice, mallory) = (try Person(1).address, try Person(3).address)
    var forged = books.forged { $0.kind == .refund ? $0.with(to: mallory) : $0 }
    let refunded: Int64 = 1_000_000
    forged.snapshot = forged.snapshot.with(
      balances: books.snapshot.balances.merging(
        [BalanceKey(alice, try scene.token): -refunded, BalanceKey(mallory, try scene.token): refunded]) { $0 + $1 })
    let early = books.forged { $0.kind == .claim ? $0.with(time: $0.time - 1) : $0 }
    for findings in [forged.report().findings, early.report().findings] {
      #expect(findings.count == 1 && findings.first?.contains("is not the journal's") == true)
    }
  }

  @Test func `money of a token that the vault does not hold is found`() async throws {
    let (books, scene) = try await books()
    let (mallory, token) = (try Person(3).address, try Person(4).address)
    let amount = try #require(Amount(baseUnits: 5))
    let id = Bytes32.word(9 as UInt64)
    let statement = MintStatement(id, amount, of: token, to: mallory, domain: scene.identity.vault.domain)
    let entry = JournalEntry(
      .mint, at: 0, ledgerID: id, from: .zero, to: mallory, token: token, amount: amount,
      evidence: scene.identity.key.sign(statement.digest).bytes)
    var forged = books
    forged.snapshot = books.snapshot.with(
      balances: books.snapshot.balances.merging([BalanceKey(mallory, token): 5]) { $1 },
      unsealed: [AuditedEntry(entry: entry, hash: entry.hash, terms: nil)],
      minted: books.snapshot.minted.merging([token: 5]) { $1 })
    let findings = forged.report().findings
    #expect(findings.count == 1 && findings.first?.contains("not justified") == true)
  }

  @Test(arguments: ["no signature", "another's signature", "another mint's signature"])
  func `money that the vault has not signed is found, though every sum is right`(evidence: String) async throws {
    let (books, scene) = try await books()
    let (mallory, amount) = (try Person(3), try #require(Amount(baseUnits: 5_000_000_000_000)))
    let (id, domain) = (Bytes32.word(9 as UInt64), scene.identity.vault.domain)
    let mine = MintStatement(id, amount, of: try scene.token, to: mallory.address, domain: domain)
    let other = MintStatement(.word(8 as UInt64), amount, of: try scene.token, to: mallory.address, domain: domain)
    let bytes: [UInt8] =
      switch evidence {
      case "no signature": []
      case "another's signature": mallory.key.sign(mine.digest).bytes
      default: scene.identity.key.sign(other.digest).bytes
      }
    func forged(_ evidence: [UInt8]) throws -> AuditReport {
      let entry = JournalEntry(
        .mint, at: 0, ledgerID: id, from: .zero, to: mallory.address, token: try scene.token, amount: amount,
        evidence: evidence)
      var forged = books
      let sum = amount.baseUnits
      forged.snapshot = books.snapshot.with(
        balances: books.snapshot.balances.merging([BalanceKey(mallory.address, try scene.token): sum]) { $0 + $1 },
        unsealed: [AuditedEntry(entry: entry, hash: entry.hash, terms: nil)],
        minted: books.snapshot.minted.mapValues { $0 + sum })
      return forged.report()
    }
    let findings = try forged(bytes).findings
    #expect(findings.count == 1 && findings.first?.contains("not justified") == true, "\(findings)")
    #expect(try forged(scene.identity.key.sign(mine.digest).bytes).isSound, "the forger's own work is not seen")
  }

  @Test func `a refund whose evidence is not its own deposit's hash is found`() async throws {
    let (books, _) = try await books()
    let deposits = books.batches.flatMap(\.entries).filter { $0.entry.kind == .deposit }.map(\.hash)
    #expect(deposits.count == 2)
    // Of the deposits, the first is of the claim that was paid.
    for evidence in [deposits[0].bytes, [UInt8](repeating: 7, count: 32), []] {
      let findings = books.forged { $0.kind == .refund ? $0.with(evidence: evidence) : $0 }.report().findings
      #expect(findings.count == 1 && findings.first?.contains("is not the journal's") == true, "\(findings)")
    }
  }

  @Test func `money that is in no account is missed`() async throws {
    let (books, scene) = try await books()
    let holding = BalanceKey(try Person(2).address, try scene.token)
    var forged = books
    forged.snapshot = books.snapshot.with(balances: books.snapshot.balances.merging([holding: 999_999]) { $1 })
    #expect(forged.report().findings.contains { $0.contains("minted is not balances + locked") })
    forged.snapshot = books.snapshot.with(claims: Array(books.snapshot.claims.dropLast()))
    #expect(!forged.report().isSound)
  }
}

extension StoreSnapshot {
  fileprivate func with(
    claims: [ClaimRecord]? = nil, balances: [BalanceKey: Int64]? = nil, unsealed: [AuditedEntry]? = nil,
    minted: [Address: Int64]? = nil
  ) -> StoreSnapshot {
    StoreSnapshot(
      batches: batches, unsealed: unsealed ?? self.unsealed, balances: balances ?? self.balances,
      minted: minted ?? self.minted, claims: claims ?? self.claims, pending: pending, vaults: vaults)
  }
}

extension JournalEntry {
  fileprivate func with(to: Address? = nil, time: Int64? = nil, evidence: [UInt8]? = nil) -> JournalEntry {
    JournalEntry(
      kind, at: time ?? self.time, ledgerID: ledgerID, from: from, to: to ?? self.to, token: token, amount: amount,
      evidence: evidence ?? self.evidence)
  }
}
