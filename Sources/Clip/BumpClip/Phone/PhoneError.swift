import BumpSQLite
import BumpSystem

/// The error of a simulated phone.
public struct PhoneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case state, nothing, input, busy, storage }
    private let kind: Kind

    /// The App Clip or the app is not there, or is there already.
    public static let state = Code(kind: .state)
    /// There is nothing to hand over.
    public static let nothing = Code(kind: .nothing)
    /// A given field is not valid.
    public static let input = Code(kind: .input)
    /// Another process holds the product.
    public static let busy = Code(kind: .busy)
    /// A file cannot be read, or not be written durably. The file has its old or its new content, complete.
    public static let storage = Code(kind: .storage)
  }

  /// The kind of failure, for a program.
  public let code: Code
  /// What failed, for a person.
  public let reason: String
  /// What to try, as a sentence; `nil` if the reason says it already.
  public let remedy: String?

  init(_ code: Code, _ reason: String, remedy: String? = nil) {
    (self.code, self.reason, self.remedy) = (code, reason, remedy)
  }

  /// Makes the error for a file.
  init(_ failure: PrivateFile.Failure, at path: String) {
    self.init(.storage, "\(path) \(failure.reason)")
  }

  /// Makes the error for a file, by `errno`.
  init(errno code: Int32, at path: String) {
    self.init(.storage, "\(path): \(words(errno: code))")
  }

  /// Makes the error for a database.
  init(_ error: any Error, of path: String, opening isOpening: Bool) {
    let failure = DatabaseFailure(error, of: path, opening: isOpening)
    self.init(failure.isBusy ? .busy : .storage, failure.reason, remedy: failure.remedy)
  }

  /// The reason, and the remedy as a separate sentence.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }
}
