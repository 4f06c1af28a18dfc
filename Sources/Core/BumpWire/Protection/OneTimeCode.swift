import BumpClaims
public import BumpText
import Crypto

/// The one-time code of a bump, such as `27-482915`: a public channel, 1 to 99, by which the receiver finds the sender,
/// and six random secret digits.
///
/// It prints as `<redacted>`, compares in constant time, and wipes its digits when it is released. Show `exposed` only
/// on the person's screen.
public struct OneTimeCode: Hashable, Redacted, Sendable {
  /// The number of secret digits. CPace derives from them a key that cannot be found by search.
  public static let digitCount = 6

  /// The channels that a code can have.
  public static let channels = 1...99

  /// The secret part of a code. Codes with the same digits are open to the same guesses, whatever their channels.
  public struct Digits: Hashable, Redacted, Sendable {
    /// The six digits in ASCII, CPace's password.
    let key: SymmetricKey

    public func hash(into hasher: inout Hasher) { key.withUnsafeBytes { hasher.combine(bytes: $0) } }
  }

  /// The channel, which the sender's TXT record names.
  public let channel: Int
  /// The six digits.
  public let digits: Digits

  /// Returns the channel that a text names: 1 to 99 in decimal, without a leading zero; `nil` for any other text.
  public static func channel(_ text: some StringProtocol) -> Int? {
    guard let channel = Int(text), channels.contains(channel), String(channel) == text else { return nil }
    return channel
  }

  /// Draws a random code.
  ///
  /// - Parameters:
  ///   - taken: the channels of other senders. The code gets another channel, if one is left.
  ///   - random: returns `count` uniform random bytes.
  public init(avoiding taken: Set<Int> = [], random: (_ count: Int) -> [UInt8]) {
    let free = Self.channels.filter { !taken.contains($0) }
    let choice = free.isEmpty ? Array(Self.channels) : free
    channel = choice[Self.uniform(below: UInt32(choice.count), random)]
    let number = String(Self.uniform(below: 1_000_000, random))
    let padded = String(repeating: "0", count: Self.digitCount - number.count) + number
    digits = Digits(key: SymmetricKey(data: Array(padded.utf8)))
  }

  /// What phones and word processors make of a hyphen: the dashes U+2010 to U+2015, and the minus sign.
  private static let dashes: Set<Unicode.Scalar> = [
    "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{2015}", "\u{2212}",
  ]

  /// Reads a code as a person types it: `27-482915`, `27 482915`, `27482915`, `9482915`, with stray spaces, and with a
  /// dash in place of the hyphen.
  ///
  /// - Throws: `CodeError`, with what is wrong.
  public init(_ text: String) throws(CodeError) {
    let text = text.unicodeScalars.map { Self.dashes.contains($0) ? "-" : String($0) }.joined()
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x20 || $0 == 0x2D }) else {
      throw CodeError(reason: "a code is a number, a hyphen and six digits, such as 27-482915 or 7-482915")
    }
    var parts = text.split(separator: "-", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
    if parts.count == 1 {
      // Without a hyphen the channel ends at the first space; without a space, before the last six digits.
      let words = text.split(separator: " ").map(String.init)
      let length = parts[0].utf8.count == Self.digitCount + 1 ? 1 : 2
      parts =
        words.count > 1
        ? [words[0], words.dropFirst().joined()]
        : [String(parts[0].prefix(length)), String(parts[0].dropFirst(length))]
    }
    guard parts.count == 2, let channel = Self.channel(parts[0]) else {
      throw CodeError(reason: "a code begins with a number from 1 to 99, such as 27-482915 or 7-482915")
    }
    guard parts[1].utf8.count == Self.digitCount else {
      throw CodeError(reason: "a code is like 27-482915 or 7-482915: the last part has six digits")
    }
    self.channel = channel
    digits = Digits(key: SymmetricKey(data: Array(parts[1].utf8)))
  }

  /// The complete code, only for the person's screen.
  public var exposed: String { "\(channel)-\(digits.key.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })" }

  /// Returns a uniform number below a limit. Repeats draws that would favour some numbers.
  private static func uniform(below limit: UInt32, _ random: (Int) -> [UInt8]) -> Int {
    while true {
      let number = random(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      if number < UInt32.max - UInt32.max % limit { return Int(number % limit) }
    }
  }
}

/// Why a text is not a code.
public struct CodeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, for the person who typed the code. It never repeats what was typed.
  public let reason: String

  public var description: String { reason }
}
