public import BumpClaims

/// What whoever runs a vault's server decides, besides the vault's own limits.
public struct VaultSettings: Sendable {
  /// Whether the vault makes test money for whoever asks.
  public var hasFaucet = false
  /// The most test money that one request makes.
  public var mostOfFaucet: Amount
  /// Requests a minute of an IPv4 address or of the /64 of an IPv6 address. Claims and refunds of claims that are in the
  /// vault are not counted, up to ten times as many.
  public var requestsPerMinute = 300
  /// Streams of events that one such network may have open.
  public var streamsPerNetwork = 100
  /// Streams of events in all.
  public var streams = 20_000
  /// The greatest number of a challenge: half as many hashes on average.
  public var challengeNumber: Int64 = 100_000
  /// Seconds between two signs of life on a stream of events.
  public var heartbeat: Int64 = 15
  public var proxies = Proxies()
  /// The program's, for clients to see.
  public var version: String

  public init(version: String) {
    self.version = version
    guard let amount = Amount(baseUnits: 1000 * Amount.scale) else { preconditionFailure("1000 is an amount") }
    mostOfFaucet = amount
  }
}
