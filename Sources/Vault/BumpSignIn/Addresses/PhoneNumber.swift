public import BumpText

/// A phone number in the international form of E.164: `+`, and 8 to 15 digits.
public struct PhoneNumber: Hashable, Sendable, Redacted {
  /// The normalized number.
  public let text: String

  /// Reads a number that a person has typed. Spaces, dots, dashes, slashes and parentheses are ignored; digits of other
  /// scripts are refused.
  ///
  /// - Throws: `AddressError`.
  public init(_ typed: String) throws(AddressError) {
    let bytes = typed.trimmingSpaces.utf8
    // A national number, or one with 00, means another phone in each country.
    guard bytes.count <= 64, bytes.first == UInt8(ascii: "+") else {
      throw AddressError("a phone number begins with + and its country's number", remedy: Self.remedy)
    }
    let digits = bytes.dropFirst().filter { !Self.separators.contains($0) }
    guard
      digits.allSatisfy(ASCII.isDigit), (8...15).contains(digits.count), digits.first != UInt8(ascii: "0")
    else { throw AddressError("a phone number has 8 to 15 digits", remedy: Self.remedy) }
    text = "+\(String(decoding: digits, as: UTF8.self))"
  }

  private static let separators = Set(" ./()-".utf8)
  private static let remedy = "Type it as in +49 30 1234567"
}
