import BumpChain
import Testing

/// One thing that is so of every store of a vault on a chain.
package struct ChainRule: Sendable, CustomTestStringConvertible {
  package let testDescription: String
  private let check: @Sendable (ChainScene, ChainStoreMaker) async throws -> Void

  init(_ sentence: String, _ check: @escaping @Sendable (ChainScene, ChainStoreMaker) async throws -> Void) {
    (testDescription, self.check) = (sentence, check)
  }

  /// Tries the rule on a new store.
  package func check(on maker: ChainStoreMaker) async throws { try await check(ChainScene(maker), maker) }

  package static let all = leaseRules + indexRules + claimRules + requestRules + sponsoringRules
}
