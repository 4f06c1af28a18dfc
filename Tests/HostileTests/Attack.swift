import BumpWire

/// What somebody in the middle does to one frame, as a seed decides. (Flipped bits have a test of their own, of all bytes.)
struct Attack: Sendable, CustomStringConvertible {
  enum Kind: String, CaseIterable, Sendable {
    case drop, double, delay, reorder, cut, replay
  }

  let kind: Kind
  let place: Passage.Place
  /// Whether every connection suffers it, or the first alone.
  let everyTime: Bool
  private let seed: UInt64

  init(in course: Course, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    // The kinds in turn, so that few runs cover all.
    kind = Kind.allCases[Int(seed % UInt64(Kind.allCases.count))]
    place = Passage.Place.all(in: course).randomElement(using: &random) ?? .claim(in: course)
    everyTime = .random(in: 0...3, using: &random) == 0
    self.seed = seed
  }

  /// - Parameter earlier: what went on in a session that is over.
  func fate(of passage: Passage, earlier: [Passage]) -> Fate {
    guard passage.place == place, everyTime || passage.connection == 0 else { return .forward }
    var random = SplitMix64(seed: seed ^ 0xF0F0)
    switch kind {
    case .drop: return .drop
    case .double: return .double
    case .delay: return .delay(milliseconds: .random(in: 1...80, using: &random))
    case .reorder: return .reorder
    case .cut: return .cut(after: .random(in: 0..<passage.bytes.count, using: &random))
    case .replay: return earlier.first { $0.place == place }.map { .replace($0.bytes) } ?? .drop
    }
  }

  var description: String { "\(kind) of \(place)\(everyTime ? ", every time" : "")" }
}
