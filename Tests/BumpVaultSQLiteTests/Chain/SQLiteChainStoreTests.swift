import BumpChain
import BumpWallet
import ChainContract
import Foundation
import GRDB
import Measures
import Samples
import Testing
import VaultContract

@testable import BumpVaultSQLite

@Suite struct SQLiteChainStoreTests {
  private static let file = "chain.sqlite"

  private func maker(_ place: TemporaryDirectory) -> ChainStoreMaker {
    ChainStoreMaker { vault, clock in
      try await SQLiteChainStore.open(at: place.path(Self.file), of: vault, clock: { clock.now })
    }
  }

  private func open(_ place: TemporaryDirectory, of vault: DeployedVault = ChainScene.vault) async throws
    -> SQLiteChainStore
  {
    try await SQLiteChainStore.open(at: place.path(Self.file), of: vault, clock: { ChainScene.time })
  }

  /// Each maker's store has a connection of its own, as two servers have.
  @Test(arguments: ChainRule.all)
  func `a file keeps the contract of a vault on a chain`(rule: ChainRule) async throws {
    try await rule.check(on: maker(try TemporaryDirectory.inMemory()))
  }

  /// A store with rows of all kinds.
  private func filled(_ place: TemporaryDirectory) async throws -> ChainScene {
    let scene = try await ChainScene(maker(place))
    _ = try await scene.store.add(ChainScene.draft(1), lapsingBefore: 0)
    let sponsorship = Sponsorship(1000, of: ChainScene.alice, under: SponsoringPolicy(), at: ChainScene.time)
    let request = ChainScene.deposit(1)
    _ = try await scene.store.ask(request, at: ChainScene.time, replacing: nil, sponsorship)
    try await scene.store.write(scene.entry(request, nonce: 0), scene.lease)
    try await scene.advance(from: 0, to: 1, [1: [ChainScene.created(1)]])
    return scene
  }

  @Test func `what was written is there for the next process`() async throws {
    let place = try TemporaryDirectory()
    let scene = try await filled(place)
    let again = try await open(place)
    let before = try await scene.store.claim(ChainScene.claimID(1))
    #expect(try await again.claim(ChainScene.claimID(1)) == before && before?.created != nil)
    #expect(try await again.entries(of: scene.key.address).map(\.nonce) == [0])
    for name in [Self.file, "\(Self.file)-wal"] { #expect(try place.mode(name) == 0o600) }
  }

  @Test(arguments: [
    "UPDATE rows SET key = CAST('claim-2' AS BLOB) WHERE kind = 'drafts'",
    "UPDATE rows SET key = CAST('no id!' AS BLOB) WHERE kind = 'drafts'",
    "UPDATE rows SET first = randomblob(32) WHERE kind = 'drafts'",
    "UPDATE rows SET body = substr(body, 1, length(body) - 1) WHERE kind = 'drafts'",
    "UPDATE rows SET body = zeroblob(length(body)) WHERE kind = 'events'",
    "UPDATE rows SET first = randomblob(32) WHERE kind = 'requests'",
  ])
  func `a claim that this program has not written is not believed`(sql: String) async throws {
    let place = try TemporaryDirectory()
    let scene = try await filled(place)
    #expect(try place.tamper(sql, Self.file) == 1)
    let ids = [try ChainScene.claimID(1), try ChainScene.claimID(2)]
    var claims: [ChainClaimRow] = []
    var codes: Set<ChainStoreError.Code> = []
    for id in ids {
      do {
        if let claim = try await scene.store.claim(id) { claims.append(claim) }
      } catch let error as ChainStoreError {
        codes.insert(error.code)
      }
    }
    do {
      if let claim = try await scene.store.claim(ledgerID: ChainScene.terms(1).ledgerID) { claims.append(claim) }
    } catch let error as ChainStoreError {
      codes.insert(error.code)
    }
    // One that is looked up by what was changed is not found; where the row is found, it is refused.
    #expect(codes == [.damaged])
    #expect(claims.allSatisfy { $0.draft == nil })
  }

  @Test func `an entry whose transaction the key has not signed is not sent`() async throws {
    let place = try TemporaryDirectory()
    let scene = try await filled(place)
    let entry = try scene.entry(ChainScene.deposit(2), nonce: 1)
    let forged = try #require(
      OutboxEntry(
        nonce: 2, call: entry.call, attempts: [.init(fees: entry.latest.fees, transaction: entry.latest.transaction)]))
    try await scene.store.write(entry, scene.lease)
    #expect(try await scene.store.entries(of: scene.key.address).count == 2)
    // The signature is of another nonce.
    try await scene.store.write(forged, scene.lease)
    await #expect(throws: ChainStoreError(.damaged, "")) { try await scene.store.entries(of: scene.key.address) }
  }

