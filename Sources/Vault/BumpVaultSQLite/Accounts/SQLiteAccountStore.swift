import BumpSQLite
public import BumpSignIn
import BumpSystem
import BumpVault
import BumpWallet
import FoundationEssentials
import GRDB

/// A store of accounts in an SQLite file of its own.
///
/// Every change is on the disk when its call returns, and survives a power cut at that moment. Several processes may
/// share the file; each waits up to five seconds for another.
public final class SQLiteAccountStore: AccountStore {
  /// The absolute path of the file.
  public let path: String
  let queue: DatabaseQueue

  private init(path: String, _ queue: DatabaseQueue) { (self.path, self.queue) = (path, queue) }

  /// Opens a store. If there is none, makes it: the file with mode 0600, its directory with 0700.
  ///
  /// - Parameter keys: the keys with which its contents are hashed. They are not written to it.
  /// - Throws: `AccountStoreError`: `.otherKeys` for a store that was made with other keys; `.unusable`, `.damaged`;
  ///   `.failed` if another process holds the file.
  public static func open(at path: String, keys: AccountKeys) async throws -> SQLiteAccountStore {
    let path = DatabaseFile.absolute(path)
    do {
      let queue = try await onThread {
        let path = try DatabaseFile.prepare(path)
        let queue = try DatabaseQueue(path: path, configuration: .durable(journalLimit: 1_048_576))
        try queue.write { try settle($0, path, keys) }
        return queue
      }
      return SQLiteAccountStore(path: path, queue)
    } catch {
      throw AccountStoreError(storing: error, at: path, opening: true)
    }
  }

  /// Makes a store in an empty file. Otherwise checks that it is one, and that it was made with these keys.
  private static func settle(_ database: Database, _ path: String, _ keys: AccountKeys) throws {
    if try VaultSchema.isEmpty(database) {
      try AccountSchema.make(in: database)
      try database.execute(sql: "INSERT INTO keys VALUES (?)", arguments: [keys.fingerprint.blob])
      return
    }
    try AccountSchema.check(database)
    guard try Data.fetchOne(database, sql: "SELECT fingerprint FROM keys") == keys.fingerprint.blob else {
      throw AccountStoreError(
        .otherKeys, "the store of accounts \(path) was made with another key: with this one, nobody has an account",
        remedy: "Name the file of its key")
    }
  }

  public func change<Answer: Sendable>(
    _ selection: AccountSelection, _ operation: @escaping @Sendable (inout AccountRows) -> Answer
  ) async throws -> Answer {
    try await ended { [queue] in
      // The transaction begins by taking the lock, so that no other change comes between its reads and its writes.
      try await queue.write { database in
        let before = try AccountRows(selection, in: database)
        var after = before
        let answer = operation(&after)
        try AccountChanges(from: before, to: after).write(to: database)
        return answer
      }
    }
  }

  public func rows(_ selection: AccountSelection) async throws -> AccountRows {
    try await ended { [queue] in try await queue.read { try AccountRows(selection, in: $0) } }
  }

  @discardableResult public func removeLapsed(at now: Int64, _ limits: SignInLimits) async throws -> Int {
    try await ended { [queue] in
      try await queue.write { database in
        var count = 0
        for (sql, time) in [
          ("DELETE FROM flows WHERE expires <= ?", now),
          ("DELETE FROM sessions WHERE began <= ?", now - limits.sessionLifetime),
          ("DELETE FROM addresses WHERE account IS NULL AND latest <= ?", now - limits.codeMemory),
        ] {
          try database.execute(sql: sql, arguments: [time])
          count += database.changesCount
        }
        return count
      }
    }
  }

  /// Runs the body to its end, even if the calling task is cancelled.
  private func ended<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    do {
      return try await uncancelled(body)
    } catch {
      throw AccountStoreError(storing: error, at: path)
    }
  }
}

extension AccountRows {
  /// Reads the rows of a selection.
  fileprivate init(_ selection: AccountSelection, in database: Database) throws {
    self.init()
    switch selection {
    case .beginning(let address, let earlier):
      addresses = try AddressRow.find(address, in: database)
      if let earlier { flows = try FlowRow.find(earlier, in: database) }
    case .entering(let token, let earlier):
      flows = try FlowRow.find(token, in: database)
      guard let flow = flows[token] else { return }
      addresses = try AddressRow.find(flow.address, in: database)
      if let account = addresses[flow.address]?.account { try read(account, in: database) }
      if let earlier { sessions.merge(try Self.session(of: earlier, in: database)) { first, _ in first } }
    case .session(let token, let device):
      sessions = try Self.session(of: token, in: database)
      if let account = sessions.values.first?.account { try read(account, in: database) }
      if let device { devices.merge(try Device.find(device, in: database)) { first, _ in first } }
    case .device(let id):
      devices = try Device.find(id, in: database)
      if let account = devices[id]?.account { accounts = try Account.find(account, in: database) }
    }
  }

  private static func session(of token: TokenHash, in database: Database) throws -> [SessionID: Session] {
    try Session.find(in: database, where: "token = ?1 OR previous = ?1", [token.value.blob])
  }

  /// Reads an account with its devices and sessions.
  private mutating func read(_ account: AccountID, in database: Database) throws {
    accounts = try Account.find(account, in: database)
    devices = try Device.find(in: database, where: "account = ?", [account.value.blob])
    sessions = try Session.find(in: database, where: "account = ?", [account.value.blob])
  }
}

extension AccountChanges {
  /// Writes the changes: accounts first, which others refer to.
  fileprivate func write(to database: Database) throws {
    try accounts.write(to: database)
    try addresses.write(to: database)
    try flows.write(to: database)
    try devices.write(to: database)
    try sessions.write(to: database)
  }
}

extension AccountChanges.Of where Row: AccountTable {
  fileprivate func write(to database: Database) throws {
    for key in deleted { try Row.delete(key, in: database) }
    for row in inserted { try row.insert(in: database) }
    for row in updated { try row.update(in: database) }
  }
}

extension AccountStoreError {
  /// Makes an error for a person from an error of SQLite or the system, without the values of a statement.
  init(storing error: any Error, at path: String, opening isOpening: Bool = false) {
    let store = "the store of accounts \(path)"
    switch error {
    case let error as AccountStoreError: self = error
    case is DamagedRow, is RowDecodingError:
      self.init(.damaged, "\(store) is damaged: a row in it is not what this program has written")
    default:
      let failure = DatabaseFailure(error, of: store, opening: isOpening)
      self.init(isOpening && !failure.isBusy ? .unusable : .failed, failure.reason, remedy: failure.remedy)
    }
  }
}
