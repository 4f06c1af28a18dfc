public import BumpClaims
public import BumpWallet

/// The answer to `POST /api/claims`.
public struct DraftResponse: Hashable, Sendable {
  /// The id of the drafted claim, by the vault's word. The client compares it with the one that it drew.
  public let claimID: ClaimID
  /// The ledger id, by the vault's word. The client compares it with that of its own terms.
  public let ledgerID: Bytes32
  /// The claim's present status: `none`, or a later one if the request was a repeat.
  public let status: ClaimStatus

  /// - Throws: `RequestError`.
  public init(_ body: some Collection<UInt8>) throws(RequestError) {
    var fields = try JSONFields(body)
    claimID = try fields.required("claimId", Fields.claimID)
    ledgerID = try fields.required("ledgerId", Fields.bytes32)
    status = try fields.required("status", Fields.status)
  }
}

/// The answer to `POST /api/claims/{id}/deposit`.
public struct DepositResponse: Hashable, Sendable {
  /// The claim's present status, which may be a later one if the request was a repeat.
  public let status: ClaimStatus
  /// The hash of the deposit's journal entry.
  public let transaction: Bytes32

  /// - Throws: `RequestError`.
  public init(_ body: some Collection<UInt8>) throws(RequestError) {
    var fields = try JSONFields(body)
    status = try fields.required("status", Fields.status)
    transaction = try fields.required("txHash", Fields.bytes32)
  }
}

/// The answer 202 to a deposit, a claim or a refund: a transaction carries it to a chain, which has not confirmed it yet.
public struct SubmittedResponse: Hashable, Sendable {
  /// The hash of the chain's transaction, by the vault's word. Another one may take its place.
  public let transaction: Bytes32

  /// - Throws: `RequestError`.
  public init(_ body: some Collection<UInt8>) throws(RequestError) {
    var fields = try JSONFields(body)
    _ = try fields.required("status") { value in
      guard try value.string() == "submitted" else { throw Fields.Mismatch("it is not submitted") }
    }
    transaction = try fields.required("txHash", Fields.bytes32)
  }
}

/// The answer to `GET /api/claims/{name}`, or an event of `GET /api/claims/{name}/events`. Nobody has signed it.
public struct ClaimResponse: Hashable, Sendable {
  /// The ledger id. Reading has checked that it is that of `terms`.
  public let ledgerID: Bytes32
  /// The claim's terms, by the vault's word. The client compares them with its own.
  public let terms: ClaimTerms
  /// The claim's status. An expired claim is `pending` until it is refunded.
  public let status: ClaimStatus
  /// Whether a transaction carries the deposit to a chain, which has not confirmed it. The status is `none` then.
  public let isSubmitted: Bool
  /// The block of the deposit or of the end, and its level; `nil` for an embedded vault, and for a claim without money.
  public let inclusion: Inclusion?
  /// The hash of the journal entry that made the claim final; `nil` until then.
  public let transaction: Bytes32?
  /// When the claim became final, in seconds since 1970; `nil` until then.
  public let time: Int64?
  /// The address that was paid; `nil` for a refund, and until the claim is final.
  public let receiver: Address?
  /// The vault's time when it read this state, in seconds since 1970.
  public let now: Int64

  /// - Throws: `RequestError`, also if the ledger id is not that of the terms.
  public init(_ body: some Collection<UInt8>) throws(RequestError) {
    var fields = try JSONFields(body)
    ledgerID = try fields.required("ledgerId", Fields.bytes32)
    terms = ClaimTerms(
      secretHash: try fields.required("secretHash", Fields.bytes32),
      token: try fields.required("token", Fields.address), amount: try fields.required("amount", Fields.amount),
      expiry: try fields.required("expiry", Fields.moment))
    let said = try fields.required("status", Fields.claimState)
    (status, isSubmitted) = (said ?? .none, said == nil)
    inclusion = try Inclusion(&fields)
    transaction = try fields.optional("txHash", Fields.bytes32)
    time = try fields.optional("time") { try $0.integer() }
    receiver = try fields.optional("receiver", Fields.address)
    now = try fields.required("now", Fields.moment).unixSeconds
    guard ledgerID == terms.ledgerID else {
      throw RequestError(.field, "the ledger id is not that of the claim's terms", field: "ledgerId")
    }
  }
}

