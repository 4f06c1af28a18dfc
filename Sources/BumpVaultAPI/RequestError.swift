import BumpText

/// Why the body of a request is refused. Errors are equal if their codes are.
public struct RequestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was not right. More may come: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case tooLarge, malformed, duplicateField, unknownField, missingField, float, field }
    private let kind: Kind

    /// A body of more than 16 KiB.
    public static let tooLarge = Code(kind: .tooLarge)
    /// A body that is not JSON, or not an object, or nested too deep.
    public static let malformed = Code(kind: .malformed)
    /// An object with one name twice.
    public static let duplicateField = Code(kind: .duplicateField)
    /// A field that this request does not have.
    public static let unknownField = Code(kind: .unknownField)
    /// A field that this request must have.
    public static let missingField = Code(kind: .missingField)
    /// A number with a fraction or an exponent.
    public static let float = Code(kind: .float)
    /// A field whose value is not what it must be.
    public static let field = Code(kind: .field)
  }

  public let code: Code
  /// What is not right, for a person.
  public let reason: String
  /// What to try, a sentence; `nil` where the reason says it already.
  public let remedy: String?
  /// The field's name as it was sent; `nil` where it is not about one.
  public let field: String?

  init(_ code: Code, _ reason: String, remedy: String? = nil, field: String? = nil) {
    (self.code, self.reason, self.remedy, self.field) = (code, reason, remedy, field)
  }

  /// The reason, and the remedy as a sentence of its own.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// A name as a message may show it: harmless, and not long.
  static func quoted(_ name: String) -> String {
    let shown = VisibleText.of(String(name.unicodeScalars.prefix(64)))
    return "\"\(shown)\(name.unicodeScalars.count > 64 ? "…" : "")\""
  }
}
