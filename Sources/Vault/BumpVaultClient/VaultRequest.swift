public import BumpClaims
public import BumpVaultAPI
public import BumpWallet

/// A request to a vault over HTTP.
public struct VaultRequest: Hashable, Sendable {
  /// The HTTP methods that a client uses (RFC 9110 §9.3).
  public enum Method: String, Hashable, Sendable { case get = "GET", post = "POST" }

  /// The request's method. A `POST` has a body.
  public let method: Method
  /// The path, beginning with a slash. Ids and addresses in it need no escaping: they have no characters that do.
  public let path: String
  /// The JSON body; `nil` for a GET.
  public let body: [UInt8]?
  /// The value of the header field `Authorization`, made by `AccountRequest.authorization(by:)`; `nil` for a request
  /// that needs none.
  public let authorization: String?

  private init(_ method: Method, _ path: String, _ body: [UInt8]? = nil, authorization: String? = nil) {
    (self.method, self.path, self.body, self.authorization) = (method, path, body, authorization)
  }

  /// Asks the vault to describe itself, and to prove that it does. `VaultStatement` reads the answer.
  ///
  /// - Parameter nonce: 32 bytes that were drawn for this request.
  public static func vault(nonce: Bytes32) -> Self {
    Self(.get, "/api/vault?nonce=\(nonce.description.dropFirst(2))")
  }
  /// Asks for a challenge, which one draft may use within five minutes. `Challenge` reads the answer.
  public static let challenge = Self(.get, "/api/challenge")
  /// Stores a claim's terms, without money. `DraftResponse` reads the answer.
  public static func draft(_ draft: DraftRequest) -> Self { Self(.post, "/api/claims", draft.json.encoded) }
  /// Locks a drafted claim's amount. `DepositResponse` reads the answer.
  public static func deposit(_ id: ClaimID, _ deposit: DepositRequest) -> Self {
    Self(.post, "/api/claims/\(id)/deposit", deposit.json.encoded)
  }
  // Once there is a deposit, requests name the claim by its ledger id: the deposit may be under another claim id.
  /// Asks for a claim's state. `ClaimResponse` reads the answer.
  public static func claim(_ ledgerID: Bytes32) -> Self { Self(.get, "/api/claims/\(ledgerID)") }
  /// Opens the stream of a claim's events. `EventParser` reads it.
  public static func events(_ ledgerID: Bytes32) -> Self { Self(.get, "/api/claims/\(ledgerID)/events") }
  /// Claims a claim's amount for a receiver. `SignedReceipt` reads the answer.
  public static func payout(_ ledgerID: Bytes32, _ payout: PayoutRequest) -> Self {
    Self(.post, "/api/claims/\(ledgerID)/claim", payout.json.encoded)
  }
  /// Asks to pay an expired claim back to its sender. `SignedReceipt` reads the answer.
  public static func refund(_ ledgerID: Bytes32) -> Self {
    Self(.post, "/api/claims/\(ledgerID)/refund", Array("{}".utf8))
  }
  /// Asks for test money. A vault that makes none answers with `notFound`.
  public static func faucet(_ request: FaucetRequest) -> Self { Self(.post, "/api/faucet", request.json.encoded) }
  /// Asks for an account's balances. `BalancesResponse` reads the answer.
  public static func balances(of account: Address, _ authorization: String) -> Self {
    Self(.get, "/api/accounts/\(account)", authorization: authorization)
  }
  /// Asks for a page of an account's movements, the latest first. `AccountHistoryResponse` reads the answer.
  ///
  /// - Parameter before: the position before which the page begins; `nil` for the latest entries.
  public static func history(of account: Address, before: Int64?, _ authorization: String) -> Self {
    let query = before.map { "?before=\($0)" } ?? ""
    return Self(.get, "/api/accounts/\(account)/history\(query)", authorization: authorization)
  }
}

/// The result of sending a request.
public enum VaultReply: Hashable, Sendable {
  /// An answer came.
  case answer(status: Int, body: [UInt8], Context = Context())
  /// No complete answer was received. The vault may have carried the request out.
  case lost(Reason)
  /// No byte of the request was sent.
  case unsent(Reason)

  /// Why there is no answer, for a person. A string literal is a reason against which waiting helps.
  public struct Reason: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The words, which continue a sentence: "it closed the connection".
    public let words: String
    /// What to try, as a sentence.
    public let remedy: String

    /// Makes a reason.
    public init(_ words: String, remedy: String = "Try again later") {
      (self.words, self.remedy) = (words, remedy)
    }

    public init(stringLiteral words: String) { self.init(words) }
  }

  /// What an answer comes with.
  public struct Context: Hashable, Sendable {
    /// The header field `Retry-After`, in seconds; `nil` for none.
    public let retryAfter: Int64?
    /// Whether the answer is certainly the vault's own. It is not if anybody on the way can have given it, or if it has
    /// another media type than the vault's answers: then a proxy or a gateway may have given it, and may have passed the
    /// request on.
    public let isAuthentic: Bool

    /// Makes the context of an answer, by default the vault's own.
    public init(retryAfter: Int64? = nil, isAuthentic: Bool = true) {
      (self.retryAfter, self.isAuthentic) = (retryAfter, isAuthentic)
    }
  }
}
