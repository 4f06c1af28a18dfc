public import BumpWire
import Crypto

/// The code of one bump, such as `27-482915`: a channel, 1 to 99, that picks the sender among several and is public,
/// and six random digits that are not.
///
/// It prints as `<redacted>`, compares in constant time, and its digits are wiped when it goes. `exposed` is for the
/// person's screen.
public struct OneTimeCode: Hashable, Redacted, Sendable {
  /// Any digits at all would be too few for a key: CPace makes one of them that cannot be searched for.
  public static let digitCount = 6

  public let channel: Int
  /// The six digits in ASCII: CPace's password.
  let digits: SymmetricKey

  /// Draws a code.
  ///
  /// - Parameter random: draws so many uniform bytes.
  public init(random: (_ count: Int) -> [UInt8]) {
    channel = 1 + Self.uniform(below: 99, random)
    let number = String(Self.uniform(below: 1_000_000, random))
    digits = SymmetricKey(data: Array((String(repeating: "0", count: Self.digitCount - number.count) + number).utf8))
  }

  /// Reads a code as a person types it: `27-482915`, `27 482915`, `27482915`, with stray spaces.
  ///
  /// - Throws: `CodeError`, which says what is missing.
  public init(_ text: String) throws(CodeError) {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x20 || $0 == 0x2D }) else {
      throw CodeError(description: "a code is a number, a hyphen and six digits, such as 27-482915")
    }
    var parts = text.split(separator: "-", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
    if parts.count == 1 {
      // Without a hyphen the first space parts them; without either, two digits are the channel.
      let words = text.split(separator: " ").map(String.init)
      parts =
        words.count > 1
        ? [words[0], words.dropFirst().joined()] : [String(parts[0].prefix(2)), String(parts[0].dropFirst(2))]
    }
    guard parts.count == 2, let channel = Int(parts[0]), (1...99).contains(channel), parts[0].first != "0" else {
      throw CodeError(description: "a code begins with a channel from 1 to 99, such as 27-482915")
    }
    guard parts[1].utf8.count == Self.digitCount else {
      throw CodeError(
        description: "a code has six digits behind its channel, such as 27-482915; here are \(parts[1].utf8.count)")
    }
    self.channel = channel
    digits = SymmetricKey(data: Array(parts[1].utf8))
  }

  /// The code in full, for the person's screen and nowhere else.
  public var exposed: String { "\(channel)-\(digits.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })" }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(channel)
    digits.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  /// A number below a limit, each as likely as any other: draws that would favour some are made again.
  private static func uniform(below limit: UInt32, _ random: (Int) -> [UInt8]) -> Int {
    while true {
      let number = random(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      if number < UInt32.max - UInt32.max % limit { return Int(number % limit) }
    }
  }
}

/// Why a text is no code: one sentence for the person who typed it. It never repeats what was typed.
public struct CodeError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
}
