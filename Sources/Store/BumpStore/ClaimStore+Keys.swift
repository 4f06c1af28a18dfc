public import BumpClaims
import GRDB

extension ClaimStore {
  /// Keeps a key under a name. If the name has a key already, that key stays: forget it first.
  ///
  /// - Parameters:
  ///   - direction: the direction of the claim with which the two ends agreed on the key; `nil` for a key that they have
  ///     from elsewhere.
  ///   - isConfirmed: whether the other end is known to keep the key too.
  ///   - now: the time in seconds since 1970.
  /// - Throws: `StoreError`. Then the key was not kept.
  public func remember(
    _ key: SharedKey, as name: DisplayName, agreedOnWith direction: Direction? = nil, isConfirmed: Bool = true,
    at now: Int64 = UnixTime.now()
  ) async throws -> RememberResult {
    try await write {
      try Self.remember(key, as: name, agreedOnWith: direction, isConfirmed: isConfirmed, at: now, in: $0)
    }
  }

  static func remember(
    _ key: SharedKey, as name: DisplayName, agreedOnWith direction: Direction?, isConfirmed: Bool, at now: Int64,
    in database: Database
  ) throws -> RememberResult {
    try database.execute(
      sql: """
        INSERT INTO keys (name, key, createdAt, isConfirmed, direction) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
        """, arguments: [name.text, Blob(key.exposed), now, isConfirmed, direction?.rawValue])
    return database.changesCount == 1 ? .kept : .nameTaken
  }

  /// Notes that the other end is known to keep the key of a name too.
  ///
  /// - Parameter key: the key that was agreed on, or that of a direction. If the name has another key, nothing is noted.
  /// - Throws: `StoreError`.
  public func confirm(_ key: SharedKey, of name: DisplayName) async throws {
    try await write { database in
      guard let kept = try Self.rememberedKey(of: name, in: database) else { return }
      guard [kept.agreed, kept.key(for: .outgoing), kept.key(for: .incoming)].contains(key) else { return }
      try database.execute(
        sql: "UPDATE keys SET isConfirmed = 1 WHERE name = ? AND isConfirmed = 0", arguments: [name.text])
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

  /// Returns the key for claims of one direction between this end and the one that is remembered under a name; `nil` if
  /// nobody is. The other end's key for its opposite direction is the same.
  ///
  /// - Throws: `StoreError`.
  public func key(of name: DisplayName, for direction: Direction) async throws -> SharedKey? {
    try await read { try Self.rememberedKey(of: name, in: $0)?.key(for: direction) }
  }

  /// Returns the key that was agreed on with a name, from which those of both directions are derived; `nil` if there is
  /// none.
  ///
  /// - Throws: `StoreError`.
  package func agreedKey(of name: DisplayName) async throws -> SharedKey? {
    try await read { try Self.rememberedKey(of: name, in: $0)?.agreed }
  }

  private static func rememberedKey(of name: DisplayName, in database: Database) throws -> RememberedKey? {
    let row = try Row.fetchOne(database, sql: "SELECT * FROM keys WHERE name = ?", arguments: [name.text])
    guard let row else { return nil }
    guard let key = try rememberedKey(row) else {
      throw StoreError(.failed, "the key of that name is damaged", remedy: "Forget it")
    }
    return key
  }

  /// Reads the key of a row; `nil` if it is damaged.
  private static func rememberedKey(_ row: Row) throws -> RememberedKey? {
    let bytes: Blob = try row.decode(forColumn: "key")
    let direction: String? = try row.decode(forColumn: "direction")
    return SharedKey(bytes.bytes).map { RememberedKey(agreed: $0, direction: direction.flatMap(Direction.init)) }
  }

  /// Returns the keys for claims from remembered ends, each with its name, those that were remembered last first. Leaves
  /// out damaged keys.
  ///
  /// - Parameter limit: the greatest number of keys.
  /// - Throws: `StoreError`.
  public func rememberedSenders(limit: Int) async throws -> [(name: DisplayName, key: SharedKey)] {
    try await read { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM keys ORDER BY createdAt DESC, name LIMIT ?", arguments: [limit]
      ).compactMap { row in
        let name: String = try row.decode(forColumn: "name")
        guard let key = try Self.rememberedKey(row) else { return nil }
        return (try DisplayName(name), key.key(for: .incoming))
      }
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
  /// - Parameter key: the agreed key to forget; `nil` for whatever key the name has.
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
