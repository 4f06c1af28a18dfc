/// The time since a moment that the driver chooses. Links and meshes have no clock: each input comes with its time.
public typealias Moment = Duration

/// The time limits of a link.
public struct LinkTimes: Sendable, Hashable {
  /// How long a connection may take until the channel is established, and then until its invitation has come.
  public var opening: Duration = .seconds(5)
  /// The time from the acceptance, or for members from the channel, until both programs have accepted the certificates.
  public var negotiation: Duration = .seconds(10)
  /// The time without a record after which a ping is sent.
  public var ping: Duration = .seconds(3)
  /// The time without a record after which the other end counts as gone.
  public var silence: Duration = .seconds(10)

  /// Makes the default times.
  public init() {}
}
