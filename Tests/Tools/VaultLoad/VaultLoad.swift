import BumpClaims
import BumpPostgres
import BumpSQLite
import BumpVault
import BumpVaultAPI
import BumpVaultHTTP
import BumpVaultPostgres
import BumpVaultSQLite
import BumpWallet
import Foundation
import GRDB
import VaultContract

/// What the figures of a vault's server are measured with. Claims and people are the same in every run: numbers make them.
///
///   VaultLoad seed STORE EXPIRY COUNT          deposits claims, in a file or a postgresql: URL that `bump-vault` takes
///   VaultLoad claim PORTS EXPIRY FIRST COUNT CLIENTS
///                                              takes them over HTTP, each client on one connection, at servers in turn
///   VaultLoad nothing PORT COUNT CLIENTS       asks whether the server runs, which costs HTTP alone
///   VaultLoad watch PORT COUNT FIRST           waits for events of a thousand claims on so many connections, until its
///                                              input ends
///   VaultLoad bare FILE COUNT log|journal      the bare transaction on SQLite, one after the other, with a write-ahead log,
///                                              as the vault has it, or with a rollback journal
///   VaultLoad cost EXPIRY COUNT                what a claim costs without socket and disk
@main struct VaultLoad {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let numbers = arguments.dropFirst(2).compactMap { Int64($0) }
    switch (arguments.first, numbers.count) {
    case ("seed", 2): try await seed(arguments[1], expiry: numbers[0], count: numbers[1])
    case ("claim", 4):
      let ports = arguments[1].split(separator: ",").compactMap { UInt16($0) }
      let load = try await Load(expiry: numbers[0], first: numbers[1], count: Int(numbers[2]))
      print(try load.run(at: ports, clients: Int(numbers[3])))
    case ("nothing", 2):
      print(try Load(ofNothing: Int(numbers[0])).run(at: [UInt16(arguments[1]) ?? 0], clients: Int(numbers[1])))
    case ("watch", 2): try await watch(UInt16(arguments[1]) ?? 0, Int(numbers[0]), from: numbers[1])
    case ("bare", 1): try bare(arguments[1], count: numbers[0], hasLog: arguments.last == "log")
    case ("cost", _):
      try await Costs(expiry: Int64(arguments[1]) ?? 0, count: Int(numbers[0])).run()
    default:
      print("usage: VaultLoad seed|claim|nothing|watch|bare|cost …")
      exit(64)
    }
  }

  // MARK: Claims

  /// The vault of all runs, on a store.
  static func scene(_ store: StoreMaker) async throws -> Scene {
    let scene = try await Scene(store, limits: VaultLimits(pending: .max / 2, depositsPerDay: .max / 2))
    scene.clock.set(Int64(time(nil)))
    return scene
  }

  static func claim(_ scene: Scene, _ number: Int64, _ expiry: Int64) throws -> MadeClaim {
    var claim = try scene.claim(UInt64(number))
    claim.terms = ClaimTerms(
      secretHash: claim.terms.secretHash, token: claim.terms.token, amount: claim.terms.amount,
      expiry: Expiry(clamping: expiry))
    return claim
  }

  /// Several senders and receivers, so that claims do not wait for each other at one account.
  static func sender(_ number: Int64) throws -> Person { try Person(UInt64(number % 97)) }
  static func receiver(_ number: Int64) throws -> Person { try Person(1000 + UInt64(number % 97)) }

  private static func seed(_ store: String, expiry: Int64, count: Int64) async throws {
    let scene = try await scene(
      StoreMaker { identity, _ in
        guard store.hasPrefix("postgresql:") else {
          return try await SQLiteVaultStore.open(at: store, draw: { identity })
        }
        let url = URLComponents(string: store)
        return try await PostgresVaultStore.open(
          PostgresConfiguration(
            host: url?.queryItems?.first?.value ?? "", port: UInt16(url?.port ?? 5432), database: "postgres",
            user: url?.user ?? "", applicationName: "seed"), draw: { identity })
      })
    for number in 0..<97 as Range<Int64> {
      try await scene.mint(count * 1_000_000, to: sender(number), id: UInt64(number))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for part in 0..<8 as Range<Int64> {
        group.addTask {
          for number in stride(from: part, to: count, by: 8) {
            // An authorization lasts two minutes, and all of this may take longer.
            scene.clock.set(Int64(time(nil)))
            try await scene.lock(claim(scene, number, expiry), from: sender(number))
          }
        }
      }
      try await group.waitForAll()
    }
    while try await scene.store.seal(limit: 1000) != nil {}
  }

  // MARK: Streams of events

  private static func watch(_ port: UInt16, _ count: Int, from first: Int64) async throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let scene = try await scene(StoreMaker { InMemoryVaultStore($0, clock: $1) })
    var connections: [Connection] = []
    for number in 0..<count {
      let connection = try Connection(port)
      let id = try scene.claim(UInt64(first) + UInt64(number % 1000)).id
      try connection.send(Array("GET /api/claims/\(id)/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8))
      connections.append(connection)
      // So that those that wait to be accepted are not too many.
      if number % 100 == 99 { for connection in connections.suffix(100) { try connection.wait(for: "event: pending") } }
    }
    for connection in connections.suffix(count % 100) { try connection.wait(for: "event: pending") }
    FileHandle.standardOutput.write(Data("watching\n".utf8))
    while readLine() != nil {}
  }

  // MARK: The bare transaction

  private static func bare(_ file: String, count: Int64, hasLog: Bool) throws {
    let queue = try DatabaseQueue(
      path: file, configuration: hasLog ? .logged(checkpointAfter: 4000) : .durable(journalLimit: 1_048_576))
    if hasLog { try queue.inDatabase { try $0.keepLog() } }
    let bytes = { (number: Int64, count: Int) in
      Data((0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 % 8 * 8)) })
    }
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE claims (id TEXT PRIMARY KEY, status TEXT NOT NULL, terms BLOB, receiver BLOB, hash BLOB, time INTEGER);
          CREATE TABLE balances (
            account BLOB, token BLOB, balance INTEGER NOT NULL, PRIMARY KEY (account, token)) WITHOUT ROWID;
          CREATE TABLE journal (
            number INTEGER PRIMARY KEY AUTOINCREMENT, hash BLOB NOT NULL UNIQUE, kind INTEGER, time INTEGER, ledgerId BLOB,
            sender BLOB, receiver BLOB, token BLOB, amount INTEGER, evidence BLOB);
          CREATE UNIQUE INDEX settlements ON journal (ledgerId);
          CREATE INDEX journalBySender ON journal (sender, number);
          CREATE INDEX journalByReceiver ON journal (receiver, number);
          """)
      for number in 0..<count {
        try database.execute(
          sql: "INSERT INTO claims VALUES (?, 'pending', ?, NULL, NULL, NULL)",
          arguments: ["claim-\(number)", bytes(number, 200)])
      }
    }
    let begin = ContinuousClock.now
    for number in 0..<count {
      try queue.write { database in
        try database.cachedStatement(
          sql:
            "UPDATE claims SET status = 'claimed', receiver = ?, hash = ?, time = ? WHERE id = ? AND status = 'pending'"
        ).execute(arguments: [bytes(number % 97, 20), bytes(number, 32), number, "claim-\(number)"])
        try database.cachedStatement(
          sql: """
            INSERT INTO balances VALUES (?, ?, 1000000)
            ON CONFLICT (account, token) DO UPDATE SET balance = balance + excluded.balance
            """
        ).execute(arguments: [bytes(number % 97, 20), bytes(1, 20)])
        try database.cachedStatement(
          sql: """
            INSERT INTO journal (hash, kind, time, ledgerId, sender, receiver, token, amount, evidence)
            VALUES (?, 3, ?, ?, ?, ?, ?, 1000000, ?)
            """
        ).execute(arguments: [
          bytes(number, 32), number, bytes(number, 32), bytes(number % 89, 20), bytes(number % 97, 20), bytes(1, 20),
          bytes(number, 65),
        ])
      }
    }
    print(Double(count) / (ContinuousClock.now - begin).seconds)
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
