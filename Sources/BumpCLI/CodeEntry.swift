import BumpChannel
import Synchronization

/// The code of the person here, and what has become of it.
final class CodeEntry: Sendable {
  private struct State {
    var isCodeLacking = false
    var isLookedFor = false
    var code: OneTimeCode?
    var triesLeft: Int?
  }

  private let state = Mutex(State())

  /// The code that the person here gave, or entered last.
  var code: OneTimeCode? {
    get { state.withLock(\.code) }
    set { state.withLock { $0.code = newValue } }
  }

  /// Whether bump is looking for the sender of the code that was entered last: no sender has rejected that code.
  var isLookedFor: Bool {
    get { state.withLock(\.isLookedFor) }
    set { state.withLock { $0.isLookedFor = newValue } }
  }

  /// How many codes the person here may still enter after a wrong one; `nil` before.
  var triesLeft: Int? {
    get { state.withLock(\.triesLeft) }
    set { state.withLock { $0.triesLeft = newValue } }
  }

  /// Whether the person here was asked for a code and entered none.
  var isCodeLacking: Bool {
    get { state.withLock(\.isCodeLacking) }
    set { state.withLock { $0.isCodeLacking = newValue } }
  }
}
