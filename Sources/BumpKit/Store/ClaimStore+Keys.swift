public import BumpChannel
public import BumpWire
import GRDB

extension ClaimStore {
  /// Keeps a key under a name. A name that has a key already keeps that one: forget it first.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Returns: whether the key was kept.
  /// - Throws: `StoreError`.
  public func remember(_ key: SharedKey, as name: DisplayName, at now: Int64 = UnixTime.now()) async throws -> Bool {
    try await write { database in
      try database.execute(
        sql: "INSERT INTO keys VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        arguments: [name.text, Blob(key.exposed), now])
      return database.changesCount == 1
    }
  }

  /// The key that is kept under a name.
  ///
  /// - Throws: `StoreError`.
  public func key(of name: DisplayName) async throws -> SharedKey? {
    let bytes = try await read { database in
      try Blob.fetchOne(database, sql: "SELECT key FROM keys WHERE name = ?", arguments: [name.text])?.bytes
    }
    return try bytes.map { bytes in
      guard let key = SharedKey(bytes) else { throw StoreError(.failed, "the key of that name is damaged; forget it") }
      return key
    }
  }

  /// The names that keys are kept under, in order.
  ///
  /// - Throws: `StoreError`.
  public func rememberedNames() async throws -> [DisplayName] {
    try await read { database in
      try String.fetchAll(database, sql: "SELECT name FROM keys ORDER BY name").map { try DisplayName($0) }
    }
  }

  /// Forgets a key.
  ///
  /// - Returns: whether there was one.
  /// - Throws: `StoreError`.
  public func forget(_ name: DisplayName) async throws -> Bool {
    try await write { database in
      try database.execute(sql: "DELETE FROM keys WHERE name = ?", arguments: [name.text])
      return database.changesCount == 1
    }
  }
}
