/// A whole bump as a state machine, which takes inputs and returns actions.
package protocol BumpMachine: Sendable {
  associatedtype Input: BumpInput
  associatedtype Action

  /// When `.deadline` is due; `nil` for never.
  var deadline: Moment? { get }

  mutating func handle(_ input: Input, at now: Moment) -> [Action]
}

/// The inputs that every bump has.
package protocol BumpInput: Sendable {
  /// The bump's `deadline` has passed.
  static var deadline: Self { get }
  /// The person here cancels the bump.
  static var interrupted: Self { get }
}
