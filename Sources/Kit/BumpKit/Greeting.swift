import BumpClaims
import BumpSession
public import BumpWire

/// The answer of a sender to `Connection.greet(random:)`.
public enum Greeting: Hashable, Sendable {
  /// The sender welcomes receivers in this mode.
  case welcome(Mode)
  /// The sender aborted, for this reason.
  case gaveUp(AbortReason)
  /// The connection was closed before an answer.
  case closed
  /// The other end does not speak the protocol.
  case stranger
}

extension Connection {
  /// Begins a session as a receiver does, and closes the connection at the sender's first answer. The sender shows no
  /// offer. It makes no handshake, and counts no try of its code.
  ///
  /// This has no time limit of its own: set one.
  ///
  /// - Parameter random: the source of the session's keys.
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
      .init(name: .somebody, asks: true, limit: Times.handshake, unixTime: { 0 }), waitsToProceed: true, keys: keys,
      at: .zero)
  }

  func run(on connection: any Connection) async -> Greeting {
    for case .request(.send(let bytes)) in session.handle(.opened, at: .zero) { connection.send(bytes) }
    await connection.receive { await self.read($0, from: connection) }
    return answer ?? .closed
  }

  /// Reads the first answer. Closes the connection without an ABORT, which would say why.
  private func read(_ bytes: [UInt8], from connection: any Connection) {
    guard answer == nil else { return }
    answer = session.handle(.received(bytes), at: .zero).lazy.compactMap { Greeting($0) }.first
    if answer != nil { connection.close() }
  }
}

extension Greeting {
  /// Returns the greeting for an output of the session, or `nil` for an output that is not an answer of the sender.
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
