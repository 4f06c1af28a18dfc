package import Crypto
import Glibc

/// Where random bytes come from. Everything secret or unique is drawn here, so that a test can fix it.
public struct RandomBytes: Sendable {
  /// Draws so many bytes.
  public let draw: @Sendable (_ count: Int) -> [UInt8]

  public init(draw: @escaping @Sendable (_ count: Int) -> [UInt8]) {
    self.draw = draw
  }

  /// Draws so many bytes as a key. What they were drawn into is wiped.
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
