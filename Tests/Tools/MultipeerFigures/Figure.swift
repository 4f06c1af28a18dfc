/// One figure, and the bound that it has to keep.
struct Figure {
  enum Bound {
    case atLeast(Double)
    case atMost(Double)
    /// Shown beside the others.
    case none
  }

  let name: String
  let value: Double
  let unit: String
  let bound: Bound
  /// What it was made of.
  var detail = ""

  var isMissed: Bool {
    switch bound {
    // A value that is none keeps no bound.
    case .atLeast(let least): !(value >= least)
    case .atMost(let most): !(value <= most)
    case .none: false
    }
  }

  var line: String {
    let bound =
      switch self.bound {
      case .atLeast(let least): ", at least \(Self.text(least))"
      case .atMost(let most): ", at most \(Self.text(most))"
      case .none: ""
      }
    let parts = [name, Self.text(value), unit].filter { !$0.isEmpty }.joined(separator: " ")
    return parts + bound + (detail.isEmpty ? "" : " (\(detail))") + (isMissed ? " MISSED" : "")
  }

  /// A number with at most two places behind the point.
  static func text(_ value: Double) -> String {
    let text = "\((value * 100).rounded() / 100)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension [Double] {
  /// The middle one, or the lower of two; not a number where there is none.
  var median: Double { quantile(0.5) }

  /// The value that so much of all do not exceed.
  func quantile(_ part: Double) -> Double {
    guard !isEmpty else { return .nan }
    return sorted()[Swift.min(count - 1, Swift.max(0, Int((Double(count) * part).rounded(.up)) - 1))]
  }
}

extension ContinuousClock.Instant {
  var seconds: Double { duration(to: .now) / .seconds(1) }
  var milliseconds: Double { duration(to: .now) / .milliseconds(1) }
}
