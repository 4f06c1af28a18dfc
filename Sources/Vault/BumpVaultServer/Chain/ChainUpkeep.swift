#if Vault
  import BumpChainVault
  import BumpVaultHTTP
  import ServiceLifecycle

  /// The work beside the requests to a vault on a chain: follows the chain, carries calls, and wakes watchers.
  struct ChainUpkeep: Service {
    let vault: ChainVault
    let service: VaultService
    let clock: ServerClock

    /// Works until the server ends. What is being carried then is in the store, and the next start goes on with it.
    func run() async throws {
      await cancelWhenGracefulShutdown {
        await withTaskGroup { group in
          group.addTask { await vault.run() }
          group.addTask {
            while !Task.isCancelled {
              service.watchers.tick(clock.now() / 1000)
              try? await Task.sleep(for: .seconds(1))
            }
          }
        }
      }
    }
  }
#endif
