public import BumpClaims
public import BumpText
import Crypto

/// The key that is derived from a claim's secret. Whoever can sign with it can take the money.
///
/// It prints as `<redacted>`.
public struct ClaimKey: Equatable, Redacted, Sendable {
  let key: PrivateKey
  /// The address of the key.
  public let address: Address
  /// keccak256(address), which a vault stores in place of the secret.
  public let secretHash: Bytes32

  /// Derives the key: HKDF-SHA256 (RFC 5869) of the secret, without salt, with the info `bump/1 claim key` ‖ `00` ‖
  /// claim id, 48 bytes; then (these mod (n − 1)) + 1.
  public init(secret: ClaimSecret, claimID: ClaimID) {
    let uniform = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: secret.asKey, info: Array("bump/1 claim key\0".utf8) + claimID.description.utf8,
      outputByteCount: PrivateKey.uniformCount)
    key = PrivateKey(uniform: uniform)
    address = key.address
    secretHash = Self.hash(of: address)
  }

  /// Returns the secretHash of the key with an address.
  static func hash(of address: Address) -> Bytes32 { Keccak256.hash(address.bytes) }

  /// Proves knowledge of the secret to the vault. The proof is for one receiver, and useless to others.
  public func proof(of payout: Payout) -> Signature { key.sign(payout.digest) }
}
