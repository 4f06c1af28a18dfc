#if Vault
  import BumpChainVault
  import BumpNode
  import BumpText
  import BumpVault
  import BumpVaultHTTP
  import BumpWallet
  import Logging

  /// A vault on a chain as its server needs it.
  struct ChainServing: VaultServing {
    private let chain: ChainOptions.Chain
    private let options: StoreOptions

    init(_ chain: ChainOptions.Chain, _ options: StoreOptions) { (self.chain, self.options) = (chain, options) }

    func begin(_ settings: VaultSettings, _ logger: Logger) async throws -> ServedBackend {
      let configuration = chain.file.configuration
      let nodes = chain.file.nodePool(clock: ServerClock.seconds)
      let vault: ChainVault
      let opened: OpenedChainStore
      do {
        // First, since a store is made for one contract: a mistake in the configuration must not make one.
        try await configuration.check(over: nodes)
        opened = try await options.openForChain(configuration, makes: true)
        vault = try await ChainVault.open(
          configuration, keys: chain.keys, nodes: nodes, store: opened.store, clock: ServerClock.seconds,
          report: { Self.log($0, logger) })
      } catch let error as ChainError {
        throw Failure(VisibleText.ofMessage("\(error)"))
      }
      let clock = try await ServerClock(nil)
      // A database's challenges and counts belong to an embedded vault: each server of a vault on a chain has its own.
      let service = VaultService(
        vault, settings, challenges: ProcessChallengeLog(), clock: clock.now,
        report: { logger.error("the store failed", metadata: ["reason": "\($0)"]) })
      return ServedBackend(
        service: service, upkeep: ChainUpkeep(vault: vault, service: service, clock: clock),
        address: vault.pinned.vault.address, close: { await opened.close() })
    }

    private static func log(_ report: ChainReport, _ logger: Logger) {
      let level: Logger.Level =
        switch report.level {
        case .info: .info
        case .warning: .warning
        case .error: .error
        }
      logger.log(level: level, "\(report.text)")
    }
  }

  extension ChainFile {
    /// The nodes by the hosts of their URLs, whose paths nobody sees.
    func nodePool(clock: @escaping @Sendable () -> Int64) -> NodePool {
      NodePool(
        nodes.map { ($0.shown, HTTPNodeTransport(url: $0.text)) }, chainID: configuration.chainID, clock: clock)
    }
  }
#endif
