package import BumpChain
package import VaultContract

/// One store in memory, which several processes of a test share.
package actor SharedStore {
  private var store: InMemoryChainStore?

  package init() {}

  package func make(_ vault: DeployedVault, _ clock: SetClock) -> InMemoryChainStore {
    let made = store ?? InMemoryChainStore(of: vault, clock: clock)
    store = made
    return made
  }
}
