import BumpText
public import BumpWallet

/// The message `Account(address account,uint256 validBefore)` in a vault's domain. Its signature by the account's key
/// gives access to the account's balances and history until that time, to anybody who has the signature.
///
/// It is sent as `Authorization: Bump VALIDBEFORE.SIGNATURE`: seconds since 1970, and `0x` with 130 hex digits.
public struct AccountRequest: TypedData, Hashable, Sendable {
  /// How long a client's signature is valid, in seconds.
  public static let lifetime: Int64 = 300
  /// How far in the future `validBefore` may be, in seconds: clients' clocks differ.
  public static let longestLife: Int64 = 900
  /// The scheme of `Authorization` and `WWW-Authenticate` (RFC 9110 §11).
  public static let scheme = "Bump"

  /// The account to be read. Its key must sign.
  public let account: Address
  /// The time in seconds since 1970 until which the signature is valid; not negative.
  public let validBefore: Int64
  /// The vault's domain.
  public let domain: Domain

  /// Makes the message. A negative `validBefore` becomes zero.
  public init(account: Address, validBefore: Int64, domain: Domain) {
    (self.account, self.validBefore, self.domain) = (account, max(0, validBefore), domain)
  }

  public static let typeHash = Keccak256.hash("Account(address account,uint256 validBefore)".utf8)
  public var words: [Bytes32] { [.word(account), .word(UInt64(validBefore))] }

  /// Returns the value of the header `Authorization`.
  public func authorization(by key: PrivateKey) -> String {
    "\(Self.scheme) \(validBefore).\(Hex.prefixed(key.sign(digest).bytes))"
  }

  /// Returns whether the value of the header `Authorization` was signed by the account's owner, and is valid now.
  ///
  /// - Parameter now: the time in seconds since 1970.
  public static func isSigned(_ authorization: String, by account: Address, at now: Int64, domain: Domain) -> Bool {
    guard
      let match = authorization.wholeMatch(of: /(?i:bump) ([1-9][0-9]{0,17})\.(0x[0-9a-fA-F]{130})/),
      let validBefore = Int64(match.1), now < validBefore, validBefore - now <= longestLife,
      let signature = try? Signature(match.2)
    else { return false }
    return AccountRequest(account: account, validBefore: validBefore, domain: domain).isSigned(by: account, signature)
  }
}
