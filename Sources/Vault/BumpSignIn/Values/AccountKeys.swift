public import BumpText
public import BumpWallet
public import Crypto

/// The keys with which a store's contents are hashed. They are not in the store: who has the store alone can neither
/// look up an address, nor try codes, nor use a session.
///
/// All servers of a vault have the same keys. Other keys would find no account.
public struct AccountKeys: Sendable, Redacted {
  private let addresses: SymmetricKey
  private let codes: SymmetricKey
  private let tokens: SymmetricKey
  /// A hash by which a store recognizes its keys. It reveals nothing about them.
  public let fingerprint: Bytes32

  /// The number of bytes of the secret from which the keys are derived.
  public static let secretCount = 32

  /// Derives the keys from a secret of `secretCount` bytes, drawn for these accounts.
  public init(secret: SymmetricKey) {
    precondition(secret.bitCount == Self.secretCount * 8, "the secret of accounts has 32 bytes")
    let derived = { (purpose: String) in
      HKDF<SHA256>.deriveKey(
        inputKeyMaterial: secret, info: Array("bump/1 accounts \(purpose)".utf8), outputByteCount: 32)
    }
    (addresses, codes, tokens) = (derived("address"), derived("code"), derived("token"))
    fingerprint = Self.hash([], with: derived("fingerprint"))
  }

  func hash(of address: SignInAddress) -> AddressHash { AddressHash(Self.hash(address.identity, with: addresses)) }

  func hash(of token: SignInToken) -> TokenHash { TokenHash(Self.hash(token.bytes, with: tokens)) }

  /// Returns the hash of a code, which depends on the flow: equal codes of two flows have different hashes.
  func hash(of code: OneTimeCode, in flow: TokenHash) -> Bytes32 {
    Self.hash(flow.value.bytes + Array(code.digits.utf8), with: codes)
  }

  private static func hash(_ bytes: [UInt8], with key: SymmetricKey) -> Bytes32 {
    guard let hash = Bytes32(Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))) else {
      preconditionFailure("SHA-256 has 32 bytes")
    }
    return hash
  }
}

/// A keyed hash of an address, by which a store knows its owner.
public struct AddressHash: Hashable, Sendable {
  public let value: Bytes32
  public init(_ value: Bytes32) { self.value = value }
}

/// A keyed hash of a flow's or a session's token.
public struct TokenHash: Hashable, Sendable {
  public let value: Bytes32
  public init(_ value: Bytes32) { self.value = value }
}

extension Bytes32 {
  /// Returns whether two hashes are equal. The time that this takes does not depend on where they differ.
  func isEqual(inConstantTime other: Bytes32) -> Bool {
    zip(bytes, other.bytes).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