  @Test func `the store of another contract or chain is refused`() async throws {
    let place = try TemporaryDirectory()
    _ = try await open(place)
    for other in [
      DeployedVault(chainID: 1, contract: ChainScene.vault.contract),
      DeployedVault(chainID: ChainScene.vault.chainID, contract: ChainScene.token),
    ] {
      await #expect(throws: ChainStoreError(.otherVault, "")) { try await open(place, of: other) }
    }
    _ = try await open(place)
  }

  @Test(arguments: ["CREATE TABLE more (a)", "DROP INDEX rowsByFirst", "PRAGMA user_version = 2"])
  func `a store in which somebody made something is refused`(sql: String) async throws {
    let place = try TemporaryDirectory()
    _ = try await open(place)
    try place.tamper(sql, Self.file)
    await #expect(throws: ChainStoreError(.unusable, "")) { try await open(place) }
  }

  @Test(arguments: [("synchronous", "2"), ("journal_mode", "wal"), ("secure_delete", "1"), ("trusted_schema", "0")])
  func `a change is on the disk when its call returns`(pragma: String, value: String) async throws {
    let store = try await open(try TemporaryDirectory())
    #expect(try await store.queue.read { try String.fetchOne($0, sql: "PRAGMA \(pragma)") } == value)
  }

  /// Two processes that begin at the same time, with one key.
  @Test func `one of many that ask for a lease at once has it`() async throws {
    let place = try TemporaryDirectory.inMemory()
    let (one, other) = (try await open(place), try await open(place))
    let held = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<20 {
        let store = number.isMultiple(of: 2) ? one : other
        group.addTask {
          let holder = ChainScene.hash("process \(number)")
          let answer = try await store.takeLease(of: ChainScene.alice, holder: holder, seconds: 60)
          if case .held = answer { return true } else { return false }
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(held == 1)
  }

  @Test(arguments: [
    (ChainSelection.key, "PRIMARY KEY (kind=? AND key=?)"),
    (ChainSelection.range, "PRIMARY KEY (kind=? AND key>? AND key<?)"),
    (ChainSelection.rangeDown, "PRIMARY KEY (kind=? AND key>? AND key<?)"),
    (ChainSelection.first, "INDEX rowsByFirst (kind=? AND first=?)"),
    (ChainSelection.second, "INDEX rowsBySecond (kind=? AND second=? AND key<?)"),
    (ChainSelection.number, "INDEX rowsByNumber (kind=? AND number<?)"),
  ])
  func `rows are found by an index, and none is sorted`(selection: String, index: String) async throws {
    let store = try await open(try TemporaryDirectory.inMemory())
    let plan = try await store.queue.read { database in
      let values = StatementArguments(selection.filter { $0 == "?" }.map { _ in 1 })
      return try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(selection)", arguments: values).map {
        $0["detail"] as String
      }
    }
    #expect(plan == ["SEARCH rows USING \(index)"])
  }

  @Test(.enabled(if: Measure.isThorough))
  func `opening a store of a million drafts reads none of them`() async throws {
    let place = try TemporaryDirectory.inMemory()
    let scene = try await filled(place)
    try place.tamper(
      """
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000000)
      INSERT INTO rows (kind, key, first, number, body)
        SELECT 'drafts', CAST('filler-' || n AS BLOB), randomblob(32), 1, zeroblob(200) FROM numbers
      """, Self.file)
    // Each of them would be refused if it was read.
    let again = try await open(place)
    #expect(try await again.claim(ChainScene.claimID(1))?.created != nil)
    #expect(try await again.height()?.tip == ChainScene.header(1))
    #expect(try await again.entries(of: scene.key.address).count == 1)
  }
}
