import BumpClaims
import BumpVault
import BumpWallet
import Foundation
import GRDB
import Samples
import Testing
import VaultContract

@testable import BumpVaultSQLite

@Suite struct FileTests {
  @Test func `a store is private, and what was written is there for the next that opens`() async throws {
    let place = try TemporaryDirectory()
    let claim: MadeClaim
    let receipt: SignedReceipt
    do {
      let scene = try await Scene(StoreMaker { _, _ in try await place.open() })
      claim = try scene.claim(1)
      try await scene.mint(3_000_000, to: Person(1))
      try await scene.lock(claim, from: Person(1))
      receipt = try await scene.take(claim, for: Person(2))
      try await scene.store.seal(limit: 2)
      for suffix in ["", "-wal", "-shm", "-mark"] { #expect(try place.mode("vault.sqlite" + suffix) == 0o600) }
      await scene.close()
    }
    #expect(!place.exists("vault.sqlite-wal") && !place.exists("vault.sqlite-shm"), "all of it is in one file")
    let scene = try await Scene(StoreMaker { _, _ in try await place.open() })
    #expect(try await scene.vault.claim(claim.id, for: Person(2).address, proof: []) == receipt)
    try await scene.expectSound(minted: 3_000_000)
  }

  /// What is read of a store is of one moment, and the server may seal a batch after it.
  @Test func `a batch that a server seals while its store is looked at does not make that a backup`() async throws {
    let place = try TemporaryDirectory()
    let scene = try await Scene(StoreMaker { _, _ in try await place.open() })
    for number in 1...2 as ClosedRange<UInt64> { try await scene.mint(1, to: Person(1), id: number) }
    try await scene.store.seal(limit: 1)
    let (steps, step) = AsyncThrowingStream.makeStream(of: Void.self)
    let sealed = DispatchSemaphore(value: 0)
    defer { sealed.signal() }
    Thread.detachNewThread { [path = place.path()] in
      let looked = Result {
        _ = try SQLiteVaultStore.look(at: path) { database, mark in
          let reading = VaultReading(database: database, time: StoreTime(now: 0, clock: 0))
          #expect(try reading.lastBatch()?.number == 1)
          step.yield()
          sealed.wait()
          try SQLiteVaultStore.checkMark(mark, of: path, reading)
        }
      }
      switch looked {
      case .success: step.finish()
      case .failure(let error): step.finish(throwing: error)
      }
    }
    var seen = steps.makeAsyncIterator()
    #expect(try await seen.next() != nil)
    #expect(try await scene.store.seal(limit: 1)?.number == 2)
    sealed.signal()
    #expect(try await seen.next() == nil)
  }

  @Test func `a store that others may read is refused`() async throws {
    let place = try TemporaryDirectory()
    _ = try await place.open()
    #expect(chmod(place.path(), 0o644) == 0)
    await #expect(throws: VaultStoreError(.unusable, "")) { try await place.open() }
  }

  /// The log contains what was written last, and `-shm` tells each process where in the log a page is.
  @Test(arguments: ["-wal", "-shm", "-journal"])
  func `a store whose log others may read is refused`(suffix: String) async throws {
    let place = try TemporaryDirectory()
    let store = try await place.open()
    let path = place.path("vault.sqlite" + suffix)
    #expect(suffix != "-journal" || FileManager.default.createFile(atPath: path, contents: Data()))
    #expect(chmod(path, 0o644) == 0)
    await #expect(throws: VaultStoreError(.unusable, "")) { try await place.open() }
    #expect(try place.mode("vault.sqlite" + suffix) == 0o644)
    await store.close()
  }

  /// It is made in one transaction: a killed process, a full disk or a power cut leaves a file without tables at most.
  @Test func `a first start that does not end leaves nothing but room for the next`() async throws {
    let place = try TemporaryDirectory()
    await #expect(throws: VaultStoreError.self) {
      try await SQLiteVaultStore.open(at: place.path(), draw: { throw CancellationError() })
    }
    let error = await #expect(throws: VaultStoreError.self) {
      try await SQLiteVaultStore.openForReading(at: place.path())
    }
    #expect(error?.reason.hasSuffix("there is no vault in it") == true)
    _ = try await place.open()
  }

  /// As a store was left that still had such a journal.
  @Test(arguments: ["DELETE", "TRUNCATE", "PERSIST"])
  func `a store with a rollback journal gets a log, and the journal goes`(mode: String) async throws {
    let place = try TemporaryDirectory()
    try await place.make()
    try place.tamper("PRAGMA journal_mode = \(mode); UPDATE clock SET latest = 1800000007")
    #expect(try place.bytes()[18] == 1, "the version of the file's format (sqlite.org/fileformat2.html)")
    let store = try await place.open()
    #expect(try await store.writer.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    #expect(try await store.writer.read { try Int64.fetchOne($0, sql: "SELECT latest FROM clock") } == 1_800_000_007)
    #expect(!place.exists("vault.sqlite-journal"))
    try await Scene(StoreMaker { _, _ in store }).payOneOfTwo()
  }

  /// Where the commits of a log end: at the frames that say how large the database is then, and have the salt of the
  /// log's header (sqlite.org/fileformat2.html, 4.1).
  private static func commits(in log: Data) -> [Int] {
    let (header, frame) = (32, 24 + 4096)
    let salt = log[16..<24]
    return stride(from: header, through: log.count - frame, by: frame).prefix { log[$0 + 8..<$0 + 16] == salt }
      .filter { log[$0 + 4..<$0 + 8].contains { $0 > 0 } }.map { $0 + frame }
  }

  /// The power went before the log had all of it.
  @Test(arguments: ["whole", "cut", "torn"])
  func `a commit that is not whole in the log was not made`(state: String) async throws {
    let place = try TemporaryDirectory()
    let scene = try await Scene(StoreMaker { _, _ in try await place.open() })
    try await scene.mint(1_000_000, to: Person(1))
    try await scene.mint(2_000_000, to: Person(1))
    var log = try place.bytes("vault.sqlite-wal")
    let ends = Self.commits(in: log)
    let last = try #require(ends.last)
    #expect(ends.count >= 2)
    switch state {
    case "cut": log = log.prefix(last - 1)
    case "torn": log[last - 100] ^= 1
    default: break
    }
    try place.bytes().write(to: URL(filePath: place.path("left.sqlite")))
    try log.write(to: URL(filePath: place.path("left.sqlite-wal")))
    for suffix in ["", "-wal"] { #expect(chmod(place.path("left.sqlite" + suffix), 0o600) == 0) }
    let left = try await SQLiteVaultStore.openForReading(at: place.path("left.sqlite"))
    let balance: Int64 = state == "whole" ? 3_000_000 : 1_000_000
    #expect(try await left.balances(of: Person(1).address) == [scene.token: balance])
    #expect(try await Vault(left).audit().findings == [])
  }

  @Test(arguments: ["a directory", "no store", "another program's store"])
  func `what is no vault's store is refused, and left as it is`(kind: String) async throws {
    let place = try TemporaryDirectory()
    switch kind {
    case "a directory": try FileManager.default.createDirectory(atPath: place.path(), withIntermediateDirectories: true)
    case "no store":
      try Data("not a database, but long enough to be taken for one".utf8).write(to: URL(filePath: place.path()))
    default: try place.tamper("CREATE TABLE outgoing (a)")
    }
    if kind != "a directory" { #expect(chmod(place.path(), 0o600) == 0) }
    let before = try? Data(contentsOf: URL(filePath: place.path()))
    await #expect(throws: VaultStoreError(.unusable, "")) { try await place.open() }
    #expect((try? Data(contentsOf: URL(filePath: place.path()))) == before)
  }

  @Test(arguments: [
    "CREATE TRIGGER thief AFTER UPDATE ON claims BEGIN UPDATE balances SET balance = balance + 1; END",
    "CREATE VIEW claims2 AS SELECT * FROM claims", "CREATE TABLE more (a)", "DROP INDEX settlements",
    "PRAGMA user_version = 3",
  ])
  func `a store in which somebody made something is refused`(sql: String) async throws {
    let place = try TemporaryDirectory()
    _ = try await place.open()
    try place.tamper(sql)
    await #expect(throws: VaultStoreError(.unusable, "")) { try await place.open() }
  }

  @Test func `a store of a development build is refused, with what to do, and left as it is`() async throws {
    let place = try TemporaryDirectory()
    try await place.make()
    try place.tamper("DROP TABLE clock; CREATE TABLE clock (latest INTEGER NOT NULL) STRICT; PRAGMA user_version = 1")
    let before = try place.bytes()
    for error in [
      await #expect(throws: VaultStoreError.self) { try await place.open() },
      await #expect(throws: VaultStoreError.self) { try await SQLiteVaultStore.openForReading(at: place.path()) },
    ] {
      #expect(error?.code == .unusable && error?.remedy?.hasPrefix("Serve it with that build") == true)
      #expect(error?.reason.hasSuffix("it was made by a development build of bump-vault") == true)
    }
    #expect(try Data(contentsOf: URL(filePath: place.path())) == before)
  }

  /// What is written to the one table would be read in the other, and an index would find another table's rows.
  @Test(arguments: [
    "rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'clock') WHERE name = 'place'",
    "rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'senders') WHERE name = 'balances'",
    "rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'mints') WHERE name = 'settlements'",
    "rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'mints') WHERE name = 'sqlite_autoindex_claims_1'",
  ])
  func `a store whose tables or indexes are made to lie at one page is refused`(change: String) async throws {
    let place = try TemporaryDirectory()
    do {
      let scene = try await Scene(StoreMaker { _, _ in try await place.open() })
      try await scene.payOneOfTwo()
    }
    try place.tamper("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET \(change)")
    await #expect(throws: VaultStoreError(.unusable, "")) { try await place.open() }
  }

  /// A server seals each second, and each write is waited for until it is on the disk.
  @Test func `a seal without anything to seal writes nothing`() async throws {
    let place = try TemporaryDirectory()
    let clock = SetClock()
    let store = try await place.open(clock: clock)
    let before = (try place.bytes(), try place.bytes("vault.sqlite-wal"))
    clock.advance(by: 60)
    #expect(try await store.seal(limit: 1) == nil)
    #expect(try (place.bytes(), place.bytes("vault.sqlite-wal")) == before)
    await store.close()
  }

  /// The clock as it was written, not as it was in the process that wrote it.
  @Test func `a clock that was set back stands still for the next that opens too`() async throws {
    let place = try TemporaryDirectory()
    let clock = SetClock()
    let claim: MadeClaim
    do {
      let scene = try await Scene(StoreMaker { _, _ in try await place.open(clock: clock) })
      claim = try scene.claim(1, lasting: 60)
      try await scene.mint(1_000_000, to: Person(1))
      try await scene.lock(claim, from: Person(1))
      clock.advance(by: 60)
      _ = try await scene.vault.refund(claim.id)
    }
    clock.advance(by: -1000)
    let store = try await place.open(clock: clock)
    #expect(try await store.rows(of: claim.id).now == claim.terms.expiry.unixSeconds)
  }

  @Test(arguments: [
    ("synchronous", "2"), ("journal_mode", "wal"), ("secure_delete", "1"), ("trusted_schema", "0"),
    ("foreign_keys", "1"), ("wal_autocheckpoint", "4000"), ("journal_size_limit", "16384000"),
  ])
  func `a change is on the disk when its call returns`(pragma: String, value: String) async throws {
    let place = try TemporaryDirectory()
    let store = try await place.open()
    #expect(try await store.writer.read { try String.fetchOne($0, sql: "PRAGMA \(pragma)") } == value)
  }

  /// What the vault's code cannot be asked to do, its database refuses.
  @Test(arguments: [
    "UPDATE balances SET balance = 1.5", "UPDATE balances SET balance = -1", "UPDATE balances SET balance = 'much'",
    "UPDATE balances SET balance = 9223372036854775807 + balance", "UPDATE tokens SET minted = -1",
    "UPDATE claims SET amount = 0", "UPDATE claims SET amount = 0.5", "UPDATE claims SET expiry = expiry + 1",
    "UPDATE claims SET status = 'claimed'", "UPDATE claims SET status = 'none'", "UPDATE claims SET status = 'paid'",
    "UPDATE claims SET sender = x'00'", "UPDATE claims SET settledAt = 1", "UPDATE senders SET pending = -1",
    "INSERT INTO journal SELECT NULL, randomblob(32), kind, time, ledgerId, sender, receiver, token, amount, evidence, batch FROM journal",
    """
    INSERT INTO journal SELECT NULL, randomblob(32), 4, time, ledgerId, sender, receiver, token, amount, evidence, NULL
    FROM journal WHERE kind = 3
    """,
    "UPDATE journal SET amount = -amount", "UPDATE journal SET amount = 1e3 + 0.5", "UPDATE journal SET kind = 5",
  ])
  func `the database itself refuses what cannot be`(sql: String) async throws {
    let place = try TemporaryDirectory()
    let scene = try await Scene(StoreMaker { _, _ in try await place.open() })
    try await scene.payOneOfTwo()
    #expect(throws: (any Error).self) { try place.tamper(sql) }
    try await scene.expectSound()
  }

  @Test func `no secret of a claim is in the files`() async throws {
    let place = try TemporaryDirectory()
    let scene = try await Scene(StoreMaker { _, _ in try await place.open() })
    try await scene.mint(3_000_000, to: Person(1))
    for number in 1...2 as ClosedRange<UInt64> {
      let claim = try scene.claim(number)
      try await scene.lock(claim, from: Person(1))
      if number == 1 { try await scene.take(claim, for: Person(2)) }
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: place.directory) {
      let bytes = try Data(contentsOf: URL(filePath: place.path(name)))
      for number in 1...2 as ClosedRange<UInt64> {
        let secret = Scene.secret(number)
        let hex = secret.map { String(format: "%02x", $0) }.joined()
        for form in [
          Data(secret), Data(hex.utf8), Data(hex.uppercased().utf8),
          Data(Data(secret).base64EncodedString().dropLast(2).utf8),
        ] {
          #expect(bytes.firstRange(of: form) == nil, "\(name)")
        }
        // What is searched for could be found.
        let hash = Data(try scene.claim(number).terms.secretHash.bytes)
        #expect(name != "vault.sqlite-wal" || bytes.firstRange(of: hash) != nil)
      }
    }
  }
}
