#if Vault
  import BumpVault
  import BumpVaultHTTP
  import BumpWallet
  import Logging

  /// An embedded vault as its server needs it.
  struct EmbeddedServing: VaultServing {
    private let opened: OpenedStore
    private let limits: VaultLimits
    /// `nil` if nobody is to sign in.
    private let people: OpenedSignIn?

    init(_ opened: OpenedStore, _ limits: VaultLimits, _ people: OpenedSignIn?) {
      (self.opened, self.limits, self.people) = (opened, limits, people)
    }

    func begin(_ settings: VaultSettings, _ logger: Logger) async throws -> ServedBackend {
      let vault = try await Vault(opened.store, limits: limits)
      let clock = try await opened.clock()
      let report: @Sendable (VaultStoreError) -> Void = {
        logger.error("the store failed", metadata: ["reason": "\($0)"])
      }
      let post = people.map { people in
        CodePost(people.sender, from: people.plan.sender, for: settings.origin, clock: clock.now, logger)
      }
      let desk = people.flatMap { people in
        post.map { people.desk($0, in: vault.rules.identity.vault.domain) }
      }
      let service = VaultService(
        vault, on: opened.store, settings, challenges: opened.challenges, requests: opened.requests, signIn: desk,
        clock: clock.now, report: report)
      if let people, let post {
        logger.notice(
          "people sign in",
          metadata: ["codes": "\(post.name)", "accounts": "\(people.place)", "key": "\(people.keyPath)"])
      }
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
        opened: opened, people: people, post: post, service: service, clock: clock, limits: limits, logger: logger,
        report: report)
      return ServedBackend(
        service: service, upkeep: upkeep, address: vault.rules.identity.address,
        close: {
          await people?.close()
          await opened.close()
        })
    }
  }
#endif
