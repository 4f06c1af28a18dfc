package import Crypto
import Glibc

/// A source of random bytes. Everything secret or unique is drawn from it, so that a test can fix the values.
public struct RandomBytes: Sendable {
  /// Returns this many random bytes.
  public let draw: @Sendable (_ count: Int) -> [UInt8]

  /// Makes a source of random bytes.
  public init(draw: @escaping @Sendable (_ count: Int) -> [UInt8]) {
    self.draw = draw
  }

  /// Returns a key of this many random bytes. Wipes the buffer into which they were drawn.
  package func key(_ count: Int) -> SymmetricKey {
    var bytes = draw(count)
    defer { explicit_bzero(&bytes, bytes.count) }
    return SymmetricKey(data: bytes)
  }

  /// The operating system's generator.
  public static let system = RandomBytes { count in
    var generator = SystemRandomNumberGenerator()
    return generator.bytes(count)
  }
}
