import BumpVault
import BumpVaultSQLite
import Foundation
import GRDB
import Samples
import VaultContract

extension TemporaryDirectory {
  func path() -> String { path("vault.sqlite") }

  /// The store of a vault that is the same in every run.
  func open(
    _ name: String = "vault.sqlite", _ provenance: VaultProvenance = .original, clock: SetClock = SetClock()
  ) async throws -> SQLiteVaultStore {
    try await SQLiteVaultStore.open(
      at: path(name), provenance: provenance, clock: { clock.machine }, draw: { try Scene.identity() })
  }

  /// Makes the store of a vault, which nobody has open then: all of it is in its file.
  func make(_ name: String = "vault.sqlite") async throws { try await open(name).close() }

  /// Opens a store, and returns its identity. Nobody has the store open then.
  func identity(_ name: String = "vault.sqlite", _ provenance: VaultProvenance = .original) async throws
    -> VaultIdentity
  {
    let store = try await open(name, provenance)
    let identity = try await store.identity()
    await store.close()
    return identity
  }

  /// The bytes of a store's file, or of one beside it.
  func bytes(_ name: String = "vault.sqlite") throws -> Data { try Data(contentsOf: URL(filePath: path(name))) }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// Another hand on the same file: SQL that a store would never say.
  ///
  /// - Returns: how many rows were changed.
  @discardableResult func tamper(_ sql: String, _ name: String = "vault.sqlite") throws -> Int {
    try DatabaseQueue(path: path(name)).inDatabase { database in
      try database.execute(sql: "PRAGMA foreign_keys = OFF; \(sql)")
      return database.totalChangesCount
    }
  }
}

extension Scene {
  /// Closes the store: all of it is in its file then.
  func close() async { await (store as? SQLiteVaultStore)?.close() }
}

extension StoreMaker {
  /// A store in a file of its own, whose directory stays as long as the maker.
  static func files(in place: TemporaryDirectory) -> Self {
    StoreMaker { identity, clock in
      try await SQLiteVaultStore.open(at: place.path("\(UUID().uuidString).sqlite"), clock: clock, draw: { identity })
    }
  }
}
