import BumpChannel
import BumpClaims
import BumpKit
import BumpWire
import Synchronization

/// The senders with a code that a receive has found, by channel, and the code of the person here.
final class CodesInSight: Sendable {
  private struct State {
    /// The first sender's name on each of the 99 channels.
    var names: [Int: String] = [:]
    var isCodeLacking = false
    var isLookedFor = false
    var code: OneTimeCode?
    var triesLeft: Int?
  }

  private let state = Mutex(State())

  /// Notes the TXT record of a sender.
  func resolved(_ name: String, _ mode: Mode?, _ channel: Int?) {
    guard mode == .code, let channel else { return }
    state.withLock { $0.names[channel] = $0.names[channel] ?? QuotedName.ofInstance(name) }
  }

  /// Returns a warning if senders are in sight, but none on the code's channel; `nil` otherwise.
  func doubt(of code: OneTimeCode) -> String? {
    state.withLock { state in
      guard !state.names.isEmpty, state.names[code.channel] == nil else { return nil }
      // Name as many senders as fit on a line.
      let others = state.names.sorted { $0.key < $1.key }.prefix(2).map { "\($0.value) is on \($0.key)" }
      return "Nobody in sight is on channel \(code.channel), but \(others.joined(separator: ", ")). "
        + "Type the same code again to wait for its sender."
    }
  }

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
