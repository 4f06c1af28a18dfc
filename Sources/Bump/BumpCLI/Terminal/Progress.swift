import BumpTerminal
import BumpWire
import Synchronization

/// The status line of a send or receive: `Waiting for a receiver as alice-69ea… 8 s`; the place in a receiver's queue; in
/// a session the digits to compare, as in `550 508: 192.0.2.7 is deciding, 41 s left`; then that the claim was sent.
final class Progress: Sendable {
  private struct Session {
    let peer: String
    let digits: VerificationDigits
    /// When the person at the other end must have decided; `nil` until they are asked.
    var end: ContinuousClock.Instant?
    /// Whether the receiver was sent the claim.
    var isSent = false
  }

  private struct State {
    /// The time limit; `nil` for until Ctrl-C.
    var time: Duration?
    /// When the time limit started.
    var start = ContinuousClock.now
    /// The sessions with digits, in the order in which they got them.
    var sessions: [Session] = []
    var isOver = false
    /// This sender's places in the queues of receivers, by their addresses.
    var places: [String: Int] = [:]
    /// Since when this sender waits in a queue; `nil` while it waits in none. The time limit does not run meanwhile.
    var queuedSince: ContinuousClock.Instant?
    /// How much of a document was transferred, in percent; `nil` before the transfer.
    var percent: Int?
    /// The name by which receivers can tell this sender from others, such as `alice-69ea`; `nil` if it is not announced.
    var name: String?

    var bestPlace: (peer: String, place: Int)? {
      places.min { ($0.value, $0.key) < ($1.value, $1.key) }.map { ($0.key, $0.value) }
    }
  }

  private let what: String
  private let peerDoes: String
  private let console: Console
  private let state: Mutex<State>
  private let ticking = Mutex<Task<Void, Never>?>(nil)

  /// - Parameters:
  ///   - peerDoes: the words for the other end while its person decides. A sender's person may be deciding about an
  ///     earlier receiver, which the sender does not say.
  ///   - time: the time limit; `nil` for until Ctrl-C.
  init(_ what: String, ofPeer peerDoes: String = "is deciding", _ time: Duration?, _ console: Console) {
    (self.what, self.peerDoes, self.console) = (what, peerDoes, console)
    state = Mutex(State(time: time))
    // Without a terminal the status is printed once, and no timer runs.
    let end = console.rewritesStatus ? Int64.max : 2
    let start = state.withLock(\.start)
    let task = Task { [weak self] in
      for second in 1..<end {
        guard (try? await ContinuousClock().sleep(until: start + .seconds(second))) != nil else { return }
        self?.show(first: second == 1)
      }
    }
    ticking.withLock { $0 = task }
  }

  /// Notes the name under which this sender is announced, in the form that receivers are shown where two look alike.
  func announced(as name: String) { state.withLock { $0.name = name } }

  /// Adds a session, whose digits can be compared from now on.
  func secured(_ peer: String, _ digits: VerificationDigits) {
    state.withLock { $0.sessions.append(Session(peer: peer, digits: digits)) }
    console.comparisons.withLock { $0.show(digits) }
    show()
  }

  /// Notes that the person at this address is deciding.
  func deciding(_ peer: String, seconds: Int) {
    let session = state.withLock { state in
      state.sessions.firstIndex { $0.peer == peer }.map { index in
        state.sessions[index].end = .now + .seconds(seconds)
        return state.sessions[index]
      }
    }
    if let session, !console.rewritesStatus {
      console.sayOfStrangers(line(session, now: .now), inSight: Console.canAsk)
    }
    show()
  }

  /// Notes this sender's place in the queue of the receiver at this address; `nil` once it no longer waits there.
  func queued(_ peer: String, at place: Int?) {
    state.withLock { state in
      state.places[peer] = place
      if !state.places.isEmpty {
        state.queuedSince = state.queuedSince ?? .now
      } else if let since = state.queuedSince {
        state.start += since.duration(to: .now)
        state.queuedSince = nil
      }
    }
    show()
  }

