import BumpChain
import BumpWallet

/// Finds out whether a node that names no log of the vault in a block has only lost it: the block's filter may contain the
/// vault's events. A node may have a block before it has its logs, and may forget old ones.
struct LogAbsence {
  private let configuration: ChainConfiguration
  private let nodes: NodePool
  /// Whether a block's logs, all of them, were what the filter says.
  private var hasOldLogs = false

  /// Begins a round, in which blocks are at most a few minutes apart.
  init(_ configuration: ChainConfiguration, _ nodes: NodePool) {
    (self.configuration, self.nodes) = (configuration, nodes)
  }

  /// Compares the node with another one, with what the contract holds, or with the block's filter.
  ///
  /// - Throws: `FollowError.contradiction` if the node lacks logs; what the node's other answers throw.
  mutating func check(_ header: BlockHeader, at place: NodePool.Place) async throws {
    if let hasLogs = await nodes.hasLogs(of: configuration.contract, inBlock: header.hash, besides: place) {
      guard !hasLogs else {
        throw FollowError.contradiction("it has no logs of a block of which another node has some")
      }
      return
    }
    do {
      let (before, after) = (try await locked(header.parent, place), try await locked(header.hash, place))
      guard before == after else {
        throw FollowError.contradiction("it has no logs of a block that has changed what the contract holds")
      }
    } catch let error as NodeError where error.refusal != nil {
      // Most nodes keep the state of some hundred blocks alone, and logs for longer.
      try await checkAll(header, at: place)
    }
  }

  /// Returns how much of each token the contract holds for claims behind a block. Other nodes are not asked.
  private func locked(_ block: Bytes32, _ place: NodePool.Place) async throws -> [UInt128] {
    var amounts: [UInt128] = []
    for token in configuration.tokens {
      let call = ClaimVaultCall.locked(token.contract.address).data
      let result = try await nodes.call(call, to: configuration.contract, inBlock: block, at: place)
      // Before the contract was made, nothing answers.
      amounts.append(result.isEmpty ? 0 : try ClaimVaultCall.locked(result))
    }
    return amounts
  }

  /// Compares all logs of a block with its filter: whatever is missing shows. Once a round, since they may be a megabyte.
  private mutating func checkAll(_ header: BlockHeader, at place: NodePool.Place) async throws {
    if hasOldLogs { return }
    let logs = try await nodes.logs(of: nil, inBlock: header.hash, at: place)
    guard Bloom(of: logs) == header.bloom, !logs.contains(where: { $0.address == configuration.contract }) else {
      throw FollowError.contradiction("it lacks logs of a block that are in the block's filter")
    }
    hasOldLogs = true
  }
}
