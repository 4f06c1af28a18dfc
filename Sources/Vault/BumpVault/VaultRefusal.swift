public import BumpWallet

/// The reason why the vault refuses a request. Errors are equal if their codes are.
public struct VaultRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of refusal, by its name in the API. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// Lower-case words with hyphens between them.
    public let description: String

    /// There is no claim of that id, or its draft has lapsed.
    public static let unknownClaim = Code(description: "unknown-claim")
    /// The id belongs to a claim or mint with other terms, or to another deposit.
    public static let idTaken = Code(description: "id-taken")
    /// The vault does not hold that token.
    public static let unknownToken = Code(description: "unknown-token")
    /// The amount is more than the vault allows in one claim.
    public static let overCap = Code(description: "over-cap")
    /// The expiry has passed, is too far in the future, or is not a whole minute.
    public static let badExpiry = Code(description: "bad-expiry")
    /// The signature does not have the one allowed form.
    public static let badSignature = Code(description: "bad-signature")
    /// The sender did not sign this deposit.
    public static let notAuthorized = Code(description: "not-authorized")
    /// The authorization's time has passed.
    public static let authorizationExpired = Code(description: "authorization-expired")
    /// The sender's balance is too small.
    public static let insufficientFunds = Code(description: "insufficient-funds")
    /// The sender has the greatest allowed number of pending claims.
    public static let tooManyPending = Code(description: "too-many-pending")
    /// The sender has made the greatest allowed number of deposits today. `notBefore` is the beginning of the next day.
    public static let tooManyDeposits = Code(description: "too-many-deposits")
    /// The receiver cannot be paid: it is the zero address, the vault or the token.
    public static let badReceiver = Code(description: "bad-receiver")
    /// The claim is a draft without a deposit.
    public static let notDeposited = Code(description: "not-deposited")
    /// The proof was made with another key than the claim's, or for another receiver or vault.
    public static let wrongSecret = Code(description: "wrong-secret")
    /// The claim was paid to another receiver, or, for a refund, to any receiver. `receipt` is that payment's.
    public static let alreadyClaimed = Code(description: "already-claimed")
    /// The claim can no longer be taken.
    public static let expired = Code(description: "expired")
    /// The claim cannot be refunded yet. `notBefore` is the time of its expiry.
    public static let notExpired = Code(description: "not-expired")
    /// After this mint, more than 2⁶³ − 1 base units of the token would exist.
    public static let supplyExhausted = Code(description: "supply-exhausted")
    /// The rows changed, or the transaction was lost, each time the vault was about to carry the change out. Nothing
    /// was done.
    public static let busy = Code(description: "busy")
    /// A vault on a chain does not pay for the request's transaction. `calldata` is what anybody else may carry.
    public static let sponsoringExhausted = Code(description: "sponsoring-exhausted")
    /// No node of the vault's chain answers. Nothing was done.
    public static let chainUnreachable = Code(description: "chain-unreachable")
  }

  /// The kind of refusal, the only part that `==` compares.
  public let code: Code
  /// What is wrong, for a person. It never repeats the client's input.
  public let reason: String
  /// What to try, as a sentence; `nil` if nothing helps.
  public let remedy: String?
  /// The receipt of the earlier payment, with `alreadyClaimed`.
  public let receipt: SignedReceipt?
  /// The time from which the request may succeed, in seconds since 1970, with `notExpired` and `tooManyDeposits`.
  public let notBefore: Int64?
  /// After how many seconds to ask again, with `chainUnreachable`.
  public let retryAfter: Int64?
  /// The call of the contract that does what was asked for, with `sponsoringExhausted`.
  public let calldata: ContractCall?

  /// Makes a refusal. The texts contain nothing of the client's input.
  package init(
    _ code: Code, _ reason: String, remedy: String? = nil, receipt: SignedReceipt? = nil, notBefore: Int64? = nil,
    retryAfter: Int64? = nil, calldata: ContractCall? = nil
  ) {
    (self.code, self.reason, self.remedy) = (code, reason, remedy)
    (self.receipt, self.notBefore) = (receipt, notBefore)
    (self.retryAfter, self.calldata) = (retryAfter, calldata)
  }

  /// The reason, followed by the remedy as its own sentence.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
