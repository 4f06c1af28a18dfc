import BumpDiscovery
import BumpKit
import BumpTerminal
import BumpText
import BumpWire

/// The parts of a receive's report about a time-out, and about the senders that were found.
extension ReceiveReport {
  /// What to do where the key that a sender requires was forgotten here: no option can name it.
  private static let forgottenKey =
    "If you forgot it, the sender runs `bump key forget NAME`, and you meet again with a code"

  /// Returns the error for a session that failed; `nil` if there was no session.
  private func transferFailure(_ found: [FailedPeer]) -> String? {
    guard let first = found.first, case .failed = first.reason else { return nil }
    let (words, reason) = ("found a sender, but the transfer failed", FailedPeerSentence.of(first, in: mode, names))
    return console.hasSaid(reason) && !json.isOn ? words : "\(words): \(reason)"
  }

  /// Returns the error for a time-out, with the reason why each sender that was found failed.
  func lack(_ found: [FailedPeer]) -> String {
    if let peer { return lack(of: peer, found) }
    let words = FailedPeerSentence.of(found, in: mode, names)
    let wanted = code.map { "a sender whose code begins with \($0.channel)" } ?? wanted
    // That sender only lacks the key.
    if wanted == nil, let first = found.first, FailedPeerSentence.wantsKey(first, in: mode) {
      return [words, keyHint, Self.forgottenKey].compactMap(\.self).joined(separator: ". ")
    }
    if let failure = transferFailure(found) { return failure }
    if let wanted, let words { return notMet(wanted, found, words) }
    if let words { return advised(words, doctor) }
    if let absent = from.map({ VisibleText.of($0) }) ?? wanted {
      return "\(absent) was not found in time. \(Self.browse)"
    }
    return
      advised(
        "nobody was found in time. Receivers do not see each other: one of you runs `bump send 1.00`", doctor)
  }

  private static let browse = "`bump browse` lists the senders nearby"
  /// Names the doctor, except in a simulation, whose plan is the cause.
  private var doctor: String? { json.isSimulated ? nil : "`bump doctor` looks for the cause" }
  private func advised(_ words: String, _ remedy: String?) -> String { remedy.map { "\(words). \($0)" } ?? words }

  /// Returns the error where senders were found, and perhaps the wanted one: a sender that was passed over is another,
  /// and one that was not reached may be it.
  private func notMet(_ wanted: String, _ found: [FailedPeer], _ words: String) -> String {
    found.allSatisfy { $0.reason == .passedOver }
      ? "\(wanted) was not found in time: \(words). \(Self.browse)"
      : advised("\(wanted) was not reached in time: \(words)", doctor)
  }

  /// Returns the error for a sender that was given by its address (`--peer`).
  private func lack(of peer: Endpoint, _ found: [FailedPeer]) -> String {
    let command = ShellCommand.text(["bump", "doctor", "--peer", "\(peer)"])
    let words: String
    switch found.first?.reason {
    case .notResolved:
      return "the name \(PeerHost.of("\(peer)")) has no address. Check its spelling, or name an address: "
        + "`ip address` on the other machine shows it"
    case .unwanted: return "the sender at \(peer) is not the one that was named"
    case .unreachable: words = "no machine was reached at \(peer), or this machine has no route to it"
    case .refused: words = "\(peer) refuses the connection: no sender listens there, or a firewall rejects it"
    case .connectTimedOut: words = "\(peer) does not answer: no machine is there, or a firewall drops the packets"
    case .mute: words = "\(peer) takes the connection, but sends no answer"
    default:
      if let failure = transferFailure(found) { return failure }
      words = "\(peer) was not reached in time"
    }
    return "\(words). `\(command)` tells why"
  }

  func why(_ reason: NobodyReason, _ found: [FailedPeer]) -> String {
    switch reason {
    case .timeout, .failed: lack(found)
    case .otherNames(let others): lack(besides: others)
    case .discoveryUnavailable:
      transferFailure(found)
        ?? advised(
          "nobody can be found without discovery", discovery.alternative(isSimulated: json.isSimulated) ?? doctor)
    case .namesakes(let candidates): namesakes(candidates)
    case .interference:
      "\(interference(found)). Use a code, `bump send 1.00 --code` there, or the link"
    }
  }

  private func interference(_ found: [FailedPeer]) -> String {
    let tried = found.filter { $0.reason != .notTried && $0.reason != .passedOver }
    return !tried.isEmpty && tried.allSatisfy(\.isRefusal)
      ? "three senders declined after the digits were shown"
      : "three transfers failed after the digits were shown: somebody may interfere"
  }
}
