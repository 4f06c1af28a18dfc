import BumpWire

/// The times of the protocol, and the default time limits.
package enum Times {
  /// How long to look for another end, by default.
  package static let discovery: Duration = .seconds(10)
  /// How long one end waits for the other in one session in total, by default.
  package static let sending: Duration = .seconds(5)
  /// The time limit from the opening of a connection until its secure channel is established.
  package static let handshake: Duration = .seconds(2)
  /// The part of `handshake` that a receiver leaves for NOISE_1 to arrive, if it waited for its attempt.
  static let handshakeMargin: Duration = .milliseconds(500)
  /// How long a sender may take for an offer or a claim while another sender waits. Its session is not ended then,
  /// since its person may take a minute and its claim may be on its way; others only stop waiting for it. The other
  /// sender's offer is good for 5 s.
  static let grace: Duration = .seconds(2)
  /// How late a process must handle a deadline to count as having stood still, not merely as slow. A sender then has as
  /// long again to read an answer that may have arrived.
  static let standstill: Duration = .seconds(1)
  /// How long it takes at least to tell somebody a code.
  package static let telling: Duration = .seconds(3)
  /// How long at least to look for senders after a new code was entered: the sender's person had to tell it.
  package static let withCode: Duration = .seconds(60)
  /// How long to wait for another end without discovery, by default: somebody has to type an address there.
  package static let withoutDiscovery: Duration = .seconds(120)
  /// The delay between connection attempts to two addresses of one sender (RFC 8305 §5: Connection Attempt Delay).
  static let stagger: Duration = .milliseconds(250)
  /// How long a person may take after HOLD was sent.
  package static let hold: Duration = .seconds(Int(WireLimits.holdSeconds))
  /// How long a receiver waits for CLAIM after ACCEPT, in addition to what HOLD announced, whatever its other time
  /// limits. The sender relies on this: until it has passed, it gives the claim to nobody else.
  package static let claim: Duration = .seconds(5)
  /// How long a sender waits for ACCEPT once its digits were shown, whatever its other time limits: as
  /// long as the times of the protocol allow, including the receiver's person. A receiver relies on this
  /// (`AttemptBudget.memory`).
  package static let answering: Duration = claim + hold
  /// How long a document may take from its first byte to the answer, however steadily it comes.
  package static let transfer: Duration = .seconds(60)
  /// The least speed of a document while others wait, in bytes a second.
  static let leastSpeed = 65_536

  /// Returns how long a document may take from its first byte to its last while others wait: 5 s, and a second for each
  /// 64 KiB. The time begins once, not anew with each piece.
  ///
  /// - Parameter length: the document's length in bytes.
  static func transfer(of length: Int, whileOthersWait: Bool) -> Duration {
    whileOthersWait ? sending + .milliseconds(length * 1000 / leastSpeed) : transfer
  }
  /// How long a sender waits in a queue for each place at most: as long as a receiver takes for the sender before it.
  /// That is 2 s for the offer, 60 s for the person, 2 s for CLAIM or the first CHUNK, and 9 s for the longest document.
  static let place: Duration = .seconds(75)
  /// How long a sender waits for its turn before it is told its place: most waits are shorter.
  static let queueDelay: Duration = .milliseconds(500)
  /// How often a receiver tells a sender its place.
  static let queuedInterval: Duration = .seconds(3)
  /// How long a place is good for: the receiver repeats it before.
  static let queuedValidity: UInt8 = 10
  /// How long after CLAIM a receiver may begin to store it. The sender relies on this: `AnswerDeadline.margin` includes
  /// it, and a second for the commit.
  package static let storing: Duration = .seconds(4)
  /// How long after CLAIM a receiver has it stored, or takes it back.
  package static let stored: Duration = storing + .seconds(1)
}

/// How long one end still waits for the other in one session. All waiting counts together, except the time in which a
/// person decides.
struct Patience: Sendable {
  private var left: Duration
  private var waitingSince: Moment?

  init(_ limit: Duration) {
    left = limit
  }

  /// When waiting ends; `nil` while nothing is awaited.
  var end: Moment? { waitingSince.map { $0 + left } }

  /// Starts waiting for the other end.
  mutating func wait(from now: Moment) {
    waitingSince = now
  }

  /// Limits the remaining time.
  mutating func limit(to most: Duration) { left = min(left, most) }

  /// Notes a HOLD: the time that it announces does not count.
  mutating func hold(seconds: UInt8, at now: Moment) {
    pause(at: now)
    waitingSince = now + .seconds(Int(seconds))
  }

  /// Stops waiting: the other end has answered.
  mutating func pause(at now: Moment) {
    if let since = waitingSince, now > since { left -= now - since }
    waitingSince = nil
  }
}
