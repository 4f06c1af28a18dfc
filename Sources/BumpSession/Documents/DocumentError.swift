/// Why a document is none, or could not be saved. Errors are equal if their codes are.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure. More may come: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case invalid, folder, notSaved, full }
    private let kind: Kind

    /// No document of its kind.
    public static let invalid = Code(kind: .invalid)
    /// The directory for documents is not there, or cannot be written.
    public static let folder = Code(kind: .folder)
    /// A file could not be written.
    public static let notSaved = Code(kind: .notSaved)
    /// As many documents were saved as may be, or as many bytes.
    public static let full = Code(kind: .full)
  }

  /// What kind of failure it is.
  public let code: Code
  /// What failed, for a person. It never repeats what a peer sent.
  public let reason: String
  /// What to try, as a sentence; `nil` where there is nothing.
  public let remedy: String?

  package init(_ code: Code, _ reason: String, remedy: String? = nil) {
    (self.code, self.reason, self.remedy) = (code, reason, remedy)
  }

  /// The reason, and the remedy as a sentence of its own.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
