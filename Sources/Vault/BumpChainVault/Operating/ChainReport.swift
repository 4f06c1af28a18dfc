/// What happened to a vault on a chain, for the operator's log. It contains no claim's id, secret, proof or address.
public struct ChainReport: Hashable, Sendable {
  /// How much the operator should care.
  public enum Level: String, Hashable, Sendable {
    /// Nothing is to be done; something may be wrong; somebody must do something.
    case info, warning, error
  }

  /// How much the operator should care.
  public let level: Level
  /// What happened, in one sentence.
  public let text: String

  init(_ level: Level, _ text: String) {
    (self.level, self.text) = (level, text)
  }
}
