/// Why a text has no QR code. Errors are equal if their codes are.
public struct QRCodeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is. More may come: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case empty, nullCharacter, tooLong, failed }
    private let kind: Kind

    /// There is nothing to encode.
    public static let empty = Code(kind: .empty)
    /// The text has a U+0000, at which the encoder would stop.
    public static let nullCharacter = Code(kind: .nullCharacter)
    /// More than the largest symbol holds.
    public static let tooLong = Code(kind: .tooLong)
    /// The encoder failed for a reason of its own, such as want of memory.
    public static let failed = Code(kind: .failed)
  }

  public let code: Code
  /// One sentence for a person: what failed, and what to try.
  public let description: String

  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
