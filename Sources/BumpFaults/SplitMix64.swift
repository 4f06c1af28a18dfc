/// The generator SplitMix64 of Steele, Lea and Flood (*Fast splittable pseudorandom number generators*, OOPSLA 2014): 64
/// bits a step, from 64 bits of state. Integers only, so a seed decides the same on every machine.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes the generator of a seed.
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

  /// Draws so many bytes.
  package mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

  /// Draws a number below a bound, each as likely: Lemire, *Fast random integer generation in an interval* (2019). The
  /// standard library's draws are not promised to stay as they are.
  package mutating func draw(below bound: UInt64) -> UInt64 {
    precondition(bound > 0)
    var product = next().multipliedFullWidth(by: bound)
    let threshold = (0 &- bound) % bound
    while product.low < threshold { product = next().multipliedFullWidth(by: bound) }
    return product.high
  }

  /// Draws a number of a range, each as likely.
  package mutating func draw(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(draw(below: UInt64(range.upperBound - range.lowerBound) + 1))
  }

  /// Whether something happens that has so many chances in a hundred.
  package mutating func happens(percent: Int) -> Bool { draw(below: 100) < percent }

  /// Draws a time of a range, in whole milliseconds.
  package mutating func draw(_ range: TimeRange) -> Duration { .milliseconds(draw(range.milliseconds)) }
}

/// The hash FNV-1a of 64 bits (Fowler, Noll and Vo): the same in each process, as `Hashable` is not.
package func fnv1a(_ text: String) -> UInt64 {
  text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
