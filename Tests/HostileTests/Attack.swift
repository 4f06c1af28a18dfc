import BumpFaults

/// What somebody in the middle does to one frame, as a seed decides. (Flipped bits have a test of their own, of all bytes.)
struct Attack: Sendable, CustomStringConvertible {
  /// What may befall a frame.
  static let effects: [ByteFault.Effect] = [
    .drop, .again, .delay(.milliseconds(1...80)), .swap, .cutInside(percent: 0...99), .replay,
  ]

  let effect: ByteFault.Effect
  let place: InterceptedFrame.Position
  /// Whether every connection suffers it, or the first alone.
  let everyTime: Bool
  private let seed: UInt64

  init(_ effect: ByteFault.Effect, on place: InterceptedFrame.Position, everyTime: Bool, seed: UInt64 = 1) {
    (self.effect, self.place, self.everyTime, self.seed) = (effect, place, everyTime, seed)
  }

  init(in kind: SessionKind, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let place = InterceptedFrame.Position.all(in: kind).randomElement(using: &random) ?? .claim(in: kind)
    // The effects in turn, so that few runs cover all.
    self.init(
      Self.effects[Int(seed % UInt64(Self.effects.count))], on: place,
      everyTime: .random(in: 0...3, using: &random) == 0, seed: seed)
  }

  /// The receiver opens each connection, and a frame is a record.
  var plan: FaultPlan {
    let fault = ByteFault(
      effect, way: place.direction == .fromReceiver ? .fromOpener : .toOpener, from: place.number + 1,
      scope: everyTime ? .all : .connections(1...1))
    return FaultPlan(.meddling([.bytes(fault)]), seed: seed)
  }

  var description: String { "\(effect) of \(place)\(everyTime ? ", every time" : "")" }
}

extension FaultPlan {
  /// Nothing goes wrong.
  static let none = FaultPlan(.meddling([]))
}

extension FaultProfile {
  fileprivate static func meddling(_ faults: [Fault]) -> FaultProfile {
    FaultProfile(
      "meddling", "Somebody in the middle meddles with a frame.", wire: .bump, .documented, ["Docs/threat-model.md"],
      remedy: "Nothing: what each end says stays true.", faults)
  }
}
