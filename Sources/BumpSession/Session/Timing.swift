import BumpWire

/// A moment, as the time since the bump began. The pure parts have no clock: each input comes with its moment.
public typealias Moment = Duration

/// The protocol's times.
package enum Times {
  /// How long another end is looked for, where nothing else is said.
  package static let discovery: Duration = .seconds(10)
  /// How long one end waits for the other in one session in all, where nothing else is said.
  package static let sending: Duration = .seconds(5)
  /// From a connection's opening until its channel is established.
  package static let handshake: Duration = .seconds(2)
  /// What is left of that to a receiver which waited for its turn, for NOISE_1 to arrive in time.
  static let handshakeMargin: Duration = .milliseconds(500)
  /// How long a sender may owe us an offer or a claim while another waits. The first is not cut off, only not waited for
  /// any more: its person may take a minute, and its claim may be on its way. The other's offer is good for 5 s.
  static let grace: Duration = .seconds(2)
  /// A process that notices a deadline so late has stood still, and did not merely run late. A sender then has as long to
  /// read the answer that may lie there.
  static let standstill: Duration = .seconds(1)
  /// How long it takes to tell somebody a code, at least.
  package static let telling: Duration = .seconds(3)
  /// How long senders are looked for, at least, once a code was entered that was not given before: the sender's person had
  /// to tell it.
  package static let withCode: Duration = .seconds(60)
  /// Between the first tries of two addresses of one sender (RFC 8305 §5: Connection Attempt Delay).
  static let stagger: Duration = .milliseconds(250)
  /// How long a person may take once the other end was told to hold.
  package static let hold: Duration = .seconds(Int(WireLimits.holdSeconds))
  /// How long a receiver waits for CLAIM after ACCEPT, but for what HOLD announced, whatever else it waits for. The sender
  /// counts on that: before this is over it gives the claim to nobody else.
  package static let claim: Duration = .seconds(5)
  /// How long a sender in mode open waits for ACCEPT once its digits were shown, whatever it was told to wait: so long as the
  /// protocol's own times take, the receiver's person included. A receiver counts on that (`Draws.memory`).
  package static let answering: Duration = claim + hold
  /// How long a document may take from the first of its bytes to the answer, however steadily it comes.
  package static let transfer: Duration = .seconds(60)
  /// How long after CLAIM a receiver begins to write it down. The sender counts on that too: `AnswerDeadline.margin` has it,
  /// and a second for the commit.
  package static let storing: Duration = .seconds(4)
}

/// How long one end still waits for the other in one session: the time it has waited is counted in all,
/// but for the time in which a person decides.
struct Patience: Sendable {
  private var left: Duration
  private var waitingSince: Moment?

  init(_ limit: Duration) {
    left = limit
  }

  /// When the waiting has been enough; `nil` while there is nothing to wait for.
  var end: Moment? { waitingSince.map { $0 + left } }

  /// It is the other end's turn.
  mutating func wait(from now: Moment) {
    waitingSince = now
  }

  /// It is waited for so long from now on, at most.
  mutating func limit(to most: Duration) { left = min(left, most) }

  /// The other end asks its person: what it announced is not counted.
  mutating func hold(seconds: UInt8, at now: Moment) {
    pause(at: now)
    waitingSince = now + .seconds(Int(seconds))
  }

  /// The other end has answered.
  mutating func pause(at now: Moment) {
    if let since = waitingSince, now > since { left -= now - since }
    waitingSince = nil
  }
}
