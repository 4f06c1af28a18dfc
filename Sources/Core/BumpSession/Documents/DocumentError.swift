/// Why a document is invalid, or could not be saved. Errors are equal if their codes are.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure. More kinds may be added: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case invalid, folder, notSaved, full }
    private let kind: Kind

    /// The bytes are not a document of the kind.
    public static let invalid = Code(kind: .invalid)
    /// The directory for documents does not exist, or cannot be written to.
    public static let folder = Code(kind: .folder)
    /// A file could not be written.
    public static let notSaved = Code(kind: .notSaved)
    /// The limit of saved documents or of saved bytes is reached.
    public static let full = Code(kind: .full)
  }

  /// The kind of failure.
  public let code: Code
  /// What failed, for a person. It never repeats what a peer sent.
  public let reason: String
  /// What to try, as a sentence; `nil` if there is no remedy.
  public let remedy: String?

  package init(_ code: Code, _ reason: String, remedy: String? = nil) {
    (self.code, self.reason, self.remedy) = (code, reason, remedy)
  }

  /// The reason, followed by the remedy as a sentence of its own.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
