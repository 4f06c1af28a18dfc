import BumpClaims
import BumpKit
import BumpWire

/// Describes the peers whose transfer failed, by name and address, in a sentence without a full stop.
enum FailedPeerSentence {
  /// The most peers in one sentence.
  private static let maximum = 3

  /// - Parameters:
  ///   - mode: this side's mode.
  ///   - names: the names by which the person here can tell senders apart.
  /// - Returns: `nil` if there are no peers.
  static func of(_ peers: [FailedPeer], in mode: Mode, _ names: SenderNames = SenderNames()) -> String? {
    guard !peers.isEmpty else { return nil }
    let more = peers.count > maximum ? ["and \(peers.count - maximum) more"] : []
    return (peers.prefix(maximum).map { of($0, in: mode, names) } + more).joined(separator: "; ")
  }

  /// Returns what to add to a send for a receiver that refuses a sender without a code or a key, as a sentence without
  /// a full stop: the same command would fail in the same way. `nil` if no receiver did.
  static func remedy(_ peers: [FailedPeer], in mode: Mode) -> String? {
    guard mode == .open, peers.contains(where: { $0.reason == .failed(.aborted(.mode)) }) else { return nil }
    return "Add --to NAME if you remember that receiver, or else --code"
  }

  static func of(_ peer: FailedPeer, in mode: Mode, _ names: SenderNames = SenderNames()) -> String {
    let address = peer.address.map { ", \($0)," } ?? ""
    let host = peer.address.map(PeerHost.of) ?? "the other end"
    let name = peer.name.map { QuotedName.ofInstance($0, names) }
    let subject = (name.map { "\($0) is here" } ?? "the sender is there") + address
    // It may have gone since it was found.
    let found = "\(name ?? "a sender") was found\(peer.address.map { " at \($0)" } ?? ""), but"
    return switch peer.reason {
    case _ where wantsKey(peer, in: mode): "\(subject) but requires a key: name the same key with --key or --with"
    case .failed(let failure): FailureSentence.of(failure, with: peer.address ?? "", in: mode)
    case .notResolved: "\(name ?? "the sender") is announced, but its address was not found: it may have ended"
    case .offLink: "\(found) that address is on no network of this machine"
    case .passedOver: passedOver(peer, subject)
    case .unreachable: "\(found) this machine has no route to that address"
    case .refused: "\(found) refuses the connection: it has gone, or a firewall there rejects it"
    case .notTried: "\(found) there was no time to try it"
    case .mute: "\(found) sends no answer"
    case .leftEarly: "\(host) \(leaving(mode))"
    case .declinedThere: "\(host) declined"
    case .declinedAtOnce: "\(host) declined, or found the offer expired by its clock"
    case .wrongCode: "\(host) has another code"
    case .unwanted: "the offer of \(host) is not from the sender that was named"
    default: "\(found) does not answer: a firewall there may drop the packets"
    }
  }

  /// Returns what a receiver did that left before it saw the offer. Without the code it left to ask its person for it, and
  /// was to come back.
  private static func leaving(_ mode: Mode) -> String {
    switch mode {
    case .open: "came, and left before it saw the offer"
    case .code: "came without the code, and did not come back with it"
    case .key: "came, and left without showing that it has the key"
    }
  }

  /// Returns whether a sender's TXT record names mode key, and no key was given here.
  static func wantsKey(_ peer: FailedPeer, in mode: Mode) -> Bool {
    peer.mode == .key && mode == .open && [.failed(.otherMode(.key)), .passedOver].contains(peer.reason)
  }

  /// Returns why a sender is not the one of the code, as a sentence.
  ///
  /// - Parameters:
  ///   - name: the sender's name in quotes.
  ///   - channel: the code's channel.
  static func passedOver(_ name: String, _ mode: Mode?, _ other: Int?, insteadOf channel: Int) -> String {
    let subject = "\(name) is nearby, but"
    guard mode == .code else { return "\(subject) uses no code. To receive from there: bump receive" }
    return "\(subject) its code begins with \(other.map { "\($0)" } ?? "another number"), not \(channel)."
  }

  private static func passedOver(_ peer: FailedPeer, _ subject: String) -> String {
    "\(subject)\(peer.address == nil ? "," : "") but \(difference(peer.mode, peer.channel))"
  }

  private static func difference(_ mode: Mode?, _ channel: Int?) -> String {
    mode == .code ? "its code begins with \(channel.map { "\($0)" } ?? "another number")" : "it uses no code"
  }
}
