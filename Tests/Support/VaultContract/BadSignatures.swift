import Samples

/// Signatures that stand for a good one in another form, and must not pass for it.
enum BadSignature: CaseIterable {
  case highS, v0, v1, v29, cut, extended, empty, zeroR, zeroS, noSigner

  func of(_ good: [UInt8]) -> [UInt8] {
    switch self {
    case .highS: Array(good[..<32]) + negated(good[32..<64]) + [good[64] ^ 27 ^ 28]
    case .v0: Array(good[..<64]) + [0]
    case .v1: Array(good[..<64]) + [1]
    case .v29: Array(good[..<64]) + [29]
    case .cut: Array(good.dropLast())
    case .extended: good + [0]
    case .empty: []
    case .zeroR: Self.word(0) + good[32...]
    case .zeroS: Array(good[..<32]) + Self.word(0) + [good[64]]
    // No point of the curve has x = 5.
    case .noSigner: Self.word(5) + Self.word(1) + [27]
    }
  }

  /// Whether it has the one form that is allowed, and is wrong all the same.
  var isWellFormed: Bool { self == .noSigner }

  private static func word(_ number: UInt8) -> [UInt8] { [UInt8](repeating: 0, count: 31) + [number] }
}
