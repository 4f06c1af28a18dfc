import BumpText

/// The name of a shared card: a random UUID (RFC 9562 §5.4), written in upper case.
public struct SharedCardID: Hashable, Sendable, CustomStringConvertible {
  /// The 16 bytes of the UUID.
  let bytes: [UInt8]

  /// Makes a name of 122 random bits.
  public init(using generator: inout some RandomNumberGenerator) {
    var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    self.bytes = bytes
  }

  /// Reads a UUID of any version, in either case; `nil` for any other text.
  public init?(_ text: some StringProtocol) {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
    guard let bytes = Hex.decode(groups.joined().utf8) else { return nil }
    self.bytes = bytes
  }

  public var description: String {
    [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { Hex.text(bytes[$0]).uppercased() }.joined(separator: "-")
  }
}
