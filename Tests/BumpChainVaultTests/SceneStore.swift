import BumpChain
import ChainContract

/// The store of a scene.
enum SceneStore {
  static func make(_ vault: DeployedVault, clock: @escaping @Sendable () -> Int64) -> any ChainStore {
    InMemoryChainStore(vault, clock: clock)
  }
}
