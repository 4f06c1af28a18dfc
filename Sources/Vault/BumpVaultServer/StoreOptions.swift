#if Vault
  import ArgumentParser
  import BumpChain
  import BumpChainVault
  import BumpPostgres
  import BumpVault
  import BumpVaultPostgres
  import BumpVaultSQLite
  import Foundation

  /// The options for the store of a vault.
  struct StoreOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "The file the vault is kept in (or BUMP_VAULT_STORE, by default $XDG_DATA_HOME/bump/vault.sqlite, or chain.sqlite beside it for a vault on a chain).",
        valueName: "path"))
    var store: String?

    @Option(
      help: ArgumentHelp(
        "The PostgreSQL database the vault is kept in, instead of a file: postgresql://user@host:port/database (or BUMP_VAULT_POSTGRES). The password comes from PGPASSWORD or PostgreSQL's password file.",
        valueName: "url"))
    var postgres: String?

    @Option(help: ArgumentHelp("How many connections to the database may be open at once.", valueName: "number"))
    var connections = 8

    /// Opens the store.
    ///
    /// - Parameters:
    ///   - provenance: the owner's statement about a store that is not where its vault was made.
    ///   - makes: whether to make a store if there is none.
    /// - Throws: `Failure`, `VaultStoreError`.
    func open(_ provenance: VaultProvenance = .original, makes: Bool) async throws -> OpenedStore {
      switch try place() {
      case .file(let path): .sqlite(try await .open(at: path, provenance: provenance, makes: makes))
      case .database(let database):
        .postgres(try await .open(database, size: connections, provenance: provenance, makes: makes))
      }
    }

    /// Opens the store for reading alone, wherever it is.
    ///
    /// - Throws: `Failure`, `VaultStoreError`.
    func openForReading() async throws -> OpenedStore {
      switch try place() {
      case .file(let path): .sqlite(try await .openForReading(at: path))
      case .database(let database): .postgres(try await .openForReading(database))
      }
    }

    /// Returns where the accounts of the people are kept who sign in at the vault, and the usual path of their key.
    ///
    /// - Throws: `Failure`.
    func accounts() throws -> (store: Location, key: String) {
      switch try place() {
      case .file(let path):
        let stem = path.hasSuffix(".sqlite") ? String(path.dropLast(".sqlite".count)) : path
        return (.file("\(stem)-accounts.sqlite"), "\(stem)-accounts.key")
      case .database(let database):
        return (.database(database), try Self.usual(ProcessInfo.processInfo.environment, "accounts.key"))
      }
    }

    enum Location {
      case file(String)
      case database(PostgresConfiguration)
    }

    /// Opens the store of a vault on a chain. Without an option it is a file of its own, beside that of an embedded vault.
    ///
    /// - Parameter makes: whether to make a file if there is none.
    /// - Throws: `Failure`, `ChainStoreError`.
    func openForChain(_ chain: ChainConfiguration, makes: Bool) async throws -> OpenedChainStore {
      let vault = DeployedVault(chainID: chain.chainID, contract: chain.contract)
      switch try place(usually: "chain.sqlite") {
      case .file(let path):
        guard makes || FileManager.default.fileExists(atPath: path) else {
          throw Failure("there is no store \(path). `bump-vault serve` makes one")
        }
        return .sqlite(try await .open(at: path, of: vault))
      case .database(let database): return .postgres(try await .open(database, of: vault, size: connections))
      }
    }

    private func place(usually name: String = "vault.sqlite") throws -> Location {
      let environment = ProcessInfo.processInfo.environment
      guard store == nil || postgres == nil else { throw Failure.usage("--store and --postgres exclude each other") }
      guard (1...1000).contains(connections) else { throw Failure.usage("--connections is 1 to 1000") }
      if store == nil, let url = postgres ?? environment["BUMP_VAULT_POSTGRES"].flatMap({ $0.isEmpty ? nil : $0 }) {
        return .database(try PostgresURL.configuration(url))
      }
      let path =
        try store ?? environment["BUMP_VAULT_STORE"].flatMap { $0.isEmpty ? nil : $0 } ?? Self.usual(environment, name)
      guard !path.isEmpty else { throw Failure.usage("--store is the path of a file") }
      return .file(path)
    }

    private static func usual(_ environment: [String: String], _ name: String) throws -> String {
      if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return "\(data)/bump/\(name)" }
      guard let home = environment["HOME"], home.hasPrefix("/") else {
        throw Failure("HOME is not set, so \(name) has no directory. Set HOME or XDG_DATA_HOME, or name the file")
      }
      return "\(home)/.local/share/bump/\(name)"
    }
  }

  /// An open store.
  enum OpenedStore: Sendable {
    case sqlite(SQLiteVaultStore)
    case postgres(PostgresVaultStore)

    var store: any VaultStore {
      switch self {
      case .sqlite(let store): store
      case .postgres(let store): store
      }
    }

    func close() async {
      switch self {
      case .sqlite(let store): await store.close()
      case .postgres(let store): await store.close()
      }
    }
  }
#endif
