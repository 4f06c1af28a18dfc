import BumpChannel
import BumpClaims
import BumpSession
public import BumpWire

/// What a sender answered to a receiver that wants nothing of it.
public enum Greeting: Hashable, Sendable {
  /// The sender welcomes receivers in this mode.
  case welcome(Mode)
  /// The sender gave up, and said why.
  case gaveUp(AbortReason)
  /// The connection was closed without a word.
  case closed
  /// What came is not the protocol's.
  case stranger
}

extension Connection {
  /// Begins a session as a receiver does, and closes the connection at the sender's first answer. No offer is seen and
  /// nothing accepted; it costs the sender neither a handshake nor a guess at its code.
  ///
  /// It waits for the answer without end: set a deadline.
  ///
  /// - Parameter random: what the session's keys are drawn from.
  public func greet(random: RandomBytes = .system) async -> Greeting {
    await GreetingRun(SessionKeys(drawnFrom: random)).run(on: self)
  }
}

/// Drives a receiver's session as far as the sender's first answer.
private actor GreetingRun {
  private var session: ReceiverSession
  private var answer: Greeting?

  init(_ keys: SessionKeys) {
    session = ReceiverSession(
      name: .somebody, asks: true, waitsToProceed: true, limit: Times.handshake, keys: keys, at: .zero, unixTime: { 0 })
  }

  func run(on connection: any Connection) async -> Greeting {
    for case .send(let bytes) in session.handle(.opened, at: .zero) { connection.send(bytes) }
    await connection.receive { await self.read($0, from: connection) }
    return answer ?? .closed
  }

  /// Says nothing more, not even why it leaves.
  private func read(_ bytes: [UInt8], from connection: any Connection) {
    guard answer == nil else { return }
    answer = session.handle(.received(bytes), at: .zero).lazy.compactMap { Greeting($0) }.first
    if answer != nil { connection.close() }
  }
}

extension Greeting {
  /// - Returns: `nil` for an output that is no answer of the sender's.
  fileprivate init?(_ output: ReceiverSession.Output) {
    switch output {
    case .welcomed(let mode): self = .welcome(mode)
    case .ended(.failed(.aborted(let reason))): self = .gaveUp(reason)
    case .ended(.failed(.notAdmitted)): self = .gaveUp(.busy)
    case .ended(.failed(.tooLate)): self = .gaveUp(.timedOut)
    case .ended(.failed(.dismissed(.version))): self = .gaveUp(.version)
    case .ended: self = .stranger
    default: return nil
    }
  }
}