  /// Notes that the claim was sent to the receiver at this address. From now on no digits are compared.
  func sent(_ peer: String) {
    state.withLock { state in
      if let index = state.sessions.firstIndex(where: { $0.peer == peer }) { state.sessions[index].isSent = true }
    }
    show()
  }

  /// Notes how much of a document was transferred.
  func moved(_ count: Int, of length: Int) {
    state.withLock { $0.percent = length > 0 ? count * 100 / length : 100 }
    show()
  }

  /// Removes a session that has ended. If it was the last one, shows that bump is waiting only at the next second: the
  /// result may follow at once.
  func ended(_ peer: String) {
    let isLast = state.withLock { state in
      // If the receiver was sent the claim, the send ends with its session.
      state.isOver = state.isOver || state.sessions.contains { $0.peer == peer && $0.isSent }
      state.sessions.removeAll { $0.peer == peer }
      if state.sessions.isEmpty { state.percent = nil }
      return state.sessions.isEmpty
    }
    console.clearStatus()
    if !isLast { show() }
  }

  /// Restarts the time limit.
  ///
  /// - Parameter least: the minimum of the time limit from now on.
  func restart(atLeast least: Duration) {
    state.withLock { state in
      state.start = .now
      state.time = state.time.map { max($0, least) }
    }
  }

  /// Extends the time limit by a time that does not count.
  func shift(by duration: Duration) { state.withLock { $0.start += duration } }

  func stop() {
    ticking.withLock { $0?.cancel() }
    state.withLock { $0.isOver = true }
    console.clearStatus()
  }

  /// Shows the status. Without a terminal, other code prints the changes of a session as lines. Shows the digits of a
  /// session even with --quiet: the person at the other end is asked whether they are on this screen.
  func show(first: Bool = false) {
    state.withLock { state in
      let now = ContinuousClock.now
      guard !state.isOver, console.rewritesStatus || first && state.sessions.isEmpty else { return }
      if let percent = state.percent {
        console.setStatus("\(percent) % transferred.", first: first)
      } else if state.sessions.contains(where: \.isSent) {
        console.setStatus("Sent. Waiting for its answer.", first: first, insisting: true)
      } else if !state.sessions.isEmpty {
        let line = console.statusLine.of(state.sessions.map { self.line($0, now: now) })
        console.setStatus(line, first: first, insisting: true)
      } else if let since = state.queuedSince, let (peer, place) = state.bestPlace {
        let passed = since.duration(to: now).components.seconds
        console.setStatus(Self.inQueue(of: peer, at: place, for: passed), first: first)
      } else if state.start.duration(to: now) >= .seconds(1) {
        let passed = state.start.duration(to: now).components.seconds
        console.setStatus(Self.waiting(what, as: state.name, for: state.time, passed: passed), first: first)
      }
    }
  }

  /// Returns the status while nobody is there.
  ///
  /// - Parameters:
  ///   - name: the name under which this sender is announced; `nil` if it is not.
  ///   - time: the time limit; `nil` for until Ctrl-C.
  ///   - passed: how many seconds of it have passed.
  static func waiting(_ what: String, as name: String?, for time: Duration?, passed: Int64) -> String {
    let subject = what + (name.map { " as \($0)" } ?? "")
    guard let time else { return "\(subject) until \(Interrupt.inWords), for \(passed) s" }
    return "\(subject)… \(max(0, time.components.seconds - passed)) s"
  }

  /// Returns the status while this sender waits at a place of a queue, for so many seconds by now.
  static func inQueue(of peer: String, at place: Int, for passed: Int64) -> String {
    "Number \(place) in the queue of \(PeerHost.of(peer)), for \(passed) s"
  }

  /// Returns the text for a session. The digits come first, since truncation removes the end.
  private func line(_ session: Session, now: ContinuousClock.Instant) -> String {
    let host = PeerHost.of(session.peer)
    guard let end = session.end else { return "\(session.digits): \(host) is there" }
    return "\(session.digits): \(host) \(peerDoes), \(max(0, now.duration(to: end).components.seconds)) s left"
  }
}
