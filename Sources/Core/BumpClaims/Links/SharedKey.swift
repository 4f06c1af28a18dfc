public import BumpText
package import Crypto

/// A key of 32 bytes that both machines have. If several people share the key, it proves that one of them is at the
/// other end, but not which one.
///
/// It prints as `<redacted>`, compares in constant time, and wipes its storage when it is released.
public struct SharedKey: Hashable, Redacted, Sendable {
  /// The length in bytes.
  public static let length = 32
  package let key: SymmetricKey

  /// Makes a key; `nil` unless there are 32 bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length else { return nil }
    key = SymmetricKey(data: bytes)
  }

  package init(_ key: SymmetricKey) {
    self.key = key
  }

  /// The bytes, for the key file and the store only.
  public var exposed: [UInt8] { key.withUnsafeBytes { Array($0) } }

  public func hash(into hasher: inout Hasher) { key.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
