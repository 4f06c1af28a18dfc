extension Problem.Kind {
  /// All kinds of the API.
  public static let all = requests + refusals + servers

  // Requests that are not valid

  public static let malformed = Self("malformed", 400, "The body is not as it must be")
  public static let duplicateField = Self("duplicate-field", 400, "A field is there twice")
  public static let unknownField = Self("unknown-field", 400, "A field is not known")
  public static let missingField = Self("missing-field", 400, "A field is missing")
  public static let float = Self("float", 400, "A number has a fraction or an exponent")
  public static let badField = Self("bad-field", 400, "A field is not as it must be")
  public static let tooLarge = Self("too-large", 413, "The body is too large")
  public static let notFound = Self("not-found", 404, "There is nothing at this address")
  public static let methodNotAllowed = Self("method-not-allowed", 405, "The method is not allowed here")
  public static let unsupportedMediaType = Self("unsupported-media-type", 415, "The body has another media type")
  public static let requestTimeout = Self("request-timeout", 408, "The body did not come in time")
  public static let insecure = Self("insecure", 403, "A secret is taken over TLS or loopback only")
  public static let challengeRequired = Self("challenge-required", 403, "A solved challenge is required")
  public static let badChallenge = Self("bad-challenge", 403, "The challenge is not solved, has expired or was used")
  public static let notSigned = Self("not-signed", 401, "The account's owner has not signed the request")
  public static let tooManyRequests = Self("too-many-requests", 429, "There were too many requests")

  private static let requests = [
    malformed, duplicateField, unknownField, missingField, float, badField, tooLarge, notFound, methodNotAllowed,
    unsupportedMediaType, requestTimeout, insecure, challengeRequired, badChallenge, notSigned, tooManyRequests,
  ]

  // Refusals of the vault

  public static let unknownClaim = Self("unknown-claim", 404, "The claim is not known")
  public static let idTaken = Self("id-taken", 409, "The id is taken")
  public static let unknownToken = Self("unknown-token", 422, "The token is not known")
  public static let overCap = Self("over-cap", 422, "The amount is too large")
  public static let badExpiry = Self("bad-expiry", 422, "The expiry is not possible")
  public static let badSignature = Self("bad-signature", 422, "The signature has another form")
  public static let notAuthorized = Self("not-authorized", 403, "The sender has not authorized the deposit")
  public static let authorizationExpired = Self("authorization-expired", 410, "The authorization has expired")
  public static let insufficientFunds = Self("insufficient-funds", 409, "The balance is too small")
  public static let tooManyPending = Self("too-many-pending", 429, "The sender has too many pending claims")
  public static let tooManyDeposits = Self("too-many-deposits", 429, "The sender has made too many deposits today")
  public static let badReceiver = Self("bad-receiver", 422, "The receiver cannot be paid")
  public static let notDeposited = Self("not-deposited", 409, "Nothing was deposited for the claim")
  public static let wrongSecret = Self("wrong-secret", 403, "The proof is not by the claim's secret")
  public static let alreadyClaimed = Self("already-claimed", 409, "The claim was paid to somebody else")
  public static let expired = Self("expired", 410, "The claim has expired")
  public static let notExpired = Self("not-expired", 409, "The claim has not expired")
  public static let supplyExhausted = Self("supply-exhausted", 409, "No more of the token can be made")
  public static let busy = Self("busy", 503, "The claim or the account kept changing")

  static let refusals = [
    unknownClaim, idTaken, unknownToken, overCap, badExpiry, badSignature, notAuthorized, authorizationExpired,
    insufficientFunds, tooManyPending, tooManyDeposits, badReceiver, notDeposited, wrongSecret, alreadyClaimed, expired,
    notExpired, supplyExhausted, busy,
  ]

  // Failures of the vault itself

  public static let unavailable = Self("unavailable", 503, "The vault's store does not answer")
  public static let internalError = Self("internal", 500, "The vault failed")

  private static let servers = [unavailable, internalError]

  /// Whether the vault has looked at the claim, and refuses what was asked. Of the other kinds none says how the claim
  /// stands.
  package var isRefusal: Bool { Self.refusals.contains(self) }
}
