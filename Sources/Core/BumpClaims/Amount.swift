import BumpText

/// An amount of a token: a whole number of base units (10⁻⁶), greater than zero, at most 2⁶³ − 1. Never a float.
public struct Amount: Hashable, Comparable, Sendable {
  /// Base units in one token.
  public static let scale: Int64 = 1_000_000
  private static let decimals = 6

  /// The amount in base units.
  public let baseUnits: Int64

  /// Makes an amount; `nil` unless `baseUnits` is greater than zero.
  public init?(baseUnits: Int64) {
    guard baseUnits > 0 else { return nil }
    self.baseUnits = baseUnits
  }

  /// Reads an amount as people write it: `1`, `1.5`, `0.000001`.
  ///
  /// - Throws: `ClaimError.amount` for a sign, an exponent, a leading zero, more than six decimals,
  ///   zero, or more than 9223372036854.775807.
  public init(_ text: some StringProtocol) throws(ClaimError) {
    let parts = Array(text.utf8).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard
      let whole = parts.first, parts.count <= 2,
      !whole.isEmpty, whole.allSatisfy(ASCII.isDigit), whole.count == 1 || whole.first != UInt8(ascii: "0")
    else { throw Self.unreadable }

    let fraction = parts.count == 2 ? Array(parts[1]) : [UInt8(ascii: "0")]
    guard !fraction.isEmpty, fraction.allSatisfy(ASCII.isDigit) else { throw Self.unreadable }
    guard fraction.count <= Self.decimals else {
      throw ClaimError(.amount, "an amount has at most six decimals, such as 0.000001")
    }

    let padding = Array(repeating: UInt8(ascii: "0"), count: Self.decimals - fraction.count)
    guard let baseUnits = Int64(String(decoding: whole + fraction + padding, as: UTF8.self)) else {
      throw ClaimError(.amount, "an amount is at most 9223372036854.775807")
    }
    guard baseUnits > 0 else { throw ClaimError(.amount, "an amount is greater than zero, such as 0.01") }
    self.baseUnits = baseUnits
  }

  private static let unreadable = ClaimError(.amount, "an amount is a decimal number such as 1, 1.5 or 0.25")

  public static func < (left: Self, right: Self) -> Bool { left.baseUnits < right.baseUnits }
}

extension Amount: CustomStringConvertible {
  /// The only form in messages and links: two to six decimals, no trailing zero after the second.
  public var description: String {
    let (whole, rest) = baseUnits.quotientAndRemainder(dividingBy: Self.scale)
    var fraction = String(rest)
    fraction = String(repeating: "0", count: Self.decimals - fraction.utf8.count) + fraction
    while fraction.utf8.count > 2, fraction.last == "0" { fraction.removeLast() }
    return "\(whole).\(fraction)"
  }
}
