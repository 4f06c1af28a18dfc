import BumpKit
import BumpWire
import Synchronization

/// The code and the choice of the person here, and what has become of them: the properties of `State`, shared by tasks.
@dynamicMemberLookup
final class CodeEntry: Sendable {
  struct State {
    /// The code that the person here gave, or entered last.
    var code: OneTimeCode?
    /// Whether bump is looking for the sender of the code that was entered last: no sender has rejected that code.
    var isLookedFor = false
    /// Whether a sender has rejected a code of the person here.
    var isRejected = false
    /// Whether the person here was asked for a code and entered none.
    var isCodeLacking = false
    /// Why a question for a code is cancelled, as a clause; `nil` while no such question is asked.
    var withdrawal: String?
    /// Whether it was said that a sender offers a card or a link, and how to receive it.
    var isDocumentSaid = false
    /// The senders of the list that the person here was asked to choose from last.
    var listed: [SenderCandidate] = []
    /// Whether the person here was asked to choose a sender and chose none.
    var isChoiceLacking = false
  }

  private let state = Mutex(State())

  subscript<Value: Sendable>(dynamicMember path: WritableKeyPath<State, Value>) -> Value {
    get { state.withLock { $0[keyPath: path] } }
    set { state.withLock { $0[keyPath: path] = newValue } }
  }
}
