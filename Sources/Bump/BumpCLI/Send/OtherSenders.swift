import BumpKit
import BumpTerminal
import BumpText
import BumpWire
import Synchronization

/// The looks around during a send, and at the end of one to which nobody came: two people who both typed `bump send`
/// wait for each other in vain.
///
/// At the end alone, two that began in the same second would miss each other: both withdraw their names then. With a
/// code or a key only that look is made, since the other end is on its way then, and each look costs all senders nearby.
final class OtherSenders: Sendable {
  /// The senders that were seen.
  struct Seen: Sendable {
    var senders: [Neighbour] = []
    /// Whether they were seen during this send, and are not here any more.
    var areGone = false
  }

  /// How long to look.
  struct Looks: Sendable {
    /// During the send, which keeps nobody waiting.
    var early: Duration = .seconds(1)
    /// At the end. Senders that are already announced answer within it, as they do for a receiver that chooses.
    var last: Duration = .milliseconds(300)
  }

  private struct State {
    /// This end's own instance name, which may still be announced at the end.
    var own: String?
    /// The look during the send; `nil` before this end is announced.
    var early: Task<[Neighbour], Never>?
  }

  private let discovery: (any Discovery)?
  private let type: ServiceType
  private let isOpen: Bool
  private let delay: Duration
  private let looks: Looks
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: how long a receiver is waited for; `nil` for until Ctrl-C.
  ///   - mode: the mode of the send.
  init(
    _ discovery: (any Discovery)?, of type: ServiceType, during limit: Duration?, in mode: Mode,
    looking looks: Looks = Looks()
  ) {
    (self.discovery, self.type, isOpen, self.looks) = (discovery, type, mode == .open, looks)
    // A send that is over sooner costs the other senders nothing.
    delay = min(Times.telling, (limit ?? Times.telling * 2) / 2)
  }

  deinit { state.withLock { $0.early?.cancel() } }

  /// Begins the look during the send once this end is announced.
  func event(_ event: SendEvent) {
    guard case .advertising(let name, _, _) = event else { return }
    state.withLock { state in
      state.own = name
      guard isOpen else { return }
      state.early =
        state.early
        ?? Task { [weak self, delay, looks] () async -> [Neighbour] in
          guard (try? await Task.sleep(for: delay)) != nil else { return [] }
          return await self?.near(besides: name, for: looks.early) ?? []
        }
    }
  }

  /// Returns the senders that were seen during the send, after it.
  func early() async -> [Neighbour] { await state.withLock(\.early)?.value ?? [] }

  /// Returns the other senders that are here or, if none is, those that were here during the send.
  ///
  /// - Parameters:
  ///   - reason: why the send ended without a receiver.
  ///   - found: the receivers whose transfer failed. If there was one, no sender was mistaken for a receiver.
  func near(_ reason: FallbackReason, _ found: [FailedPeer]) async -> Seen {
    guard reason == .discoveryTimeout, found.isEmpty else { return Seen() }
    let (own, early) = state.withLock { ($0.own, $0.early) }
    early?.cancel()
    let before = await early?.value ?? []
    let here = await near(besides: own, for: looks.last)
    return here.isEmpty ? Seen(senders: before, areGone: true) : Seen(senders: here)
  }

  private func near(besides own: String?, for time: Duration) async -> [Neighbour] {
    guard let discovery else { return [] }
    return await NearbySenders(Neighbours(discovery: discovery), of: type, besides: own).senders(at: .now + time)
  }

  /// Returns who else is or was sending, and what to do, as a clause; `nil` if nobody was.
  ///
  /// - Parameter command: the command of the one who is to receive.
  static func clause(_ seen: Seen, command: String = "bump receive") -> String? {
    subject(seen, columns: QuotedName.columns).map { subject in
      "\(subject) sending too: \(seen.senders.count > 1 ? "whoever is to receive" : "one of you") runs `\(command)`"
    }
  }

  /// Returns the beginning of a sentence about those who are or were sending; `nil` if nobody was.
  ///
  /// - Parameter columns: the greatest width of a name.
  static func subject(_ seen: Seen, columns: Int) -> String? {
    guard let first = seen.senders.first else { return nil }
    let others = seen.senders.count - 1
    let who = QuotedName.ofVisible(InstanceName.shown(first.name).short, columns: columns)
    guard others > 0 else { return "\(who) \(seen.areGone ? "was" : "is")" }
    return "\(who) and \(others) \(others == 1 ? "other" : "others") \(seen.areGone ? "were" : "are")"
  }
}
