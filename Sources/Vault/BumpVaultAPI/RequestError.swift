import BumpText

/// The reason why the body of a request is refused. Errors are equal if their codes are.
public struct RequestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case tooLarge, malformed, duplicateField, unknownField, missingField, float, field }
    private let kind: Kind

    /// The body is larger than 16 KiB.
    public static let tooLarge = Code(kind: .tooLarge)
    /// The body is not JSON, or not an object, or nested too deeply.
    public static let malformed = Code(kind: .malformed)
    /// An object has the same name twice.
    public static let duplicateField = Code(kind: .duplicateField)
    /// The request has no field of this name.
    public static let unknownField = Code(kind: .unknownField)
    /// A required field is missing.
    public static let missingField = Code(kind: .missingField)
    /// A number has a fraction or an exponent.
    public static let float = Code(kind: .float)
    /// The value of a field is not valid.
    public static let field = Code(kind: .field)
  }

  /// The kind of error, the only part that `==` compares.
  public let code: Code
  /// What is wrong, for a person.
  public let reason: String
  /// What to try, as a sentence; `nil` if the reason says it already.
  public let remedy: String?
  /// The name of the field as the client sent it; `nil` if the error is not about one field.
  public let field: String?

  init(_ code: Code, _ reason: String, remedy: String? = nil, field: String? = nil) {
    (self.code, self.reason, self.remedy, self.field) = (code, reason, remedy, field)
  }

  /// The reason, followed by the remedy as its own sentence.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// Returns a name for a message: harmless to show, and at most 64 characters long.
  static func quoted(_ name: String) -> String {
    let shown = VisibleText.of(String(name.unicodeScalars.prefix(64)))
    return "\"\(shown)\(name.unicodeScalars.count > 64 ? "…" : "")\""
  }
}
