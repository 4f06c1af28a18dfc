import BumpClaims
public import BumpText
public import Crypto
public import FoundationEssentials
import Glibc

/// A private key of secp256k1: an integer from 1 to n − 1.
///
/// It prints as `<redacted>`. It is compared in constant time, and its storage is wiped when it is released:
/// `SymmetricKey` does both. Swift cannot wipe registers, the compiler's copies on the stack, the bytes from which a
/// caller made the key, and copies of `exposed`.
public struct PrivateKey: Equatable, Redacted, Sendable {
  private let key: SymmetricKey
  /// The public key, computed when the private key was made.
  public let publicKey: PublicKey

  /// - Parameter bytes: 32 bytes, big-endian. They are copied: the caller must wipe its own.
  /// - Throws: `WalletError.privateKey` unless they are 32 bytes, for an integer from 1 to n − 1.
  public init(_ bytes: some ContiguousBytes) throws(WalletError) {
    let key = SymmetricKey(data: bytes)
    guard let publicKey = Secp256k1.publicKey(of: key) else {
      throw WalletError(.privateKey, "a private key is 32 bytes: an integer from 1 to the order of secp256k1, less one")
    }
    (self.key, self.publicKey) = (key, publicKey)
  }

  /// Makes a key from a uniform big-endian integer: (integer mod (n − 1)) + 1. With 48 bytes all keys are equally
  /// likely, up to one part in 2¹²⁸ (FIPS 186-5 §A.2.1 is similar).
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

  /// The number of bytes that `init(uniform:)` takes.
  public static let uniformCount = 48

  /// The address that receives money for this key: that of its public key.
  public var address: Address { publicKey.address }

  /// Signs a digest. The same digest always gets the same signature (RFC 6979, SHA-256).
  ///
  /// - Parameter digest: a hash, made by `TypedData`. If others could choose it, they could have anything signed.
  public func sign(_ digest: Bytes32) -> Signature { Signature(digest, with: key) }

  /// The key's 32 bytes, only for the key file.
  public var exposed: [UInt8] { key.withUnsafeBytes { Array($0) } }

  public static func == (left: Self, right: Self) -> Bool { left.key == right.key }
}
