package import Samples

/// What somebody does next in a random history of a vault.
package enum HistoryStep: Sendable {
  case mint, wait
  /// A new claim.
  case make
  // With a claim that there is: mostly one of the last.
  case deposit, take, refund, race, steal, draft

  /// - Returns: the step, and whether the claim may be any, instead of one of the last.
  package static func next(_ random: inout SplitMix64) -> (step: Self, isAny: Bool) {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<8: (.mint, false)
    case 8..<20: (.wait, false)
    case 20..<50: (.make, false)
    case 50..<60: (.deposit, false)
    case 60..<78: (.take, false)
    case 78..<84: (.refund, false)
    case 84..<90: (.race, false)
    case 90..<94: (.refund, true)
    case 94..<97: (.steal, true)
    default: (.draft, true)
    }
  }
}
