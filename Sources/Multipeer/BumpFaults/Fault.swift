/// A fault that is injected on purpose. All plans consist of these. Most faults have a range, from which a seed draws.
public enum Fault: Hashable, Sendable {
  /// A change of what a browser reports about the services nearby.
  case discovery(DiscoveryFault)
  /// A change of what happens to an invitation.
  case invitation(InvitationFault)
  /// A change of what a session reports about a peer to its program.
  case state(StateFault)
  /// A change of the bytes on a connection.
  case bytes(ByteFault)
  /// A change of messages and resources, before they are encoded.
  case traffic(TrafficFault)
  /// Another time limit of links.
  case time(LinkTime, TimeRange)
  /// Another behaviour of one of the two programs.
  case program(FaultSide, ProgramFault)
  /// An event on the host of one of the two peers.
  case host(FaultSide, HostFault)
  /// The faults of one of these lists, each with the same chance.
  case either([[Fault]])
}

/// One of the two peers, or both.
public enum FaultSide: Hashable, Sendable {
  /// The peer that browses and connects: it invites, or it receives a claim.
  case browser
  /// The peer that advertises and accepts connections.
  case advertiser
  /// Each of the two peers.
  case both
}

/// A false report of a browser.
public enum DiscoveryFault: Hashable, Sendable {
  /// Each service is found this much later.
  case late(TimeRange)
  /// No service is ever found.
  case never
  /// A service that was found is found this many more times: `after` the first time, `apart` from each other. With
  /// `onReturn`, only a service that was found before.
  case again(ClosedRange<Int>, after: TimeRange, apart: TimeRange, onReturn: Bool = false)
  /// A service that is still there is reported lost, this long after it was found, and found again after `back`. With
  /// `nil` it is not found again until browsing starts again.
  case lostWrongly(after: TimeRange, back: TimeRange?)
  /// A service is lost and found in turn, each after such a time.
  case flapping(TimeRange)
  /// The loss of a service is not reported.
  case lossUnseen
  /// A service of an earlier run, for which nobody answers, is found too, a little before the others: with the other
  /// peer's name, or with the browser's own.
  case ghost(isOwn: Bool)
  /// A service's TXT record is not read again when it changes, until browsing starts again.
  case stale
  /// Browsing and advertising fail to begin: with this code of `NSNetServicesErrorDomain`, or with `nil` without an
  /// error.
  case refused(code: Int?, FaultSide)
}

/// A change of what happens to an invitation.
public enum InvitationFault: Hashable, Sendable {
  /// The invitation does not arrive while the invited peer receives a resource.
  case lostWhileBusy
  /// The invited program answers this much later.
  case answeredLate(TimeRange)
  /// The inviting program is informed that the invitation has timed out, although a later answer counts.
  case timesOutFalsely
}

/// A false report to a program about a peer.
public enum StateFault: Hashable, Sendable {
  /// One side is informed that the other is not connected, this long after the two connected. They still are.
  case droppedFalsely(FaultSide, after: TimeRange)
}

/// A change of the bytes that one end of a connection sends. Both protocols send records, each a `u16` length and that
/// many bytes, so records are counted, from 1 in each direction.
public struct ByteFault: Hashable, Sendable {
  /// The direction of the bytes, or the end of a connection. The opener is the end that has connected.
  public enum Way: Hashable, Sendable { case fromOpener, toOpener, both }

