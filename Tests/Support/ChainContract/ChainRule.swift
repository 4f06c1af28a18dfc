import BumpChain
import Testing

/// One thing that is so of every store of a vault on a chain.
package struct ChainRule: Sendable, CustomTestStringConvertible {
  package let testDescription: String
  /// Whether it needs a store that goes by the scene's clock.
  package let setsClock: Bool
  private let check: @Sendable (ChainScene, ChainStoreMaker) async throws -> Void

  init(
    _ sentence: String, setsClock: Bool = false,
    _ check: @escaping @Sendable (ChainScene, ChainStoreMaker) async throws -> Void
  ) {
    (testDescription, self.setsClock, self.check) = (sentence, setsClock, check)
  }

  /// Tries the rule on a new store.
  package func check(on maker: ChainStoreMaker) async throws { try await check(ChainScene(maker), maker) }

  package static let all = leaseRules + indexRules + claimRules + requestRules + sponsoringRules
}
