public import BumpClaims
import GRDB

extension ClaimStore {
  /// Keeps a key under a name. If the name has a key already, that key stays: forget it first.
  ///
  /// - Parameters:
  ///   - isConfirmed: whether the other end is known to keep the key too.
  ///   - now: the time in seconds since 1970.
  /// - Throws: `StoreError`. Then the key was not kept.
  public func remember(
    _ key: SharedKey, as name: DisplayName, isConfirmed: Bool = true, at now: Int64 = UnixTime.now()
  ) async throws -> RememberResult {
    try await write { try Self.remember(key, as: name, isConfirmed: isConfirmed, at: now, in: $0) }
  }

  static func remember(
    _ key: SharedKey, as name: DisplayName, isConfirmed: Bool, at now: Int64, in database: Database
  ) throws -> RememberResult {
    try database.execute(
      sql: """
        INSERT INTO keys (name, key, createdAt, isConfirmed) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
        """, arguments: [name.text, Blob(key.exposed), now, isConfirmed])
    return database.changesCount == 1 ? .kept : .nameTaken
  }

  /// Notes that the other end is known to keep this key too.
  ///
  /// - Throws: `StoreError`.
  public func confirm(_ key: SharedKey, of name: DisplayName) async throws {
    try await write { database in
      try database.execute(
        sql: "UPDATE keys SET isConfirmed = 1 WHERE name = ? AND key = ? AND isConfirmed = 0",
        arguments: [name.text, Blob(key.exposed)])
    }
  }

  /// Returns whether the other end is known to keep the key of a name too; `nil` if the name has no key.
  ///
  /// - Throws: `StoreError`.
  public func isConfirmed(_ name: DisplayName) async throws -> Bool? {
    try await read { database in
      try Bool.fetchOne(database, sql: "SELECT isConfirmed FROM keys WHERE name = ?", arguments: [name.text])
    }
  }

  /// Returns the key that is kept under a name; `nil` if there is none.
  ///
  /// - Throws: `StoreError`.
  public func key(of name: DisplayName) async throws -> SharedKey? {
    let bytes = try await read { database in
      try Blob.fetchOne(database, sql: "SELECT key FROM keys WHERE name = ?", arguments: [name.text])?.bytes
    }
    return try bytes.map { bytes in
      guard let key = SharedKey(bytes) else {
        throw StoreError(.failed, "the key of that name is damaged", remedy: "Forget it")
      }
      return key
    }
  }

  /// Returns the names under which keys are kept, sorted.
  ///
  /// - Throws: `StoreError`.
  public func rememberedNames() async throws -> [DisplayName] {
    try await read { database in
      try String.fetchAll(database, sql: "SELECT name FROM keys ORDER BY name").map { try DisplayName($0) }
    }
  }

  /// Forgets the key of a name.
  ///
  /// - Parameter key: the key to forget; `nil` for whatever key the name has.
  /// - Throws: `StoreError`.
  public func forget(_ name: DisplayName, key: SharedKey? = nil) async throws -> ForgetResult {
    let result: ForgetResult = try await write { database in
      try database.execute(
        sql: "DELETE FROM keys WHERE name = :name AND (:key IS NULL OR key = :key)",
        arguments: ["name": name.text, "key": key.map { Blob($0.exposed) }])
      return database.changesCount == 1 ? .forgotten : .missing
    }
    if result == .forgotten { try await renewJournal() }
    return result
  }
}
