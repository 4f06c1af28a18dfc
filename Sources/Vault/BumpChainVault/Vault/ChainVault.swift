public import BumpChain
public import BumpClaims
public import BumpVault
public import BumpWallet

/// A vault that is a contract on a chain: it carries signed requests there, and says what the chain has confirmed.
///
/// The money is the contract's. The vault pays for transactions, within its operator's limits.
public struct ChainVault: VaultBackend {
  let configuration: ChainConfiguration
  let nodes: NodePool
  let store: any ChainStore
  let clock: @Sendable () -> Int64
  let driver: ChainDriver

  public let pinned: PinnedVault
  public let receiptKey: PrivateKey

  /// Opens the vault: checks that the chain has what is configured. Nothing is followed or sent before `run`.
  ///
  /// - Parameters:
  ///   - clock: returns the time in seconds since 1970.
  ///   - report: receives what happens, for the operator.
  /// - Throws: `ChainError`, `ChainStoreError`.
  public static func open(
    _ configuration: ChainConfiguration, keys: ChainKeys, nodes: NodePool, store: any ChainStore,
    clock: @escaping @Sendable () -> Int64, report: @escaping @Sendable (ChainReport) -> Void
  ) async throws -> ChainVault {
    let pinned = try configuration.pinned(receiptKey: keys.receipts.address)
    guard store.vault == DeployedVault(chainID: configuration.chainID, contract: configuration.contract) else {
      throw ChainStoreError(
        .otherVault, "the store is that of another contract, or of one on another chain", remedy: "Name another store")
    }
    guard nodes.chainID == configuration.chainID else {
      throw ChainError(
        .misconfigured, "the nodes are for the chain \(nodes.chainID), and the vault is on \(configuration.chainID)")
    }
    guard keys.relayer != keys.receipts else {
      throw ChainError(
        .misconfigured, "one key pays for transactions and signs receipts", remedy: "Give the vault two keys")
    }
    try await ChainChecks(configuration: configuration, nodes: nodes).run()
    // The number of this process among those that want the relayer's lease.
    var generator = SystemRandomNumberGenerator()
    guard let holder = Bytes32(generator.bytes(32)) else { preconditionFailure("a number has 32 bytes") }
    return ChainVault(
      configuration: configuration, nodes: nodes, store: store, clock: clock,
      driver: ChainDriver(
        configuration, key: keys.relayer, nodes: nodes, store: store, holder: holder, clock: clock, report: report),
      pinned: pinned, receiptKey: keys.receipts)
  }

  public var limits: VaultLimits { configuration.limits }
  public var chain: ChainTerms? {
    ChainTerms(
      confirmations: configuration.confirmations, authorizationSeconds: configuration.authorizationSeconds)
  }

  /// Follows the chain and carries requests, until the task is cancelled. Then the relayer's lease is given up.
  public func run() async {
    while !Task.isCancelled {
      await driver.tick()
      try? await Task.sleep(for: .seconds(1))
    }
    await driver.end()
    // The store is closed next.
    await driver.idle()
  }

  /// Begins one round of what `run` does.
  package func tick() async { await driver.tick() }

  /// Waits until nothing runs that was begun.
  package func idle() async { await driver.idle() }

  /// Gives the relayer's lease up.
  package func end() async { await driver.end() }

  public func notifying(_ changed: @escaping @Sendable (ClaimID) -> Void) -> Self {
    driver.listeners.add(changed)
    return self
  }

  /// Makes nothing: the tokens are others' contracts.
  public func mint(
    _ id: Bytes32, _ amount: Amount, of token: Address, to receiver: Address
  ) async throws -> JournalEntry {
    throw VaultRefusal.unknownToken
  }
}
