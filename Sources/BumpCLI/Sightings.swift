import BumpKit
import BumpWire
import Synchronization

/// Who was seen during a bump, and what became of it: so that nobody is said to be missing who was there.
final class Sightings: Sendable {
  private struct State {
    var names: [String] = []
    var failure: String?
    var guesses = 0
  }

  private let state = Mutex(State())

  /// An instance name came up.
  func found(_ name: String) {
    state.withLock { state in
      // Enough for a sentence: anybody may announce thousands.
      if state.names.count < 3, !state.names.contains(name) { state.names.append(name) }
    }
  }

  /// A session with whoever is at this address failed.
  func failed(_ failure: SessionFailure, with peer: String) {
    state.withLock { $0.failure = FailureSentence.of(failure, with: peer) }
  }

  /// Counts a wrong guess.
  ///
  /// - Returns: How many there were.
  func guessed() -> Int {
    state.withLock { state in
      state.guesses += 1
      return state.guesses
    }
  }

  /// Why the last session failed.
  var lastFailure: String? { state.withLock(\.failure) }

  /// Those who were found, as words for a sentence; `nil` where nobody was.
  var found: String? {
    let names = state.withLock(\.names).map { QuotedName.ofVisible(InstanceName.shown($0).short) }
    guard let last = names.last else { return nil }
    return names.count == 1 ? "\(last) is" : "\(names.dropLast().joined(separator: ", ")) and \(last) are"
  }
}
