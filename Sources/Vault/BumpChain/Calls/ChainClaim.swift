import BumpClaims
public import BumpWallet

/// A claim as the contract has it: the result of `ClaimVaultCall.claims`.
public struct ChainClaim: Hashable, Sendable {
  /// The address that gets a refund.
  public let sender: Address
  /// The address of the token's contract.
  public let token: Address
  /// The amount in base units, below 2⁹⁶. Anybody may deposit any token, so it may be more than an `Amount`.
  public let amount: UInt128
  /// The time from which the claim is the sender's again, in seconds since 1970.
  public let expiry: UInt64
  /// The claim's status. If it is `none`, everything else is zero.
  public let status: ClaimStatus
  /// The hash that proves the claim's secret.
  public let secretHash: Bytes32

  /// Reads a result.
  ///
  /// - Throws: `NodeError.badResult` for anything that the contract does not return.
  public init(_ result: [UInt8]) throws(NodeError) {
    let words = try CallResult(result, words: 6)
    (sender, token) = (try words.address(0), try words.address(1))
    (amount, expiry) = (try words.number(2), try words.number(3))
    secretHash = words.bytes32(5)
    let number: UInt64 = try words.number(4)
    guard number < UInt64(Self.statuses.count) else {
      throw NodeError(.badResult, "a contract returned a status that no claim has")
    }
    status = Self.statuses[Int(number)]
  }

  /// The statuses in the contract's order.
  private static let statuses: [ClaimStatus] = [.none, .pending, .claimed, .refunded]

  /// Returns whether the claim has these terms.
  public func has(_ terms: ClaimTerms) -> Bool {
    secretHash == terms.secretHash && token == terms.token && amount == UInt128(terms.amount.baseUnits)
      && expiry == UInt64(terms.expiry.unixSeconds)
  }
}
