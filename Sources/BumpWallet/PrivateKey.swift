import BumpClaims
public import BumpText
public import Crypto
public import FoundationEssentials
import Glibc

/// A private key of secp256k1: an integer from 1 to n − 1.
///
/// It prints as `<redacted>`, compares in constant time, and its storage is wiped when it goes: the last two are
/// `SymmetricKey`'s doing. What cannot be wiped from Swift are registers, what the compiler puts on the stack, and
/// whatever a caller made the key from or has of `exposed`.
public struct PrivateKey: Equatable, Redacted, Sendable {
  private let key: SymmetricKey
  public let publicKey: PublicKey

  /// - Parameter bytes: 32 bytes, big-endian. They are copied; whoever drew them wipes them.
  /// - Throws: `WalletError.privateKey` unless there are 32, for an integer from 1 to n − 1.
  public init(_ bytes: some ContiguousBytes) throws(WalletError) {
    let key = SymmetricKey(data: bytes)
    guard let publicKey = Secp256k1.publicKey(of: key) else {
      throw WalletError(.privateKey, "a private key is 32 bytes: an integer from 1 to the order of secp256k1, less one")
    }
    (self.key, self.publicKey) = (key, publicKey)
  }

  /// Makes a key of a uniform big-endian integer: (integer mod (n − 1)) + 1. With 48 bytes each key is as likely as any
  /// other, up to one part in 2¹²⁸ (FIPS 186-5 §A.2.1 has the like).
  ///
  /// - Parameter uniform: 48 bytes.
  public init(uniform: SymmetricKey) {
    precondition(uniform.bitCount == 8 * Self.uniformCount, "a key is made of 48 bytes")
    let scalar = uniform.withUnsafeBytes { Scalar(reducing: $0) }
    var halves = (scalar.high.bigEndian, scalar.low.bigEndian)
    defer { explicit_bzero(&halves, MemoryLayout.size(ofValue: halves)) }
    key = withUnsafeBytes(of: &halves) { SymmetricKey(data: $0) }
    guard let publicKey = Secp256k1.publicKey(of: key) else { preconditionFailure("1 to n − 1 is a key") }
    self.publicKey = publicKey
  }

  /// Bytes that `init(uniform:)` takes.
  public static let uniformCount = 48

  public var address: Address { publicKey.address }

  /// Signs a digest, always with the same signature (RFC 6979, SHA-256).
  ///
  /// - Parameter digest: a hash. Whoever lets others choose it signs whatever they like: `TypedData` makes digests.
  public func sign(_ digest: Bytes32) -> Signature { Signature(digest, with: key) }

  /// The 32 bytes themselves, for the key file: nowhere else.
  public var exposed: [UInt8] { key.withUnsafeBytes { Array($0) } }

  public static func == (left: Self, right: Self) -> Bool { left.key == right.key }
}
