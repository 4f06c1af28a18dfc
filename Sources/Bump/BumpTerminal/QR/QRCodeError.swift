/// The reason why a text could not be encoded as a QR code. Errors with the same code are equal.
package struct QRCodeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  package struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case empty, nullCharacter, tooLong, failed }
    private let kind: Kind

    /// The text is empty.
    package static let empty = Code(kind: .empty)
    /// The text contains U+0000, at which the encoder would stop.
    package static let nullCharacter = Code(kind: .nullCharacter)
    /// The text is longer than the largest symbol holds.
    package static let tooLong = Code(kind: .tooLong)
    /// The encoder failed for another reason, such as lack of memory.
    package static let failed = Code(kind: .failed)
  }

  /// The kind of failure, for a program.
  package let code: Code
  /// The reason of the failure, for a person.
  package let reason: String
  /// What to try, as a sentence; `nil` if the reason implies it, or nothing helps.
  package let remedy: String?

  /// Makes an error.
  package init(_ code: Code, _ reason: String, remedy: String? = nil) {
    self.code = code
    self.reason = reason
    self.remedy = remedy
  }

  /// The reason, and the remedy as a separate sentence.
  package var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  package static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
