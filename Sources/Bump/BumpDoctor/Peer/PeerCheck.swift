import BumpKit
import BumpWire
import NIOCore

/// Checks whether a known address can be reached by TCP, and is a sender.
enum PeerCheck {
  /// What other checks know about the peer.
  struct Context: Sendable {
    var letsConnect = Truth.unknown
    /// Whether multicast DNS found the peer; `nil` if that is not known, nothing browsed for it, or an earlier finding
    /// explains why browsing fails.
    var isFound: Bool?
    /// Whether the machine lists a sender in answer to a unicast question.
    var tellsDirectly = false
  }

  static func judge(_ answer: PeerProbe.Answer, of peer: Endpoint, _ context: Context = .init()) -> [Finding] {
    let reach = ReachCheck(
      subject: "\(peer)", host: peer.hostText, port: peer.portText, letsConnect: context.letsConnect,
      isAnnounced: context.isFound == true ? true : nil)
    guard answer.isSender else { return [reach.judge(answer, .peer)].compactMap(\.self) }
    return [sender(answer, "\(peer)")]
      + (context.isFound == false ? [notFound(peer, context.tellsDirectly)] : [])
  }

  /// Returns whether one of the found senders is the peer; `nil` if that cannot be known.
  ///
  /// A sender with the peer's port at another address is the peer only if the peer's machine lists that sender: a
  /// machine may have addresses that it does not announce, and two machines may have the same port.
  ///
  /// - Parameter direct: the answer of the peer's machine to the unicast question for its senders; `nil` for none.
  static func isFound(
    _ peer: SocketAddress, among senders: [SendersCheck.Sender], direct: [UInt8]?
  ) -> Bool? {
    let alike = senders.filter { $0.candidates.contains { $0.address.port == peer.port } }
    let isThere = alike.contains { sender in
      sender.candidates.contains { $0.address.port == peer.port && $0.address.ipAddress == peer.ipAddress }
    }
    if isThere || alike.isEmpty { return isThere }
    return direct.map { answer in alike.contains { Question.mentions(instance: $0.name, answer) } }
  }

  /// Returns the finding for a sender's answer.
  static func sender(_ answer: PeerProbe.Answer, _ subject: String, _ check: Finding.Check = .peer) -> Finding {
    switch answer {
    case .gaveUp(let reason) where [.busy, .timedOut, .shuttingDown].contains(reason):
      .note(
        check, "\(subject) is a sender, but gave up: \(reason.words)",
        remedy: "start the bump again there, and try again")
    case .gaveUp(let reason):
      .problem(
        check, "\(subject) is a sender, but gave up: \(reason.words)", cause: "it is another version of bump",
        remedy: "compare `bump --version` on both machines")
    case .welcome(.open): .ok(check, "\(subject) is a sender, without code or key, and answers")
    case .welcome(.code): .ok(check, "\(subject) is a sender, with a code, and answers")
    default: .ok(check, "\(subject) is a sender, with a key, and answers")
    }
  }

  private static func notFound(_ peer: Endpoint, _ tellsDirectly: Bool) -> Finding {
    let what = "\(peer) can be reached, but is not found by multicast DNS"
    guard tellsDirectly else {
      return .note(
        .senders, what,
        cause: "it does not announce itself (--discovery none), or a device between the two drops multicast DNS",
        remedy: "bump receive --peer \(peer)")
    }
    return .problem(
      .senders, what,
      cause: "a device between the two drops multicast DNS: a switch, a Wi-Fi, or a firewall on that machine",
      remedy: "turn multicast on there (IGMP snooping and filters off). Until then: bump receive --peer \(peer)")
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
