/// One thing that goes wrong on purpose: the vocabulary of all plans. Each has a range, out of which a seed draws.
public enum Fault: Hashable, Sendable {
  /// What a browser reports of the services nearby.
  case discovery(DiscoveryFault)
  /// What becomes of an invitation.
  case invitation(InvitationFault)
  /// What a session's program is told of a peer.
  case state(StateFault)
  /// What becomes of the bytes on a connection.
  case bytes(ByteFault)
  /// What becomes of messages and resources, before they are bytes.
  case traffic(TrafficFault)
  /// How long a link waits.
  case time(LinkTime, TimeRange)
  /// What one of the two programs does itself.
  case program(FaultSide, ProgramFault)
  /// What happens to the host of one of the two.
  case host(FaultSide, HostFault)
  /// One of these lists, each as likely.
  case either([[Fault]])
}

/// One of the two peers.
public enum FaultSide: Hashable, Sendable {
  /// The one that browses and connects: it invites, or it receives a claim.
  case browser
  /// The one that advertises and is connected to.
  case advertiser
  case both
}

/// What a browser reports, other than what there is.
public enum DiscoveryFault: Hashable, Sendable {
  /// A service is found so much later.
  case late(TimeRange)
  /// No service is ever found.
  case never
  /// A service that was found is found so many times more: `after` the first time, `apart` from each other. With
  /// `onReturn` only one that was there before.
  case again(ClosedRange<Int>, after: TimeRange, apart: TimeRange, onReturn: Bool = false)
  /// A service is lost though it is there, so long after it was found, and found again after `back`; `nil` for never, or
  /// until browsing begins anew.
  case lostWrongly(after: TimeRange, back: TimeRange?)
  /// A service is lost and found in turn, so long each.
  case flapping(TimeRange)
  /// That a service has gone is not reported.
  case lossUnseen
  /// A service that nobody answers for is found too: of the other peer's name, or of one's own, so much earlier.
  case ghost(isOwn: Bool)
  /// What a service says of itself is not read again where it changes, until browsing begins anew.
  case stale
  /// Neither browsing nor advertising begins: with this code of `NSNetServicesErrorDomain`, or `nil` where no error comes.
  case refused(code: Int?, FaultSide)
}

/// What becomes of an invitation.
public enum InvitationFault: Hashable, Sendable {
  /// It does not arrive while the invited peer receives a resource.
  case lostWhileBusy
  /// The invited program answers only after so long.
  case answeredLate(TimeRange)
  /// The inviting program is told that its time is up, and the answer counts all the same.
  case timesOutFalsely
}

/// What a program is told of a peer, other than what there is.
public enum StateFault: Hashable, Sendable {
  /// One side is told that the other is not connected, so long after it was: it is.
  case droppedFalsely(FaultSide, after: TimeRange)
}

/// What becomes of the bytes that one end of a connection sends the other. Both wires send records of a `u16` length and
/// as many bytes, so records are counted, from 1 for each way.
public struct ByteFault: Hashable, Sendable {
  /// Which end's bytes.
  public enum Way: Hashable, Sendable { case fromOpener, toOpener, both }

  /// What becomes of them.
  public enum Effect: Hashable, Sendable {
    /// The record does not arrive; those behind it do.
    case drop
    /// Neither the record nor anything behind it arrives, and not the end of the connection either.
    case stall
    /// The connection ends, so long after this record. An end that is not among `ends` does not hear of it.
    case cut(after: TimeRange, ends: ByteFault.Way)
    /// The connection ends within the record, when so much of a hundred has arrived.
    case cutInside(percent: ClosedRange<Int>)
    /// The record and all behind it come so much later.
    case delay(TimeRange)
    /// From this record on, each is late by a draw of its own. The order stays.
    case jitter(TimeRange)
    /// From this record on, so many bytes pass in a second.
    case slow(bytesPerSecond: Int)
    /// From this record on, all wait for the next of bursts, so far apart.
    case bursts(TimeRange)
    /// From this record on, each is lost with so many chances in a hundred and sent again, as TCP does: after 200 ms, and
    /// each time after twice as long (RFC 6298 §5.5; Linux's least time-out).
    case retransmit(percent: ClosedRange<Int>)
    /// A bit of the record's last byte flips.
    case alter
    /// The record comes twice.
    case again
    /// The next record comes first. Where none follows, this one comes before the end.
    case swap
    /// In its place comes the record of that number of an earlier connection; where there was none, nothing.
    case replay
  }

  /// The connections that it concerns, counted from 1.
  public enum Scope: Hashable, Sendable {
    case all
    /// Of all connections of the pair.
    case connections(ClosedRange<Int>)
    /// All but the first of one session object.
    case usedSessions
    /// While a peer browses or advertises.
    case whileDiscovering
  }

  public var way: Way
  /// The first record that it concerns.
  public var record: Int
  public var effect: Effect
  public var scope: Scope
  /// In how many of a hundred connections it happens. The number is drawn once for a plan.
  public var percent: ClosedRange<Int>

  public init(
    _ effect: Effect, way: Way = .both, from record: Int = 1, scope: Scope = .all, percent: ClosedRange<Int> = 100...100
  ) {
    (self.way, self.record, self.effect, self.scope, self.percent) = (way, record, effect, scope, percent)
  }
}

/// What becomes of messages and resources.
public enum TrafficFault: Hashable, Sendable {
  /// So many of a hundred unreliable messages are lost.
  case unreliableLost(percent: ClosedRange<Int>)
  /// So many of a hundred unreliable messages are overtaken by the next.
  case unreliableSwapped(percent: ClosedRange<Int>)
  /// No more of a resource is sent once so much of a hundred was.
  case resourceStalls(percent: ClosedRange<Int>)
}

/// A time of a link that a plan changes.
public enum LinkTime: String, Hashable, Sendable {
  /// From the acceptance until both are connected.
  case negotiation
  /// After so long without a word the other end counts as gone.
  case silence
}

/// What a program does itself.
public enum ProgramFault: Hashable, Sendable {
  /// Its session's encryption is `.none`, and the other's `.required`.
  case noEncryption
  /// It never answers about a certificate.
  case certificateUnanswered
  /// It refuses each certificate.
  case certificateRefused
  /// It waits to be invited: both think that the other is to invite.
  case waits
  /// Its session has eight peers.
  case isFull
  /// Its discoveryInfo is longer than a TXT record takes.
  case infoTooBig
  /// Its display name is longer than 63 bytes.
  case nameTooLong
  /// Its person takes so long to answer a question, or its store to write.
  case slow(TimeRange)
}

/// What happens to a host. Times count from the beginning.
public enum HostFault: Hashable, Sendable {
  /// It is gone without a word.
  case vanishes(after: TimeRange)
  /// Its program goes to the background. The other notices after `noticed`; it returns so long after that.
  case background(after: TimeRange, noticed: TimeRange, returns: TimeRange)
  /// It has no discovery.
  case noDiscovery
  /// It has two entries: the second is of another interface, or of a process that is gone, and leads nowhere.
  case secondEntry
}
