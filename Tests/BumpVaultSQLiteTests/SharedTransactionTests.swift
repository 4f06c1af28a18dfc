import BumpVault
import BumpWallet
import Foundation
import GRDB
import Samples
import Synchronization
import Testing
import VaultContract

@testable import BumpVaultSQLite

/// Several changes in one transaction.
@Suite struct SharedTransactionTests {
  private let place: TemporaryDirectory
  private let scene: Scene
  private let store: SQLiteVaultStore

  init() async throws {
    let place = try TemporaryDirectory.inMemory()
    self.place = place
    scene = try await Scene(StoreMaker { _, _ in try await place.open() })
    store = try #require(scene.store as? SQLiteVaultStore)
  }

  /// Changes that pay pending claims out, each to a receiver of its own.
  private func payouts(_ count: UInt64) async throws -> [Change] {
    var changes: [Change] = []
    try await scene.mint(Int64(count) * 1_000_000, to: Person(1))
    for number in 0..<count {
      let claim = try scene.claim(number)
      try await scene.lock(claim, from: Person(1))
      changes.append(try await scene.decidedClaim(claim, for: Person(100 + number)))
    }
    return changes
  }

  private func balances(_ count: UInt64) async throws -> [Int64] {
    var balances: [Int64] = []
    for number in 0..<count { balances.append(try await scene.balance(Person(100 + number))) }
    return balances
  }

  private func carryOut(_ changes: [Change]) async -> [Result<Committed?, any Error>] {
    await ChangeWriter(writer: store.writer, clock: { [scene] in scene.clock.machine }).carryOut(changes)
  }

  /// Does something whenever an entry of the journal pays the receiver of that number.
  private func whenPaid(_ number: UInt64, _ action: String) throws {
    let receiver = try Person(100 + number).address.description.dropFirst(2).lowercased()
    try place.tamper(
      "CREATE TRIGGER whenPaid AFTER INSERT ON journal WHEN NEW.receiver = x'\(receiver)' BEGIN \(action); END")
  }

  /// By SQLite's rules, the first undoes the statement, the second leaves what it has done, and the third ends the
  /// whole transaction.
  @Test(arguments: ["ABORT", "FAIL", "ROLLBACK"])
  func `a change that the database refuses fails alone, and leaves nothing`(how: String) async throws {
    let changes = try await payouts(3)
    try whenPaid(1, "SELECT RAISE(\(how), 'refused')")
    let results = await carryOut(changes)
    #expect(results.map { (try? $0.get()) != nil } == [true, false, true])
    #expect(throws: DatabaseError.self) { try results[1].get() }
    #expect(try await balances(3) == [1_000_000, 0, 1_000_000])
    #expect(try await store.rows(of: scene.claim(1).id).claim?.status == .pending)
    try await scene.expectSound(minted: 3_000_000)
    // By the store too, as one of several or alone.
    await #expect(throws: VaultStoreError(.failed, "")) { try await store.commit(changes[1]) }
    try place.tamper("DROP TRIGGER whenPaid")
    #expect(try await store.commit(changes[1]) != nil)
    try await scene.expectSound(minted: 3_000_000)
  }

