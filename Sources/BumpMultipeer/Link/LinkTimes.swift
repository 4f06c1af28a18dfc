/// The time since something began, as the driver counts it. The pure parts have no clock: each input comes with its moment.
public typealias Moment = Duration

/// How long a link waits.
public struct LinkTimes: Sendable, Hashable {
  /// From the connection until the channel is established, and until its invitation has come.
  public var opening: Duration = .seconds(5)
  /// From the acceptance, or for members from the channel, until both programs have taken the certificates.
  public var negotiation: Duration = .seconds(10)
  /// After so long without a record, a ping is sent.
  public var ping: Duration = .seconds(3)
  /// After so long without a record, the other end counts as gone.
  public var silence: Duration = .seconds(10)

  /// The times as they are by default.
  public init() {}
}
