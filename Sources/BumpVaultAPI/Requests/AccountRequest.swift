import BumpText
public import BumpWallet

/// The message `Account(address account,uint256 validBefore)` in a vault's domain, whose signature by the account's key
/// shows its balances and history to whoever carries it, until that time.
///
/// It is sent as `Authorization: Bump VALIDBEFORE.SIGNATURE`: seconds since 1970, and `0x` with 130 hex digits.
public struct AccountRequest: TypedData, Hashable, Sendable {
  /// How long a client signs for, in seconds.
  public static let lifetime: Int64 = 300
  /// How far off the time may be, in seconds: clients' clocks differ.
  public static let longestLife: Int64 = 900
  /// The scheme of `Authorization` and `WWW-Authenticate` (RFC 9110 §11).
  public static let scheme = "Bump"

  public let account: Address
  /// Seconds since 1970, not negative.
  public let validBefore: Int64
  /// The vault's.
  public let domain: Domain

  public init(account: Address, validBefore: Int64, domain: Domain) {
    (self.account, self.validBefore, self.domain) = (account, max(0, validBefore), domain)
  }

  public static let typeHash = Keccak256.hash("Account(address account,uint256 validBefore)".utf8)
  public var words: [Bytes32] { [.word(account), .word(UInt64(validBefore))] }

  /// The value of the header `Authorization`.
  public func authorization(by key: PrivateKey) -> String {
    "\(Self.scheme) \(validBefore).\(Hex.prefixed(key.sign(digest).bytes))"
  }

  /// Whether the value of the header `Authorization` shows that the account's owner asks.
  ///
  /// - Parameter now: seconds since 1970.
  public static func isSigned(_ authorization: String, by account: Address, at now: Int64, domain: Domain) -> Bool {
    guard
      let match = authorization.wholeMatch(of: /(?i:bump) ([1-9][0-9]{0,17})\.(0x[0-9a-fA-F]{130})/),
      let validBefore = Int64(match.1), now < validBefore, validBefore - now <= longestLife,
      let signature = try? Signature(match.2)
    else { return false }
    return AccountRequest(account: account, validBefore: validBefore, domain: domain).isSigned(by: account, signature)
  }
}
