/// Why the vault refuses a request. Errors are equal if their codes are.
public struct VaultRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong, by the name that the API has for it. More may come: keep a `default` case.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// Lower-case words with hyphens between them.
    public let description: String

    /// No claim of that id, or a draft that lapsed.
    public static let unknownClaim = Code(description: "unknown-claim")
    /// Other terms, or another deposit, stand under that id.
    public static let idTaken = Code(description: "id-taken")
    /// A token that the vault does not hold.
    public static let unknownToken = Code(description: "unknown-token")
    /// More than the vault takes in one claim.
    public static let overCap = Code(description: "over-cap")
    /// An expiry that has passed, is too far off, or is no whole minute.
    public static let badExpiry = Code(description: "bad-expiry")
    /// A signature in another form than the one that is allowed.
    public static let badSignature = Code(description: "bad-signature")
    /// An authorization that the sender did not sign for this deposit.
    public static let notAuthorized = Code(description: "not-authorized")
    /// An authorization whose time has passed.
    public static let authorizationExpired = Code(description: "authorization-expired")
    /// A sender with too small a balance.
    public static let insufficientFunds = Code(description: "insufficient-funds")
    /// A sender with as many pending claims as one may have.
    public static let tooManyPending = Code(description: "too-many-pending")
    /// A sender with as many deposits today as one may make. `notBefore` says when the next day begins.
    public static let tooManyDeposits = Code(description: "too-many-deposits")
    /// A receiver that cannot be paid: the zero address, the vault or the token.
    public static let badReceiver = Code(description: "bad-receiver")
    /// A draft whose deposit has not been made.
    public static let notDeposited = Code(description: "not-deposited")
    /// A proof by another key than the claim's.
    public static let wrongSecret = Code(description: "wrong-secret")
    /// A claim that somebody else was paid. `receipt` is theirs.
    public static let alreadyClaimed = Code(description: "already-claimed")
    /// A claim that can no longer be taken.
    public static let expired = Code(description: "expired")
    /// A claim that cannot be refunded yet. `notBefore` says when it can.
    public static let notExpired = Code(description: "not-expired")
    /// A mint after which more of a token would exist than 2⁶³ − 1 base units.
    public static let supplyExhausted = Code(description: "supply-exhausted")
    /// A claim that changed each time the vault was about to change it. Nothing was done.
    public static let busy = Code(description: "busy")
  }

  public let code: Code
  /// What is wrong, for a person. It never repeats what a client sent.
  public let reason: String
  /// What to try, a sentence; `nil` where nothing helps.
  public let remedy: String?
  /// The receipt of the payment that stands in the way, with `alreadyClaimed`.
  public let receipt: SignedReceipt?
  /// From when on the request may succeed, in seconds since 1970, with `notExpired` and `tooManyDeposits`.
  public let notBefore: Int64?

  init(
    _ code: Code, _ reason: String, remedy: String? = nil, receipt: SignedReceipt? = nil, notBefore: Int64? = nil
  ) {
    (self.code, self.reason, self.remedy) = (code, reason, remedy)
    (self.receipt, self.notBefore) = (receipt, notBefore)
  }

  /// The reason, and the remedy as a sentence of its own.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
