/// The error for a product's file that cannot be used: the file, the line, and what is wrong there.
public struct ExperienceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's name; `nil` until it is known.
  public internal(set) var file: String?
  /// The line, from 1.
  public let line: Int
  /// What is wrong, for a person.
  public let reason: String

  init(line: Int, _ reason: String) {
    (self.line, self.reason) = (line, reason)
  }

  public var description: String { "\(file.map { "\($0):" } ?? "line ")\(line): \(reason)" }
}
