#if Vault
  import BumpVault
  import BumpVaultHTTP
  import Logging

  /// An embedded vault as its server needs it.
  struct EmbeddedServing: VaultServing {
    private let opened: OpenedStore
    private let limits: VaultLimits

    init(_ opened: OpenedStore, _ limits: VaultLimits) { (self.opened, self.limits) = (opened, limits) }

    func begin(_ settings: VaultSettings, _ logger: Logger) async throws -> ServedBackend {
      let vault = try await Vault(opened.store, limits: limits)
      let clock = try await opened.clock()
      let report: @Sendable (VaultStoreError) -> Void = {
        logger.error("the store failed", metadata: ["reason": "\($0)"])
      }
      let service = VaultService(
        vault, on: opened.store, settings, challenges: opened.challenges, requests: opened.requests, clock: clock.now,
        report: report)
      if settings.hasFaucet { logger.warning("the faucet is on: the money of this vault is worth nothing") }
      // The store's time never runs backwards: if it once ran ahead, it does not advance until the clock has caught up.
      let time = try await opened.store.currentTime()
      let ahead = time.now - clock.now() / 1000
      if ahead > 60 {
        logger.warning(
          "the store's time is ahead of the clock: deposits are refused until the clock has caught up",
          metadata: ["seconds": "\(ahead)"])
      }
      let upkeep = Upkeep(
        opened: opened, service: service, clock: clock, limits: limits, logger: logger, report: report)
      return ServedBackend(
        service: service, upkeep: upkeep, address: vault.rules.identity.address, close: { await opened.close() })
    }
  }
#endif
