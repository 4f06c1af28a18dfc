import BumpWire

/// Why an address where a sender should be gives no sender, and which of the two machines is to be looked at.
struct ReachCheck {
  /// What is told of, as the subject of a sentence.
  var subject: String
  /// The address without its port, as others see it.
  var host: String
  var port: String
  /// Whether the firewall of this machine lets connections out, and their answers in.
  var letsConnect = Truth.unknown
  /// Whether the machine was heard by multicast DNS just now.
  var isHeard = false
  /// Whether multicast DNS still tells of the sender, where it tells of one at all.
  var isAnnounced: Bool?

  /// - Returns: `nil` where a sender spoke, or it was said already what stops this machine.
  func judge(_ answer: PeerProbe.Answer, _ check: Finding.Check) -> Finding? {
    if let words = ended(answer) { return words.finding(check) }
    switch answer {
    case .welcome, .gaveUp: return nil
    case .stoppedHere where letsConnect == .no, .noAnswer where letsConnect == .no: return nil
    default: return words(answer).finding(check)
    }
  }

  private struct Words {
    var isProblem = true
    var what: String
    var cause: String
    var mend: String

    func finding(_ check: Finding.Check) -> Finding {
      isProblem ? .problem(check, what, cause: cause, mend: mend) : .note(check, what, cause: cause, mend: mend)
    }
  }

  private var opening: String {
    "open TCP port \(port) there; `sudo bump doctor --port \(port)` on that machine names the rule"
  }
  private var another: String { "join both machines to another network, such as a phone's hotspot, or take the link" }

  /// A sender that multicast DNS lists may have gone without a goodbye, which keeps nobody from another.
  private func ended(_ answer: PeerProbe.Answer) -> Words? {
    guard isAnnounced == false else { return nil }
    switch answer {
    case .refused, .closed:
      return Words(
        isProblem: false, what: "\(subject) is listed, but refuses the connection",
        cause: "it has ended without a goodbye, or a firewall there rejects TCP port \(port)",
        mend: "run `bump send 1.00 --port \(port)` there again, and this while it waits")
    case .nobody where !isHeard:
      return Words(
        isProblem: false, what: "\(subject) is listed, but no machine has that address now",
        cause: "it has left the network without a goodbye, or the network keeps its guests apart (client isolation)",
        mend: "see whether both are in the same network; \(another)")
    default: return nil
    }
  }

  private func words(_ answer: PeerProbe.Answer) -> Words {
    switch answer {
    case .noSuchHost:
      Words(
        what: "\(subject): there is no host of that name", cause: "the name is mistyped, or not in the DNS",
        mend: "give its address instead; `ip address` on the other machine shows it")
    case .refused where isAnnounced == true:
      Words(
        what: "\(subject) is announced, but refuses the connection",
        cause: "a firewall on that machine rejects TCP port \(port)",
        mend: opening)
    case .refused:
      Words(
        what: "\(subject) refuses the connection",
        cause: "nothing waits on that port there any more, or a firewall there rejects it",
        mend: "run `bump send 1.00 --port \(port)` there, and this while it waits")
    case .rejected(host):
      Words(
        what: "\(subject) rejects the connection by ICMP", cause: "a firewall on that machine rejects TCP port \(port)",
        mend: opening)
    case .rejected(let source):
      Words(
        what: "\(subject) cannot be reached: \(source) rejects the connection by ICMP",
        cause: "a firewall or router between the two machines rejects TCP port \(port)",
        mend: "have the administrator of \(source) let it through, or join both machines to one network")
    case .stoppedHere:
      Words(
        what: "\(subject) cannot be reached from here",
        cause: "a firewall of this machine drops or rejects TCP going out",
        mend: "`sudo bump doctor` names the rule")
    case .nobody where isHeard:
      Words(
        what: "\(subject) is heard, but nothing that is sent to it alone arrives",
        cause: "the network keeps its guests apart (client isolation), and lets only multicast through", mend: another)
    case .nobody:
      Words(
        what: "\(subject) cannot be reached: no machine on the link answers for that address",
        cause: "no such machine is there now, or the network keeps its guests apart (client isolation)",
        mend: "compare with `ip address` on the other machine; \(another)")
    case .unreachable(let reason):
      Words(
        what: "\(subject) cannot be reached: \(reason)", cause: "this machine knows no way to that network",
        mend: "`ip route get \(host)`; join the network the other machine is in")
    case .noAnswer:
      Words(
        what: "\(subject) does not answer within 5 s", cause: dropping,
        mend: letsConnect == .yes ? opening : "\(opening), and `sudo bump doctor` here")
    case .closed:
      Words(
        what: "\(subject) closes the connection without a word", cause: "it is no sender, or has just ended",
        mend: "run `bump send 1.00 --port \(port)` there, and this while it waits")
    case .silent:
      Words(
        what: "\(subject) takes the connection, but says nothing",
        cause: "the sender there stands still, or another program has that port",
        mend: "`sudo ss -tlnp 'sport = :\(port)'` there names the program")
    default:
      Words(
        what: "\(subject) is no sender: it does not speak bump's protocol", cause: "another program has that port",
        mend: "`sudo ss -tlnp 'sport = :\(port)'` there names the program")
    }
  }

  /// A machine on the link is there: otherwise the answer would be `nobody`.
  private var dropping: String {
    switch (letsConnect, isAnnounced) {
    case (.yes, _?): "a firewall on that machine drops TCP port \(port); the one of this machine lets it through"
    case (_, _?): "a firewall drops TCP port \(port): on that machine, or, which takes root to see, on this one"
    case (.yes, nil): "a firewall there or on the way drops the packets, or there is no such machine"
    case (_, nil): "a firewall drops the packets, there or here, or there is no such machine"
    }
  }
}
