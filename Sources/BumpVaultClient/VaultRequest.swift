public import BumpClaims
public import BumpVaultAPI
public import BumpWallet

/// A request to a vault over HTTP.
public struct VaultRequest: Hashable, Sendable {
  public enum Method: String, Hashable, Sendable { case get = "GET", post = "POST" }

  public let method: Method
  /// The path, beginning with a slash. Ids and addresses in it need no escaping: they have no characters that do.
  public let path: String
  /// The JSON body; `nil` for a GET.
  public let body: [UInt8]?
  /// The value of the header field `Authorization`.
  public let authorization: String?

  private init(_ method: Method, _ path: String, _ body: [UInt8]? = nil, authorization: String? = nil) {
    (self.method, self.path, self.body, self.authorization) = (method, path, body, authorization)
  }

  public static let vault = Self(.get, "/api/vault")
  public static let challenge = Self(.get, "/api/challenge")
  public static func draft(_ draft: DraftRequest) -> Self { Self(.post, "/api/claims", draft.json.encoded) }
  public static func deposit(_ id: ClaimID, _ deposit: DepositRequest) -> Self {
    Self(.post, "/api/claims/\(id)/deposit", deposit.json.encoded)
  }
  // Once there is a deposit, requests name the claim by its ledger id: the deposit may be under another claim id.
  public static func claim(_ ledgerID: Bytes32) -> Self { Self(.get, "/api/claims/\(ledgerID)") }
  public static func events(_ ledgerID: Bytes32) -> Self { Self(.get, "/api/claims/\(ledgerID)/events") }
  public static func payout(_ ledgerID: Bytes32, _ payout: PayoutRequest) -> Self {
    Self(.post, "/api/claims/\(ledgerID)/claim", payout.json.encoded)
  }
  public static func refund(_ ledgerID: Bytes32) -> Self {
    Self(.post, "/api/claims/\(ledgerID)/refund", Array("{}".utf8))
  }
  public static func faucet(_ request: FaucetRequest) -> Self { Self(.post, "/api/faucet", request.json.encoded) }
  public static func balances(of account: Address, _ authorization: String) -> Self {
    Self(.get, "/api/accounts/\(account)", authorization: authorization)
  }
  /// - Parameter before: the position before which the page begins; `nil` for the latest entries.
  public static func history(of account: Address, before: Int64?, _ authorization: String) -> Self {
    let query = before.map { "?before=\($0)" } ?? ""
    return Self(.get, "/api/accounts/\(account)/history\(query)", authorization: authorization)
  }
}

/// The result of sending a request.
public enum VaultReply: Hashable, Sendable {
  /// The vault answered. `retryAfter` is the header field `Retry-After`, in seconds.
  case answer(status: Int, body: [UInt8], retryAfter: Int64? = nil)
  /// No complete answer was received. The vault may have carried the request out.
  case lost(String)
  /// The request was not sent, since there was no connection.
  case unsent(String)
}
