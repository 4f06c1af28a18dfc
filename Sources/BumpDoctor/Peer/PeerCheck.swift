import BumpKit
import BumpWire
import NIOCore

/// Whether a sender whose address is known can be reached by TCP, and whether it is one.
enum PeerCheck {
  /// What is known of the peer beside its answer.
  struct Surroundings: Sendable {
    var letsConnect = Truth.unknown
    /// Whether a sender of that address was found by multicast DNS; `nil` where nobody was looked for, or it was said
    /// already why nobody can be found.
    var isFound: Bool?
    /// Whether the machine tells of a sender when it is asked directly.
    var tellsDirectly = false
  }

  static func judge(_ answer: PeerProbe.Answer, of peer: Endpoint, _ surroundings: Surroundings = .init()) -> [Finding]
  {
    let reach = ReachCheck(
      subject: "\(peer)", host: peer.hostText, port: peer.portText, letsConnect: surroundings.letsConnect,
      isAnnounced: surroundings.isFound == true ? true : nil)
    guard answer.isSender else { return [reach.judge(answer, .peer)].compactMap(\.self) }
    return [sender(answer, "\(peer)")]
      + (surroundings.isFound == false ? [notFound(peer, surroundings.tellsDirectly)] : [])
  }

  /// What a sender said.
  static func sender(_ answer: PeerProbe.Answer, _ subject: String, _ check: Finding.Check = .peer) -> Finding {
    switch answer {
    case .gaveUp(let reason) where [.busy, .timedOut, .shuttingDown].contains(reason):
      .note(
        check, "\(subject) is a sender, but gave up: \(reason.words)", mend: "begin the bump anew there, and try again")
    case .gaveUp(let reason):
      .problem(
        check, "\(subject) is a sender, but gave up: \(reason.words)", cause: "it is another version of bump",
        mend: "compare `bump --version` on both machines")
    case .welcome(.open): .ok(check, "\(subject) is a sender, in mode open, and answers")
    case .welcome(.code): .ok(check, "\(subject) is a sender, with a code, and answers")
    default: .ok(check, "\(subject) is a sender, with a key, and answers")
    }
  }

  private static func notFound(_ peer: Endpoint, _ tellsDirectly: Bool) -> Finding {
    let what = "\(peer) can be reached, but is not found by multicast DNS"
    guard tellsDirectly else {
      return .note(
        .senders, what,
        cause: "it does not announce itself (--discovery none), or what lies between drops multicast DNS",
        mend: "bump receive --peer \(peer)")
    }
    return .problem(
      .senders, what, cause: "what lies between drops multicast DNS: a switch, a Wi-Fi, or a firewall on that machine",
      mend: "turn multicast on there (IGMP snooping and filters off); until then: bump receive --peer \(peer)")
  }
}

extension Endpoint {
  var portText: String {
    switch self {
    case .address(let address): address.port.map { "\($0)" } ?? "?"
    case .host(_, let port): "\(port)"
    }
  }

  var hostText: String {
    switch self {
    case .address(let address): address.ipAddress ?? "?"
    case .host(let host, _): host
    }
  }
}
