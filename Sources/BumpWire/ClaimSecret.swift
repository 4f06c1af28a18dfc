public import Crypto

/// The 16 bytes that let whoever knows them take the money.
///
/// It prints as `<redacted>`, compares in constant time, and its storage is wiped when it goes: the last two are
/// `SymmetricKey`'s doing.
public struct ClaimSecret: Hashable, Redacted, Sendable {
  private let key: SymmetricKey

  /// - Throws: `WireError.secret` unless there are exactly 16 bytes.
  public init(_ bytes: some Collection<UInt8>) throws(WireError) {
    guard bytes.count == Limits.secret else { throw WireError(.secret, "a secret is 16 bytes") }
    key = SymmetricKey(data: Array(bytes))
  }

  /// The bytes themselves, for the CLAIM message, the link and the store: nowhere else.
  public var exposed: [UInt8] { key.withUnsafeBytes { Array($0) } }

  /// The bytes as a key for the link's mac.
  public var asKey: SymmetricKey { key }

  /// Equal secrets hash alike; the hash tells nothing of the secret, since Swift seeds it anew for each process.
  public func hash(into hasher: inout Hasher) { key.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
