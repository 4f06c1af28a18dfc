/// A place where a project breaks a rule.
public struct Finding: Hashable, Sendable {
  /// The rule that is broken.
  public let rule: Rule
  /// The file, as its path below the folder. For an absent file, the path at which it belongs.
  public let file: String
  /// The line, from 1; `nil` if there is none, as in a binary property list.
  public let line: Int?
  /// What is wrong, as a clause without a full stop. It may quote the file, and is not escaped.
  public let what: String
  /// What to do, as a sentence without a full stop.
  public let mend: String

  init(_ rule: Rule, at place: FileLocation, _ what: String, mend: String? = nil) {
    (self.rule, file, line) = (rule, place.file, place.line)
    (self.what, self.mend) = (what, mend ?? rule.mend)
  }
}

/// A file and a line.
struct FileLocation: Hashable, Sendable {
  let file: String
  let line: Int?

  init(_ file: String, _ line: Int? = nil) {
    (self.file, self.line) = (file, line)
  }
}

/// A value, and the place where it is written.
struct Located<Value: Sendable>: Sendable {
  let value: Value
  let place: FileLocation

  init(_ value: Value, _ place: FileLocation) {
    (self.value, self.place) = (value, place)
  }
}
