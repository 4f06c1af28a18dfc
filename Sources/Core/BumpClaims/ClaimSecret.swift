public import BumpText
public import Crypto

/// The 16 secret bytes of a claim. Anybody who knows them can take the money.
///
/// It prints as `<redacted>`. `SymmetricKey` compares it in constant time and wipes its storage when it is released.
public struct ClaimSecret: Hashable, Redacted, Sendable {
  private let key: SymmetricKey

  /// Makes a secret.
  ///
  /// - Throws: `ClaimError.secret` unless there are exactly 16 bytes.
  public init(_ bytes: some Collection<UInt8>) throws(ClaimError) {
    guard bytes.count == ClaimLimits.secret else { throw ClaimError(.secret, "a secret is 16 bytes") }
    key = SymmetricKey(data: Array(bytes))
  }

  /// The bytes, for the CLAIM message, the link and the store only.
  public var exposed: [UInt8] { key.withUnsafeBytes { Array($0) } }

  /// The bytes as a key for the link's MAC.
  public var asKey: SymmetricKey { key }

  /// Hashes the bytes. Swift seeds the hash for each process, so that it reveals nothing about the secret.
  public func hash(into hasher: inout Hasher) { key.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
