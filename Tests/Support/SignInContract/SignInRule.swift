import BumpSignIn
import Testing

/// One thing that is so of signing in on every store.
package struct SignInRule: Sendable, CustomTestStringConvertible {
  package let testDescription: String
  private let limits: SignInLimits
  private let check: @Sendable (SignInScene) async throws -> Void

  init(
    _ sentence: String, limits: SignInLimits = SignInLimits(),
    _ check: @escaping @Sendable (SignInScene) async throws -> Void
  ) {
    (testDescription, self.limits, self.check) = (sentence, limits, check)
  }

  /// Tries the rule on a new store.
  package func check(on make: AccountStoreMaker) async throws {
    try await check(SignInScene(make, limits: limits))
  }

  package static let all = codeRules + limitRules + sessionRules + deviceRules + lapseRules + raceRules
}
