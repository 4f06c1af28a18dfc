import BumpKit
import BumpTerminal
import BumpWire

/// The parts of a receive's report about a time-out, and about the senders that were found.
extension ReceiveReport {
  /// What to do where the key that a sender requires was forgotten here: no option can name it.
  private static let forgottenKey =
    "If you forgot it, the sender runs `bump key forget NAME`, and you meet again with a code"

  /// Returns the error for a session that failed; `nil` if there was no session.
  private func transferFailure(_ found: [FailedPeer]) -> String? {
    guard let first = found.first, case .failed = first.reason else { return nil }
    let (words, reason) = ("found a sender, but the transfer failed", FailedPeerSentence.of(first, in: mode))
    return console.hasSaid(reason) && !json.isOn ? words : "\(words): \(reason)"
  }

  /// Returns the error for a time-out, with the reason why each sender that was found failed.
  private func lack(_ found: [FailedPeer]) -> String {
    let words = FailedPeerSentence.of(found, in: mode)
    let wanted = code.map { "a sender on channel \($0.channel)" } ?? wanted
    // That sender only lacks the key.
    if wanted == nil, absence == nil, let first = found.first, FailedPeerSentence.wantsKey(first, in: mode) {
      return [words, keyHint, Self.forgottenKey].compactMap(\.self).joined(separator: ". ")
    }
    if let failure = transferFailure(found) { return failure }
    if isDirect, let first = found.first, first.reason == .notResolved {
      return "the name \(PeerHost.of(first.address ?? "")) has no address. Check its spelling, or name an address: "
        + "`ip address` on the other machine shows it"
    }
    if let absence { return absence }
    if let wanted {
      return "\(wanted) was not found in time\(words.map { ": \($0)" } ?? ""). `bump browse` lists the senders nearby"
    }
    if let words { return "\(words). `bump doctor` looks for the cause" }
    return
      "nobody was found in time. Receivers do not see each other: one of you runs `bump send 1.00`. `bump doctor` looks "
      + "for the cause"
  }

  func why(_ reason: NobodyReason, _ found: [FailedPeer]) -> String {
    switch reason {
    case .timeout, .failed: lack(found)
    case .discoveryUnavailable:
      transferFailure(found) ?? "nobody can be found without discovery. `bump doctor` looks for the cause"
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