/// The answer to `GET /api/accounts/{address}`.
public struct BalancesResponse: Hashable, Sendable {
  /// The account with these balances. The client compares it with the one that it asked for.
  public let account: Address
  /// The balances by the token's contract, without those that are zero.
  public let balances: [Address: Amount]

  /// - Throws: `RequestError`.
  public init(_ body: some Collection<UInt8>) throws(RequestError) {
    var fields = try JSONFields(body)
    account = try fields.required("address", Fields.address)
    balances = try fields.required("balances") { value in
      var balances: [Address: Amount] = [:]
      for row in try value.array() {
        var fields = try JSONFields(row)
        let token = try fields.required("token", Fields.address)
        guard balances.updateValue(try fields.required("amount", Fields.amount), forKey: token) == nil else {
          throw Fields.Mismatch("a token occurs twice")
        }
      }
      return balances
    }
  }
}

/// The answer to `GET /api/accounts/{address}/history`: a page of an account's movements, the latest first.
public struct AccountHistoryResponse: Hashable, Sendable {
  /// A movement of money.
  public struct Entry: Hashable, Sendable {
    /// `mint`, `deposit`, `claim` or `refund`. More may be added.
    public let kind: String
    /// The claim's ledger id; `nil` for test money.
    public let ledgerID: Bytes32?
    /// The address of the token's contract.
    public let token: Address
    /// The amount moved, always greater than zero: `kind` tells the direction.
    public let amount: Amount
    /// The time of the movement, in seconds since 1970.
    public let time: Int64
  }

  /// The account that the movements belong to. The client compares it with the one that it asked for.
  public let account: Address
  /// The movements of this page, the latest first.
  public let entries: [Entry]
  /// The parameter for the next page; `nil` if this is the last one.
  public let before: Int64?

  /// - Throws: `RequestError`.
  public init(_ body: some Collection<UInt8>) throws(RequestError) {
    var fields = try JSONFields(body)
    account = try fields.required("address", Fields.address)
    entries = try fields.required("entries") { value in
      try value.array().map { row in
        var fields = try JSONFields(row)
        return Entry(
          kind: try fields.required("kind") { try $0.string() },
          ledgerID: try fields.optional("ledgerId", Fields.bytes32),
          token: try fields.required("token", Fields.address), amount: try fields.required("amount", Fields.amount),
          time: try fields.required("time") { try $0.integer() })
      }
    }
    before = try fields.optional("before") { try $0.integer() }
  }
}

/// The answer to `POST /api/claims/{name}/claim`.
public struct PayoutResponse: Hashable, Sendable {
  package static let now = "now"
  package static let before = "before"

  /// The receipt. `isSigned(by:)` checks its signature.
  public let receipt: SignedReceipt
  /// Whether the vault says that this very request made the payment. Nobody has signed that.
  public let isNew: Bool

  /// - Parameter domain: the vault's domain, in which the receipt must be signed.
  /// - Throws: `RequestError`.
  public init(_ body: some Collection<UInt8>, in domain: Domain) throws(RequestError) {
    var fields = try JSONFields(body)
    receipt = try SignedReceipt(fields, in: domain)
    isNew = try fields.optional("made") { try $0.string() } == Self.now
  }
}

/// Problem details (RFC 9457), read by a client.
public struct ProblemResponse: Hashable, Sendable {
  /// The kind of problem; `nil` for an unknown one, which a newer vault may have.
  public let kind: Problem.Kind?
  /// The vault's words for what is wrong, for a person. They are not signed.
  public let detail: String
  /// The vault's words for what to try; `nil` if nothing helps.
  public let remedy: String?
  /// The time from which the request may succeed, in seconds since 1970.
  public let notBefore: Int64?
  /// The receipt of the earlier payment. `isSigned(by:)` checks its signature.
  public let receipt: SignedReceipt?

  /// - Parameter domain: the vault's domain, in which the receipt must be signed.
  /// - Throws: `RequestError`.
  public init(_ body: some Collection<UInt8>, in domain: Domain) throws(RequestError) {
    var fields = try JSONFields(body)
    let type = try fields.required("type") { try $0.string() }
    kind = Problem.Kind.all.first { $0.type == type }
    detail = try fields.required("detail") { try $0.string() }
    remedy = try fields.optional("remedy") { try $0.string() }
    notBefore = try fields.optional("notBefore") { try $0.integer() }
    receipt = try fields.optional("receipt") { try SignedReceipt(JSONFields($0), in: domain) }
  }
}
