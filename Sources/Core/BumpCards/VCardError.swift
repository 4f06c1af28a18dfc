/// The error for bytes that are not a card, or for a card that cannot be written. Errors are equal if their codes are.
public struct VCardError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The first check that failed, in the order of the checks. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String, Hashable {
      case size, begin, version, truncated, count, limits, utf8, control, syntax, encoding, charset, name
    }
    private let kind: Kind

    /// More than `CardLimits.card` bytes.
    public static let size = Code(kind: .size)
    /// The first line is not BEGIN:VCARD.
    public static let begin = Code(kind: .begin)
    /// No VERSION, or another than 3.0.
    public static let version = Code(kind: .version)
    /// The last line is not END:VCARD.
    public static let truncated = Code(kind: .truncated)
    /// More than one card.
    public static let count = Code(kind: .count)
    /// More than `CardLimits.lines` lines, or a value of more than `CardLimits.text` bytes.
    public static let limits = Code(kind: .limits)
    /// A line that is not UTF-8.
    public static let utf8 = Code(kind: .utf8)
    /// A control character other than TAB.
    public static let control = Code(kind: .control)
    /// A line that is not a property: `[group.]name[;parameters]:value`.
    public static let syntax = Code(kind: .syntax)
    /// A value in an encoding other than base64.
    public static let encoding = Code(kind: .encoding)
    /// A value in a character set other than UTF-8. A card in UTF-16 is refused before `begin`.
    public static let charset = Code(kind: .charset)
    /// FN and N are both absent or blank. In a card to be written, one of them is blank.
    public static let name = Code(kind: .name)

    /// The code's id, for a program: `truncated`.
    public var description: String { kind.rawValue }
  }

  /// What was wrong, for a program.
  public let code: Code
  /// What was wrong, for a person, with the line of the card and its property. Of the card's own words it repeats only
  /// names that standards have.
  public let reason: String
  /// What to try, as a sentence; `nil` if there is nothing.
  public let remedy: String?

  init(_ code: Code, _ reason: String, remedy: String? = nil) {
    (self.code, self.reason, self.remedy) = (code, reason, remedy)
  }

  /// The reason, and the remedy as a separate sentence.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
