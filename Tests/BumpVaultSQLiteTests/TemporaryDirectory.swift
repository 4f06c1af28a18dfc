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

extension StoreMaker {
  /// A store in a file of its own, whose directory stays as long as the maker.
  static func files(in place: TemporaryDirectory) -> Self {
    StoreMaker { identity, clock in
      try await SQLiteVaultStore.open(at: place.path("\(UUID().uuidString).sqlite"), clock: clock, draw: { identity })
    }
  }
}