  /// The effect on the bytes.
  public enum Effect: Hashable, Sendable {
    /// The record does not arrive; later ones do.
    case drop
    /// Neither the record nor any later one arrives, nor does the end of the connection.
    case stall
    /// The connection ends this long after the record. An end that is not among `ends` does not notice.
    case cut(after: TimeRange, ends: ByteFault.Way)
    /// The connection ends within the record, after this percentage of it has arrived.
    case cutInside(percent: ClosedRange<Int>)
    /// The record arrives this much later. Later records wait for it.
    case delay(TimeRange)
    /// From this record on, each is delayed by a time of its own. The order stays.
    case jitter(TimeRange)
    /// From this record on, the connection carries this many bytes per second.
    case slow(bytesPerSecond: Int)
    /// From this record on, records wait and arrive in bursts, with such times between them.
    case bursts(TimeRange)
    /// From this record on, each record is lost with this chance and sent again, as by TCP: after 200 ms, and each
    /// further time after twice as long (RFC 6298 §5.5; the least time-out of Linux).
    case retransmit(percent: ClosedRange<Int>)
    /// One bit of the record is flipped: this one, counted from the lowest of its first byte, or one of its last byte.
    case alter(bit: Int? = nil)
    /// The record arrives twice.
    case again
    /// The next record arrives first. If none follows, this one arrives before the end of the connection.
    case swap
    /// The record is replaced with the record of the same number from an earlier connection. If there was none, it is
    /// dropped.
    case replay
  }

  /// The connections that a fault affects, counted from 1.
  public enum Scope: Hashable, Sendable {
    /// Each connection of the two peers.
    case all
    /// These of the connections of the two peers.
    case connections(ClosedRange<Int>)
    /// Connections opened by a session that has had a connection before.
    case usedSessions
    /// All connections, while a peer browses or advertises.
    case whileDiscovering
  }

  /// The directions that are affected.
  public var way: Way
  /// The first record that is affected.
  public var record: Int
  /// The least length in bytes of the records that are counted and affected. So a plan can name a record although
  /// short ones may or may not come before it.
  public var least: Int
  /// The effect on the record, or from the record on.
  public var effect: Effect
  /// The connections that are affected.
  public var scope: Scope
  /// The percentage of these connections that are affected. It is drawn once for a plan.
  public var percent: ClosedRange<Int>

  /// Makes a fault of bytes.
  public init(
    _ effect: Effect, way: Way = .both, from record: Int = 1, ofAtLeast least: Int = 0, scope: Scope = .all,
    percent: ClosedRange<Int> = 100...100
  ) {
    (self.way, self.record, self.least, self.effect) = (way, record, least, effect)
    (self.scope, self.percent) = (scope, percent)
  }
}

/// A change of messages and resources.
public enum TrafficFault: Hashable, Sendable {
  /// This percentage of the unreliable messages is lost.
  case unreliableLost(percent: ClosedRange<Int>)
  /// This percentage of the unreliable messages is overtaken by the next message.
  case unreliableSwapped(percent: ClosedRange<Int>)
  /// Sending a resource stops after this percentage.
  case resourceStalls(percent: ClosedRange<Int>)
}

/// A time limit of links that a plan can change.
public enum LinkTime: String, Hashable, Sendable {
  /// The time from the acceptance until both programs are connected.
  case negotiation
  /// The time without a record after which the other end counts as gone.
  case silence
}

/// Another behaviour of a program.
public enum ProgramFault: Hashable, Sendable {
  /// Its session has the encryption preference `.none`, with which `.required` does not connect.
  case noEncryption
  /// The program never answers about a certificate.
  case certificateUnanswered
  /// The program rejects each certificate.
  case certificateRefused
  /// The program waits for an invitation: each peer expects the other one to invite.
  case waits
  /// Its session has eight members already.
  case isFull
  /// Its `discoveryInfo` is longer than a TXT record can hold.
  case infoTooBig
  /// Its display name is longer than 63 bytes.
  case nameTooLong
  /// The person at the program needs this long to answer a question.
  case slow(TimeRange)
}

/// An event on a host. Times count from the start of the peer.
public enum HostFault: Hashable, Sendable {
  /// The host disappears without a goodbye.
  case vanishes(after: TimeRange)
  /// Its program goes to the background. The other peer notices after `noticed`, and the program returns `returns`
  /// later.
  case background(after: TimeRange, noticed: TimeRange, returns: TimeRange)
  /// The host has no discovery.
  case noDiscovery
  /// The host is announced by two entries. The second one leads nowhere: it is of another interface, or of a process
  /// that has ended.
  case secondEntry
}
