#if Vault
  import BumpVaultHTTP
  import BumpWallet
  import Logging
  import ServiceLifecycle

  /// A vault as its server needs it: one that holds the money in a store of its own, or one on a chain.
  protocol VaultServing: Sendable {
    /// Makes what answers the requests, and the work beside them.
    ///
    /// - Throws: `Failure`, `VaultStoreError`, `ChainStoreError`.
    func begin(_ settings: VaultSettings, _ logger: Logger) async throws -> ServedBackend
  }

  /// A vault that a server serves.
  struct ServedBackend: Sendable {
    let service: VaultService
    /// The work beside the requests, which ends with the server.
    let upkeep: any Service
    /// The vault's address, for the log.
    let address: Address
    /// Closes the store, once the server has ended.
    let close: @Sendable () async -> Void
  }
#endif
