import BumpKit
import BumpWire
import Synchronization

/// Who was seen during a bump, and what became of it: so that nobody is said to be missing who was there.
final class Sightings: Sendable {
  /// A sender that was found, as far as it is known.
  private struct Sender {
    let name: String
    var mode: Mode?
    var channel: Int?
    var address: String?

    var shown: String { QuotedName.ofVisible(InstanceName.shown(name).short) }
  }

  private struct State {
    /// Enough for a sentence: anybody may announce thousands.
    var senders: [Sender] = []
    var failure: String?
    var guesses = 0
  }

  private let state = Mutex(State())

  /// An instance name came up.
  func found(_ name: String) {
    state.withLock { state in
      if state.senders.count < 3, !state.senders.contains(where: { $0.name == name }) {
        state.senders.append(Sender(name: name))
      }
    }
  }

  /// A sender is described, or has an address.
  ///
  /// - Parameter code: The code that the person here has.
  /// - Returns: What to say at once: that it is not the sender of that code; `nil` where there is nothing to say yet.
  func resolved(_ name: String, _ mode: Mode?, _ channel: Int?, at address: String?, code: OneTimeCode?) -> String? {
    state.withLock { state in
      guard let index = state.senders.firstIndex(where: { $0.name == name }) else { return nil }
      let isNew = state.senders[index].mode == nil
      (state.senders[index].mode, state.senders[index].channel) = (mode, channel)
      state.senders[index].address = state.senders[index].address ?? address
      guard isNew, let code, mode != .code || channel != code.channel else { return nil }
      let what = mode == .code ? channel.map { "on channel \($0)" } ?? "on another channel" : "without a code"
      return "\(state.senders[index].shown) is here, but \(what), not \(code.channel)."
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

  /// Those who were found, in words: `"alice" is here, 192.0.2.7:4000,`; `nil` where nobody was.
  var found: String? {
    let senders = state.withLock(\.senders)
    guard let first = senders.first else { return nil }
    guard senders.count == 1 else {
      let names = senders.map(\.shown)
      return names.dropLast().joined(separator: ", ") + " and \(names.last ?? "") are here"
    }
    return "\(first.shown) is here" + (first.address.map { ", \($0)," } ?? "")
  }

  /// Whether all those who were found want a key.
  var wantKeys: Bool {
    state.withLock { state in !state.senders.isEmpty && state.senders.allSatisfy { $0.mode == .key } }
  }
}
