import BumpKit
import BumpWire

/// Describes why a session failed, and on which side, in a sentence without a full stop.
enum FailureSentence {
  /// - Parameters:
  ///   - peer: the other end's address and port.
  ///   - mode: this side's mode.
  static func of(_ failure: SessionFailure, with peer: String, in mode: Mode) -> String {
    let host = PeerHost.of(peer)
    return switch failure {
    case .closed: "\(host) closed the connection"
    case .timedOut: "\(host) did not answer in time"
    case .stoodStill: "bump was suspended here until the time for the answer of \(host) was up"
    case .unanswered: "you did not answer \(host) within 60 seconds"
    case .unansweredThere: "nobody answered at \(host) in time"
    case .tooLate: "\(host) timed out before the first message from here arrived"
    case .notAdmitted:
      "\(host) refused this machine: it serves another receiver just now, or has admitted this machine already. If its "
        + "screen asks \"Let it try once more?\", its person may say y. Otherwise wait\(mode == .open ? ", or use a code" : "")"
    case .codeBurnt: "three wrong tries at \(host): its code no longer works. Ask for a new one"
    case .keptWaiting: "\(host) gave up while bump was waiting here for another sender"
    case .noTurn: "your turn in the queue of \(host) did not come"
    case .takesNoDocuments: "\(host) sends a card or a link. Receive it with: bump receive --save DIR"
    case .aborted(.documents): "\(host) takes no cards or links. Start `bump receive --save DIR` there"
    case .notTaken: "\(host) could not save it"
    case .overdue: "the store here was busy until the time of \(host) was up"
    case .protocolViolation: "\(host) sent an invalid message"
    case .authentication: "a message of \(host) was not made with this session's keys"
    case .aborted(.timedOut): "\(host) gave up, since no answer from here reached it in time"
    case .aborted(.busy): "\(host) is busy with another"
    case .otherMode(let other): "\(host) \(want(of: other, in: mode))"
    case .aborted(.mode): "\(host) \(difference(from: mode))"
    case .dismissed(.mode): "\(host) uses a mode that this version of bump does not support"
    case .aborted(.shuttingDown): "\(host) has ended its bump, and nothing was handed over"
    case .aborted(.version), .dismissed(.version):
      "\(host) speaks another version of the protocol. Use the same version of bump on both sides"
    case .aborted(let reason): "\(host) gave up: \(reason.words)"
    case .dismissed(let reason): "ended here: \(reason.words)"
    }
  }

  /// Returns what a sender in its mode requires of a receiver in another.
  private static func want(of other: Mode, in mode: Mode) -> String {
    switch (other, mode) {
    case (.open, .key): "has no key, or does not use one"
    case (.open, _): "uses no code"
    case (.code, .key): "requires a code, not a key"
    case (.code, _): "requires a code, and none was named here"
    case (.key, .code): "requires a key, not a code"
    case (.key, _): "requires a key, and none was named here"
    }
  }

  /// Returns the words for a receiver that rejected a sender in this mode. They do not say which credential the
  /// receiver has: it may have another key.
  private static func difference(from mode: Mode) -> String {
    switch mode {
    case .open: "requires a code or a key, and none was named here"
    case .code: "uses no code"
    case .key: "has another key, or none"
    }
  }
}

/// Shortens an address and port to the host: a person does not need the port of a connection.
enum PeerHost {
  /// - Parameter peer: an address and port such as `192.0.2.7:4000` or `[fe80::1%eth0]:4000`.
  static func of(_ peer: String) -> String {
    guard let colon = peer.lastIndex(of: ":") else { return peer.isEmpty ? "the other end" : peer }
    return peer[..<colon].filter { $0 != "[" && $0 != "]" }
  }
}
