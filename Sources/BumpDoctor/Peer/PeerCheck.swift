import BumpKit
import BumpWire
import NIOCore

/// Whether a sender whose address is known can be reached by TCP, and whether it is one.
enum PeerCheck {
  /// - Parameter now: Unix time.
  static func judge(_ answer: PeerProbe.Answer, of peer: Endpoint, now: Int64) -> [Finding] {
    switch answer {
    case .offer(let offer):
      return [
        .ok(.peer, "\(peer) is a sender, \(offer.from.visible), in mode open; its offer came, and was left alone"),
        ClockCheck.judge(offer.expiry, now: now),
      ]
    case .welcome(let mode):
      let what = mode == .code ? "with a code" : "with a key"
      return [.ok(.peer, "\(peer) is a sender, \(what); without it no more is to be learnt")]
    case .gaveUp(let reason) where [.busy, .timedOut, .shuttingDown].contains(reason):
      return [
        .note(
          .peer, "\(peer) is a sender, but gave up: \(reason.words)", mend: "begin the bump anew there, and try again")
      ]
    case .gaveUp(let reason):
      return [
        .problem(
          .peer, "\(peer) is a sender, but gave up: \(reason.words)", cause: "it is another version of bump",
          mend: "compare `bump --version` on both machines")
      ]
    default:
      return [unreached(answer, peer)]
    }
  }

  private static func unreached(_ answer: PeerProbe.Answer, _ peer: Endpoint) -> Finding {
    switch answer {
    case .noSuchHost:
      .problem(
        .peer, "\(peer): there is no host of that name", cause: "the name is mistyped, or not in the DNS",
        mend: "give its address instead; `ip address` on the other machine shows it")
    case .refused:
      .problem(
        .peer, "\(peer) refuses the connection",
        cause: "nothing waits on that port there any more, or a firewall there rejects it",
        mend: "run `bump send --port \(peer.portText)` there, and this while it waits")
    case .unreachable(let reason):
      .problem(
        .peer, "\(peer) cannot be reached: \(reason)", cause: "this machine knows no way to that network",
        mend: "`ip route get \(peer.hostText)`; join the network the other machine is in")
    case .noAnswer:
      .problem(
        .peer, "\(peer) does not answer within 5 s",
        cause: "a firewall drops the packets, there or here, or there is no such machine, or guests are kept apart",
        mend: "open TCP port \(peer.portText) on the sender, and run `bump doctor --port \(peer.portText)` there")
    case .closed:
      .problem(
        .peer, "\(peer) closes the connection without a word", cause: "it is no sender, or has just ended",
        mend: "run `bump send --port \(peer.portText)` there, and this while it waits")
    case .silent:
      .problem(
        .peer, "\(peer) takes the connection, but says nothing",
        cause: "another program has that port, or the sender stands still, or something between swallows its words",
        mend: "`sudo ss -tlnp 'sport = :\(peer.portText)'` there names the program")
    default:
      .problem(
        .peer, "\(peer) is no sender: it does not speak bump's protocol", cause: "another program has that port",
        mend: "`sudo ss -tlnp 'sport = :\(peer.portText)'` there names the program")
    }
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
