import GRDB

/// A failure of a database, for a person. It does not contain the values of a statement: a secret may be among them.
package struct DatabaseFailure {
  /// Whether another process holds the database, so that trying again later helps, and another path does not.
  package let isBusy: Bool
  package let reason: String
  /// What to try, as a sentence; `nil` if the reason says it, or nothing helps.
  package let remedy: String?

  /// - Parameters:
  ///   - database: the subject of the reason, such as `the store /home/bob/bump.sqlite`.
  ///   - isOpening: whether the database could not be opened.
  ///   - words: returns a clause for an error of the caller's own; `nil` for others.
  package init(
    _ error: any Error, of database: String, opening isOpening: Bool, words: (any Error) -> String? = { _ in nil }
  ) {
    isBusy = (error as? DatabaseError)?.resultCode == .SQLITE_BUSY
    if isBusy {
      (reason, remedy) = ("\(database) is held by another process", "Try again when that process has ended")
    } else {
      let cause = words(error) ?? Self.words(error)
      reason = "\(database) \(isOpening ? "cannot be used" : "failed"): \(cause)"
      remedy = (error as? DatabaseFile.Failure)?.remedy
    }
  }

  private static func words(_ error: any Error) -> String {
    switch error {
    case let error as DatabaseError: error.message ?? error.resultCode.description
    case let error as DatabaseFile.Failure: error.description
    default: "\(type(of: error))"
    }
  }
}
