/// A whole bump as a state machine: inputs go in, actions come out.
package protocol BumpMachine: Sendable {
  associatedtype Input: BumpInput
  associatedtype Action

  /// When `.deadline` is due; `nil` for never.
  var deadline: Moment? { get }

  mutating func handle(_ input: Input, at now: Moment) -> [Action]
}

/// The inputs that each bump has.
package protocol BumpInput: Sendable {
  /// The moment that the bump named has come.
  static var deadline: Self { get }
  /// The person wants the bump to end.
  static var interrupted: Self { get }
}
