import ArgumentParser
import BumpKit
import BumpTerminal

/// The options for the store.
struct StoreOptions: ParsableArguments {
  static let help = ArgumentHelp(
    "The file the claims are kept in (or BUMP_STORE, by default $XDG_DATA_HOME/bump/bump.sqlite).", valueName: "path")

  @Option(help: help, completion: .file(), transform: Arguments.storePath)
  var store: String?

  /// The path of the named store; `nil` for the default one.
  private var named: String? { store ?? Environment.value("BUMP_STORE") }
  private var path: String { named ?? Environment.defaultStore }

  /// Opens the store. Makes it if there is none. Makes missing directories only for the default store: in another path
  /// they are probably a typing error, and nobody would find the claims there.
  ///
  /// - Throws: `CommandError`, `StoreError.unusable`.
  func open() async throws -> ClaimStore {
    try CommandError.checkFolder(of: named, the: "store", named: "--store")
    return try await ClaimStore.open(at: path)
  }

  /// Makes the store from a backup. See `open` about directories.
  func restore(_ backup: String) async throws -> RestoredStore {
    try CommandError.checkFolder(of: named, the: "store", named: "--store")
    return try await ClaimStore.restore(backup, to: path)
  }

  /// Opens the store for reading; `nil` if there is none yet.
  func openForReading() async throws -> ClaimStore? { try await ClaimStore.openForReading(at: path) }
}
