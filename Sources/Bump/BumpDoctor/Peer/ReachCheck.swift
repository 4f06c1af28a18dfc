import BumpWire

/// Explains why no sender answers at an address, and which of the two machines to check.
struct ReachCheck {
  /// The sender or address, as the subject of a sentence.
  var subject: String
  /// The address without its port.
  var host: String
  var port: String
  /// Whether the firewall of this machine lets connections out and the answers to them in.
  var letsConnect = Truth.unknown
  /// Whether a multicast DNS packet of the machine was received just now.
  var isHeard = false
  /// Whether the machine still lists the sender by multicast DNS; `nil` if that is not known.
  var isAnnounced: Bool?

  /// Judges the answer of a probe.
  ///
  /// - Returns: `nil` if a sender answered, or an earlier finding explains the failure.
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
    var remedy: String

    func finding(_ check: Finding.Check) -> Finding {
      isProblem ? .problem(check, what, cause: cause, remedy: remedy) : .note(check, what, cause: cause, remedy: remedy)
    }
  }

  private var opening: String {
    "open TCP port \(port) there. `sudo bump doctor --port \(port)` on that machine names the rule"
  }
  private var another: String { "join both machines to another network, such as a phone's hotspot, or take the link" }

  /// Returns the words for a listed sender that has ended without a goodbye. It is only a note: it hides no other
  /// sender.
  private func ended(_ answer: PeerProbe.Answer) -> Words? {
    guard isAnnounced == false else { return nil }
    switch answer {
    case .refused, .closed:
      return Words(
        isProblem: false, what: "\(subject) is listed, but refuses the connection",
        cause: "it has ended without a goodbye, or a firewall there rejects TCP port \(port)",
        remedy: "run `bump send 1.00 --port \(port)` there again, and this while it waits")
    case .nobody where !isHeard:
      return Words(
        isProblem: false, what: "\(subject) is listed, but no machine has that address now",
        cause: "it has left the network without a goodbye, or the network keeps its guests apart (client isolation)",
        remedy: "see whether both are in the same network. If they are, \(another)")
    default: return nil
    }
  }

  private func words(_ answer: PeerProbe.Answer) -> Words {
    switch answer {
    case .noSuchHost:
      Words(
        what: "\(subject): no host has that name", cause: "the name is mistyped, or not in the DNS",
        remedy: "give its address instead. `ip address` on the other machine shows it")
    case .refused where isAnnounced == true:
      Words(
        what: "\(subject) is announced, but refuses the connection",
        cause: "a firewall on that machine rejects TCP port \(port)",
        remedy: opening)
    case .refused:
      Words(
        what: "\(subject) refuses the connection",
        cause: "nothing waits on that port there any more, or a firewall there rejects it",
        remedy: "run `bump send 1.00 --port \(port)` there, and this while it waits")
    case .rejected(host):
      Words(
        what: "\(subject) rejects the connection by ICMP", cause: "a firewall on that machine rejects TCP port \(port)",
        remedy: opening)
    case .rejected(let source):
      Words(
        what: "\(subject) cannot be reached: \(source) rejects the connection by ICMP",
        cause: "a firewall or router between the two machines rejects TCP port \(port)",
        remedy: "have the administrator of \(source) let it through, or join both machines to one network")
    case .stoppedHere:
      Words(
        what: "\(subject) cannot be reached from here",
        cause: "a firewall of this machine drops or rejects TCP going out",
        remedy: "`sudo bump doctor` names the rule")
    case .nobody where isHeard:
      Words(
        what: "\(subject) is heard, but nothing that is sent to it alone arrives",
        cause: "the network keeps its guests apart (client isolation), and lets only multicast through", remedy: another
      )
    case .nobody:
      Words(
        what: "\(subject) cannot be reached: no machine on the link answers for that address",
        cause: "no such machine is there now, or the network keeps its guests apart (client isolation)",
        remedy: "compare with `ip address` on the other machine. If it is that address, \(another)")
    case .unreachable(let reason):
      Words(
        what: "\(subject) cannot be reached: \(reason)", cause: "this machine has no route to that network",
        remedy: "join the network the other machine is in. `ip route get \(host)` shows the route")
    case .noAnswer:
      Words(
        what: "\(subject) does not answer within 5 s", cause: dropping,
        remedy: (letsConnect == .yes ? opening : "\(opening), and `sudo bump doctor` here names one of this machine")
          + ". `ip address` and `ip route` there show its netmask and its routes")
    case .closed:
      Words(
        what: "\(subject) closes the connection without an answer", cause: "it is not a sender, or has just ended",
        remedy: "run `bump send 1.00 --port \(port)` there, and this while it waits")
    case .silent:
      Words(
        what: "\(subject) takes the connection, but says nothing",
        cause: "the sender there is suspended, or another program has that port",
        remedy: "`sudo ss -tlnp 'sport = :\(port)'` there names the program")
    default:
      Words(
        what: "\(subject) is not a sender: it does not speak bump's protocol", cause: "another program has that port",
        remedy: "`sudo ss -tlnp 'sport = :\(port)'` there names the program")
    }
  }

  /// The cause of a time-out. A machine on the link exists: otherwise the answer would be `nobody`.
  private var dropping: String {
    // A machine with a wrong netmask receives packets, but its answers get lost. Its multicast DNS responder may answer
    // by unicast nevertheless: a program that names the interface to send by needs no route.
    let (firewall, end) =
      switch (letsConnect, isAnnounced) {
      case (.yes, _?):
        ("a firewall on that machine drops TCP port \(port)", ". The firewall of this machine lets it through")
      case (_, _?):
        ("a firewall drops TCP port \(port) on that machine, or on this one, whose rules only root can read", "")
      case (.yes, nil): ("a firewall there or on the way drops the packets", ", or there is no such machine")
      case (_, nil): ("a firewall drops the packets, there or here", ", or there is no such machine")
      }
    return "\(firewall), or that machine has no route back to this one\(end)"
  }
}
