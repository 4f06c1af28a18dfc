package import BumpChannel
public import BumpClaims
public import BumpDiscovery
public import BumpWire

/// What a sender's TXT record says of it: hints, of which a stranger may have written any. A session decides.
///
/// | key | value |
/// | --- | --- |
/// | `mode` | `open`, `code` or `key` |
/// | `ch` | with mode code: the channel, the public part of the code |
/// | `x` | with mode open: when the offer ends, in seconds since 1970 |
public struct Announcement: Hashable, Sendable {
  /// How the sender wants to know who takes the claim; `nil` where the record names no mode that we know.
  public let mode: Mode?
  /// The channel of the sender's code, 1 to 99; `nil` where the record names none.
  public let channel: Int?
  /// When the sender's offer ends; `nil` where the record does not say so.
  public let expiry: Expiry?

  /// Reads a record.
  public init(_ record: TXTRecord) {
    mode = record["mode"].flatMap { word in Mode.allCases.first { $0.description == word } }
    channel = record["ch"].flatMap { OneTimeCode.channel($0) }
    expiry = record["x"].flatMap { Int64($0) }.flatMap { Expiry(unixSeconds: $0) }
  }

  /// Says what others may know of a claim's sender. The channel of a code is public. The end of an offer, by which a
  /// receiver can tell that one of the two clocks is wrong, is public in mode open alone, where anybody may ask for the
  /// offer: on a ledger it could tell which claim this is.
  package init(_ credential: Credential, expiry: Expiry?) {
    mode = credential.mode
    channel = if case .code(let code) = credential { code.channel } else { nil }
    self.expiry = credential.mode == .open ? expiry : nil
  }

  /// The record of a sender that speaks the highest version of the protocol.
  ///
  /// - Throws: `DiscoveryError.badTXTRecord`, which no sender's is.
  package func record() throws -> TXTRecord {
    let (version, mode) = (String(ProtocolVersion.highest.rawValue), mode?.description ?? "")
    if let channel { return try TXTRecord(["txtvers": "1", "v": version, "mode": mode, "ch": String(channel)]) }
    if let expiry {
      return try TXTRecord(["txtvers": "1", "v": version, "mode": mode, "x": String(expiry.unixSeconds)])
    }
    return try TXTRecord(["txtvers": "1", "v": version, "mode": mode])
  }
}
