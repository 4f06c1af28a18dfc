import BumpVault
import Testing

/// One thing that is so of a vault on every store.
package struct StoreRule: Sendable, CustomTestStringConvertible {
  package let testDescription: String
  private let limits: VaultLimits
  private let check: @Sendable (Scene) async throws -> Void

  init(
    _ sentence: String, limits: VaultLimits = VaultLimits(), _ check: @escaping @Sendable (Scene) async throws -> Void
  ) {
    (testDescription, self.limits, self.check) = (sentence, limits, check)
  }

  /// Tries the rule on a new store. Whatever happened, the books are in order afterwards.
  package func check(on make: StoreMaker) async throws {
    let scene = try await Scene(make, limits: limits)
    try await check(scene)
    try await scene.expectSound()
  }

  package static let all =
    lifeRules + repeatRules + draftRules + depositRules + claimRules + refundRules + mintRules + limitRules
    + staleRules + raceRules + ledgerRules + clockRules
}
