import BumpVault
import BumpVaultSQLite
import Foundation
import GRDB
import VaultContract

/// A directory that goes with its last reference, and the vault's store in it.
final class Place: Sendable {
  let directory: String

  /// - Parameter folder: where to make it.
  init(in folder: URL = FileManager.default.temporaryDirectory) throws {
    directory = folder.appending(path: "bump-vault-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(atPath: directory) }

  func path(_ name: String = "vault.sqlite") -> String { "\(directory)/\(name)" }

  /// The store of a vault that is the same in every run.
  func open(
    _ name: String = "vault.sqlite", _ provenance: VaultProvenance = .original, clock: SetClock = SetClock()
  ) async throws -> SQLiteVaultStore {
    try await SQLiteVaultStore.open(
      at: path(name), provenance: provenance, clock: { clock.now }, draw: { try Scene.identity() })
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

  func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
  }
}

extension StoreMaker {
  /// A store in a file of its own, whose directory stays as long as the maker.
  static func files(in place: Place) -> Self {
    StoreMaker { identity, clock in
      try await SQLiteVaultStore.open(at: place.path("\(UUID().uuidString).sqlite"), clock: clock, draw: { identity })
    }
  }
}
