/// The generator SplitMix64 of Steele, Lea and Flood (*Fast splittable pseudorandom number generators*, OOPSLA 2014):
/// 64 bits per step, from 64 bits of state. It uses only integers, so a seed gives the same numbers on every machine.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes a generator from a seed.
  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// The output function, a bijection of 64 bits.
  static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Draws this many bytes.
  package mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

  /// Draws a number below a bound, each with the same chance: Lemire, *Fast random integer generation in an interval*
  /// (2019). The standard library does not promise that its draws stay the same.
  package mutating func draw(below bound: UInt64) -> UInt64 {
    precondition(bound > 0)
    var product = next().multipliedFullWidth(by: bound)
    let threshold = (0 &- bound) % bound
    while product.low < threshold { product = next().multipliedFullWidth(by: bound) }
    return product.high
  }

  /// Draws a number from a range, each with the same chance.
  package mutating func draw(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(draw(below: UInt64(range.upperBound - range.lowerBound) + 1))
  }

  /// Draws whether an event with this chance happens.
  package mutating func happens(percent: Int) -> Bool { draw(below: 100) < percent }

  /// Draws a time from a range, in whole milliseconds.
  package mutating func draw(_ range: TimeRange) -> Duration { .milliseconds(draw(range.milliseconds)) }
}

/// Returns the 64-bit FNV-1a hash (Fowler, Noll and Vo). It is the same in each process, unlike that of `Hashable`.
package func fnv1a(_ text: String) -> UInt64 {
  text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
