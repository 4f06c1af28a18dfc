public import BumpClaims
import BumpVaultAPI

/// The settings of a vault's server, besides the vault's own limits.
public struct VaultSettings: Sendable {
  /// Whether the vault makes test money for anybody who asks.
  public var hasFaucet = false
  /// The greatest amount of test money that one request makes.
  public var mostOfFaucet: Amount
  /// The number of requests per minute from an IPv4 address or from the /64 of an IPv6 address. What a
  /// payout needs is not counted: the vault's description, and reads, claims and refunds of claims with a deposit. These,
  /// and equal repeats of drafts and deposits, are allowed beyond this limit, up to ten times as many. A request that is
  /// refused by its path alone counts no further.
  public var requestsPerMinute = 300
  /// The number of codes per minute for which such a network may ask. Many people may be behind one address.
  public var signInsPerMinute = 30
  /// The number of event streams that one such network may have open.
  public var streamsPerNetwork = 100
  /// The number of event streams that may be open in all.
  public var streams = 20_000
  /// The greatest number of a challenge. A solution takes half as many hashes on average.
  public var challengeNumber = ChallengeIssuer.usualNumber
  /// The time between two heartbeats on an event stream, in seconds.
  public var heartbeat: Int64 = 15
  /// The proxies in front of the server.
  public var proxies = Proxies()
  /// The URL at which the vault is to be found, which it signs. Only if it is one of loopback, and no proxy's header is
  /// there, is a client on this machine one that nobody else can read.
  public var origin = VaultOrigin()
  /// The file by which Apple's systems know the apps of the vault's host (`apple-app-site-association`), as JSON; `nil` for
  /// none.
  public var association: [UInt8]?
  /// The program's version, which clients see.
  public var version: String

  /// Makes settings without a faucet and without proxies. The faucet's greatest amount is 1000.00.
  public init(version: String) {
    self.version = version
    guard let amount = Amount(baseUnits: 1000 * Amount.scale) else { preconditionFailure("1000 is an amount") }
    mostOfFaucet = amount
  }
}
