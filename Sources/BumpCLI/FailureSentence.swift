import BumpKit
import BumpWire

/// Why a session failed, in a sentence without its stop, which names the side whose doing it was.
enum FailureSentence {
  /// - Parameters:
  ///   - peer: The other end's address and port.
  ///   - mode: How this side wants to know who is there.
  static func of(_ failure: SessionFailure, with peer: String, in mode: Mode) -> String {
    let host = PeerHost.of(peer)
    return switch failure {
    case .closed: "\(host) closed the connection"
    case .timedOut: "\(host) did not answer in time"
    case .unanswered: "nobody answered here in time, and \(host) could wait no longer"
    case .unansweredThere: "nobody answered at \(host) in time"
    case .tooLate: "\(host) gave up before it heard of this side: its time was up"
    case .overdue: "the store here was busy for so long that \(host) could wait no longer"
    case .protocolViolation: "\(host) sent what the protocol does not allow"
    case .authentication: "what \(host) sent was not made with this session's keys"
    case .aborted(.timedOut): "\(host) was waited for here, and gave up: this side took too long"
    case .aborted(.busy): "\(host) is busy with another"
    case .aborted(.mode), .dismissed(.mode): "\(host) \(difference(from: mode))"
    case .aborted(.shuttingDown): "\(host) has ended its bump, and nothing was handed over"
    case .aborted(.version): "\(host) speaks another version of the protocol: bring both to the same"
    case .aborted(let reason): "\(host) gave up: \(reason.words)"
    case .dismissed(let reason): "ended here: \(reason.words)"
    }
  }

  private static func difference(from mode: Mode) -> String {
    switch mode {
    case .open: "wants a code or a key, and none was named here"
    case .code: "uses no code"
    case .key: "has another key, or none"
    }
  }
}

/// The host of an address and port, for a person: the port of a connection means nothing to one.
enum PeerHost {
  /// - Parameter peer: Such as `192.0.2.7:4000` or `[fe80::1%eth0]:4000`.
  static func of(_ peer: String) -> String {
    guard let colon = peer.lastIndex(of: ":") else { return peer.isEmpty ? "the other end" : peer }
    return peer[..<colon].filter { $0 != "[" && $0 != "]" }
  }
}
