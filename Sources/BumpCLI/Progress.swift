import BumpChannel
import Synchronization

/// The line that shows what is waited for, from the first second on: `Waiting for a receiver… 8 s`, or who is there
/// already, with the digits to compare: `192.0.2.7 is deciding, 41 s left: 550 508`.
final class Progress: Sendable {
  private struct Session {
    let peer: String
    let digits: VerificationDigits
    /// When the person there must have decided.
    var end: ContinuousClock.Instant?
  }

  private struct State {
    /// Those whose channel stands, the first first.
    var sessions: [Session] = []
    var isOver = false
  }

  private let what: String
  private let time: Duration?
  private let console: Console
  private let start = ContinuousClock.now
  private let state = Mutex(State())
  private let ticking = Mutex<Task<Void, Never>?>(nil)

  /// - Parameter time: How long it may take; `nil` for until Ctrl-C.
  init(_ what: String, _ time: Duration?, _ console: Console) {
    (self.what, self.time, self.console) = (what, time, console)
    // Elsewhere than on a terminal it is said once, and nothing wakes up for more.
    let end = console.rewritesStatus ? Int64.max : 2
    let task = Task { [weak self, start] in
      for second in 1..<end {
        guard (try? await ContinuousClock().sleep(until: start + .seconds(second))) != nil else { return }
        self?.show(first: second == 1)
      }
    }
    ticking.withLock { $0 = task }
  }

  /// A channel stands with whoever is at this address: its digits may be compared.
  func secured(_ peer: String, _ digits: VerificationDigits) {
    state.withLock { $0.sessions.append(Session(peer: peer, digits: digits)) }
    show()
  }

  /// The person at this address is asked.
  func deciding(_ peer: String, seconds: Int) {
    let session = state.withLock { state in
      state.sessions.firstIndex { $0.peer == peer }.map { index in
        state.sessions[index].end = .now + .seconds(seconds)
        return state.sessions[index]
      }
    }
    if let session, !console.rewritesStatus { console.sayOfStrangers(Self.line(session, now: .now)) }
    show()
  }

  /// The session is over, and nobody may compare its digits any more.
  func ended(_ peer: String) {
    state.withLock { state in state.sessions.removeAll { $0.peer == peer } }
    console.clearStatus()
    show()
  }

  func stop() {
    ticking.withLock { $0?.cancel() }
    state.withLock { $0.isOver = true }
    console.clearStatus()
  }

  private func show(first: Bool = false) {
    state.withLock { state in
      let now = ContinuousClock.now
      guard !state.isOver, console.rewritesStatus || first else { return }
      if !state.sessions.isEmpty {
        // No more than a glance takes in, and a line holds.
        let lines = state.sessions.prefix(3).map { Self.line($0, now: now) }
        console.setStatus(lines.joined(separator: "; "), first: first)
      } else if start.duration(to: now) >= .seconds(1) {
        console.setStatus(waiting(at: now), first: first)
      }
    }
  }

  private func waiting(at now: ContinuousClock.Instant) -> String {
    let passed = start.duration(to: now).components.seconds
    guard let time else { return "\(what) until Ctrl-C… \(passed) s" }
    return "\(what)… \(max(0, time.components.seconds - passed)) s"
  }

  private static func line(_ session: Session, now: ContinuousClock.Instant) -> String {
    let host = PeerHost.of(session.peer)
    guard let end = session.end else { return "\(host) is there: \(session.digits)" }
    return "\(host) is deciding, \(max(0, now.duration(to: end).components.seconds)) s left: \(session.digits)"
  }
}