  @Test func `changes are carried out in their order, and each is decided on its own`() async throws {
    let changes = try await payouts(2)
    let other = try await scene.decidedClaim(scene.claim(0), for: Person(7))
    let results = try await carryOut([changes[0], other, changes[1], changes[1]]).map { try $0.get() }
    #expect(
      try results.map { $0?.claim?.settlement?.receiver } == [Person(100).address, nil, Person(101).address, nil])
    // They have one time.
    #expect(Set(results.compactMap { $0?.entry?.time }) == [scene.clock.now])
    try await scene.expectSound(minted: 2_000_000)
  }

  @Test func `where no condition holds, nothing is written, not even the time`() async throws {
    let change = try #require(try await payouts(1).first)
    #expect(try await store.commit(change) != nil)
    let log = try place.bytes("vault.sqlite-wal")
    scene.clock.advance(by: 10)
    #expect(try await carryOut([change, change]).map { try $0.get() } == [nil, nil])
    #expect(try place.bytes("vault.sqlite-wal") == log)
  }

  /// SQLite checks such a condition at the commit.
  @Test func `a commit that fails answers none of its changes with success`() async throws {
    let changes = try await payouts(3)
    try place.tamper(
      """
      CREATE TABLE parents (id INTEGER PRIMARY KEY);
      CREATE TABLE children (parent INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED)
      """)
    try whenPaid(1, "INSERT INTO children VALUES (1)")
    for result in await carryOut(changes) { #expect(throws: DatabaseError.self) { try result.get() } }
    #expect(try await balances(3) == [0, 0, 0])
    await #expect(throws: VaultStoreError(.failed, "")) { try await store.commit(changes[1]) }
    // The connection is as good as before.
    try place.tamper("DROP TRIGGER whenPaid")
    #expect(try await carryOut(changes).allSatisfy { try $0.get() != nil })
    try await scene.expectSound(minted: 3_000_000)
  }

  /// Counts commits, and notes at each how many calls were answered before it.
  private final class CommitLog: TransactionObserver, Sendable {
    let answered = Mutex(0)
    private let before = Mutex<[Int]>([])

    /// How many calls had been answered when each commit began.
    var answeredBefore: [Int] { before.withLock(\.self) }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseWillCommit() throws {
      let count = answered.withLock(\.self)
      before.withLock { $0.append(count) }
    }
    func databaseDidCommit(_ db: Database) {}
    func databaseDidRollback(_ db: Database) {}
  }

  @Test func `changes that wait at the same time share a transaction, and none is answered before its commit`()
    async throws
  {
    let changes = try await payouts(12)
    let log = CommitLog()
    store.writer.add(transactionObserver: log, extent: .databaseLifetime)
    let (begun, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let held = Task { [store] in
      try await store.writer.writeWithoutTransaction { _ in
        begun.signal()
        goesOn.wait()
      }
    }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        begun.wait()
        continuation.resume()
      }
    }
    func call(_ change: Change) -> Task<Committed?, any Error> {
      Task { [store] in
        let committed = try await store.commit(change)
        log.answered.withLock { $0 += 1 }
        return committed
      }
    }
    var calls = [call(changes[0])]
    while store.changes.runningCount < 1 { await Task.yield() }
    for change in changes.dropFirst() { calls.append(call(change)) }
    while store.changes.waitingCount < 11 { await Task.yield() }
    // Cancelled or not, what has begun is completed.
    calls[11].cancel()
    goesOn.signal()
    for call in calls { #expect(try await call.value != nil) }
    _ = try await held.value
    #expect(try await balances(12) == Array(repeating: 1_000_000, count: 12))
    let before = log.answeredBefore
    #expect(before.count == 2 && before.first == 0 && before.allSatisfy { $0 <= 1 }, "\(before)")
    try await scene.expectSound(minted: 12_000_000)
  }

  @Test func `what is not committed is not read, and no read waits for it`() async throws {
    let claim = try scene.claim(0)
    _ = try await payouts(1)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: place.path(), configuration: configuration)
    try await other.writeWithoutTransaction { database in
      try database.beginTransaction(.immediate)
      try database.execute(sql: "UPDATE balances SET balance = balance + 1; UPDATE claims SET expiry = expiry + 60")
    }
    #expect(try await store.rows(of: claim.id).claim?.terms == claim.terms)
    #expect(try await store.rows(of: claim.id, from: Person(1).address).balance == 0)
    try await other.writeWithoutTransaction { try $0.rollback() }
    try await scene.expectSound(minted: 1_000_000)
  }

  /// A server that runs for years begins the log anew each time that all of it is in the file.
  @Test func `the log is begun anew when it is long`() async throws {
    for number in 0..<1200 as Range<UInt64> { try await scene.mint(1, to: Person(number % 7), id: number) }
    let size = try place.bytes("vault.sqlite-wal").count
    #expect(size < (VaultConnections.logPages + 200) * 4200, "\(size)")
    try await scene.store.keepTime()
    try await scene.expectSound(minted: 1200)
    await scene.close()
    #expect(!place.exists("vault.sqlite-wal"))
  }
}
