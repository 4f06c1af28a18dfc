public import BumpClaims
public import BumpDiscovery
public import BumpWire

/// The contents of a sender's TXT record: hints, which anybody can forge. The session decides.
///
/// | key | value |
/// | --- | --- |
/// | `mode` | `open`, `code` or `key` |
/// | `ch` | with mode code: the channel, the public part of the code |
/// | `x` | with mode open: when the offer expires, in seconds since 1970 |
public struct Announcement: Hashable, Sendable {
  /// The mode of the sender; `nil` if the record names none, or an unknown one.
  public let mode: Mode?
  /// The channel of the sender's code, 1 to 99; `nil` if the record names none.
  public let channel: Int?
  /// When the sender's offer expires; `nil` if the record does not say.
  public let expiry: Expiry?

  /// Reads a record.
  public init(_ record: TXTRecord) {
    mode = record["mode"].flatMap { word in Mode.allCases.first { $0.description == word } }
    channel = record["ch"].flatMap { OneTimeCode.channel($0) }
    expiry = record["x"].flatMap { Int64($0) }.flatMap { Expiry(unixSeconds: $0) }
  }

  /// Makes the announcement of a sender. It has only what anybody may know.
  ///
  /// The channel of a code is public. The expiry lets a receiver see that one of the two clocks is wrong. It is
  /// announced only in mode open, where anybody may ask for the offer: on a ledger it could reveal which claim this is.
  package init(_ credential: Credential, expiry: Expiry?) {
    mode = credential.mode
    channel = if case .code(let code) = credential { code.channel } else { nil }
    self.expiry = credential.mode == .open ? expiry : nil
  }

  /// Returns the TXT record of a sender.
  ///
  /// - Throws: `DiscoveryError.badTXTRecord`, which the record of a sender never causes.
  package func record() throws -> TXTRecord {
    let (version, mode) = (String(ProtocolVersion.current), mode?.description ?? "")
    if let channel { return try TXTRecord(["txtvers": "1", "v": version, "mode": mode, "ch": String(channel)]) }
    if let expiry {
      return try TXTRecord(["txtvers": "1", "v": version, "mode": mode, "x": String(expiry.unixSeconds)])
    }
    return try TXTRecord(["txtvers": "1", "v": version, "mode": mode])
  }
}
