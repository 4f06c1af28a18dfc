import BumpChannel
import BumpKit
import BumpWire
import Synchronization

/// The senders with a code that came into sight during a receive, by their channels, and what the person here made of them.
final class CodesInSight: Sendable {
  private struct State {
    /// The first name of each channel, of which there are 99.
    var names: [Int: String] = [:]
    var isCodeLacking = false
  }

  private let state = Mutex(State())

  /// A sender is described.
  func resolved(_ name: String, _ mode: Mode?, _ channel: Int?) {
    guard mode == .code, let channel, (1...99).contains(channel) else { return }
    state.withLock { $0.names[channel] = $0.names[channel] ?? QuotedName.ofInstance(name) }
  }

  /// What to say of a code before it is looked for: that others are in sight, and nobody on its channel.
  func doubt(of code: OneTimeCode) -> String? {
    state.withLock { state in
      guard !state.names.isEmpty, state.names[code.channel] == nil else { return nil }
      // No more than a line holds.
      let others = state.names.sorted { $0.key < $1.key }.prefix(2).map { "\($0.value) is on \($0.key)" }
      return "Nobody in sight is on channel \(code.channel), but \(others.joined(separator: ", ")). "
        + "Type the same code again to wait for its sender."
    }
  }

  /// Whether the person here was asked for a code, and gave none.
  var isCodeLacking: Bool {
    get { state.withLock(\.isCodeLacking) }
    set { state.withLock { $0.isCodeLacking = newValue } }
  }
}
