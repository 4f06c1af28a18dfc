public import BumpClaims
import BumpText

/// The DNS-SD instance name of a sender: the display name, `-`, and sixteen random hex digits, fresh for every bump.
public struct InstanceName: Hashable, Sendable, CustomStringConvertible {
  private static let suffixLength = 16
  /// How many bytes of the display name an instance name has room for.
  package static let room = WireLimits.instanceName - suffixLength - 1

  /// The complete name, at most 63 bytes of UTF-8 (RFC 6763 §4.1.1).
  public let description: String

  /// Makes an instance name.
  ///
  /// - Parameters:
  ///   - displayName: the display name. It is truncated at a character boundary if the complete name would be too long.
  ///   - random: 64 random bits, which make the name unique.
  public init(displayName: DisplayName, random: UInt64) {
    let digits = String(random, radix: 16)
    let suffix = "-" + String(repeating: "0", count: Self.suffixLength - digits.utf8.count) + digits
    var name = displayName.text
    while name.utf8.count + suffix.utf8.count > WireLimits.instanceName { name.removeLast() }
    // A joiner joins nothing once what is behind it is cut off.
    if name != displayName.text {
      while let last = name.unicodeScalars.last, Joiner.isJoiner(last) {
        name.unicodeScalars.removeLast()
      }
    }
    description = name + suffix
  }

  /// Returns how to show a discovered instance name to a person: `alice`, or `alice-7f3a` if two names look alike.
  ///
  /// A name of another form is returned whole. Both results are escaped by `VisibleText` and never empty.
  public static func shown(_ name: String) -> (short: String, distinct: String) {
    let bytes = Array(name.utf8)
    let suffix = bytes.suffix(suffixLength)
    guard
      bytes.count > suffixLength + 1,
      suffix.allSatisfy({ ASCII.isDigit($0) || (0x61...0x66).contains($0) }),
      bytes[bytes.count - suffixLength - 1] == UInt8(ascii: "-")
    else { return (VisibleText.ofName(name), VisibleText.ofName(name)) }
    let short = VisibleText.ofName(String(decoding: bytes.dropLast(suffixLength + 1), as: UTF8.self))
    return (short, short + "-" + String(decoding: suffix.prefix(4), as: UTF8.self))
  }
}
