extension Problem.Kind {
  /// All kinds of the API.
  public static let all = requests + refusals + signIns + servers + chain

  // Requests that are not valid

  /// The body is not JSON, not an object, nested more than four deep, or not complete.
  public static let malformed = Self("malformed", 400, "The body is not valid")
  /// An object of the body, or the query, has a name twice.
  public static let duplicateField = Self("duplicate-field", 400, "A field occurs twice")
  /// The body or the query has a field that this request does not take.
  public static let unknownField = Self("unknown-field", 400, "A field is not known")
  /// A required field is missing.
  public static let missingField = Self("missing-field", 400, "A field is missing")
  /// A number has a fraction or an exponent. Amounts are strings of decimal digits.
  public static let float = Self("float", 400, "A number has a fraction or an exponent")
  /// A field, a parameter of the query, or an id or address in the path is not valid.
  public static let badField = Self("bad-field", 400, "A field is not valid")
  /// The body is larger than 16 KiB.
  public static let tooLarge = Self("too-large", 413, "The body is too large")
  /// The request has no header `Host`, several, or one that names no host (RFC 9112 §3.2).
  public static let badHost = Self("bad-host", 400, "The request does not name its host")
  /// The request is for a host at which the vault is not to be found. A page of that name must not read what the vault
  /// answers.
  public static let misdirectedRequest = Self("misdirected-request", 421, "The request is for another host")
  /// The vault has no such path. `/api/faucet` is one only where the vault makes test money.
  public static let notFound = Self("not-found", 404, "There is nothing at this address")
  /// The path does not take this method. The header `Allow` has those that it takes.
  public static let methodNotAllowed = Self("method-not-allowed", 405, "The method is not allowed here")
  /// The body is not sent as `application/json`, or has a `Content-Encoding` other than `identity`.
  public static let unsupportedMediaType = Self("unsupported-media-type", 415, "The body has another media type")
  /// The body was not received within the server's time limit. Nothing was done.
  public static let requestTimeout = Self("request-timeout", 408, "The body did not come in time")
  /// A request that sends a secret, or asks for one, came neither over TLS nor from the vault's own machine.
  public static let insecure = Self("insecure", 403, "A secret is taken over TLS or loopback only")
  /// A draft from another machine has no solved challenge.
  public static let challengeRequired = Self("challenge-required", 403, "A solved challenge is required")
  /// The challenge is not this vault's, is not solved, has expired, or was used before.
  public static let badChallenge = Self("bad-challenge", 403, "The challenge is not solved, has expired or was used")
  /// A request for an account lacks the signature of the account's owner, or the signature has expired. See
  /// `AccountRequest`.
  public static let notSigned = Self("not-signed", 401, "The account's owner has not signed the request")
  /// The client's network has sent too many requests, or too many event streams are open. Nothing was done; the header
  /// `Retry-After` says when to ask again.
  public static let tooManyRequests = Self("too-many-requests", 429, "There were too many requests")

  private static let requests = [
    malformed, duplicateField, unknownField, missingField, float, badField, tooLarge, notFound, methodNotAllowed,
    unsupportedMediaType, requestTimeout, insecure, challengeRequired, badChallenge, notSigned, tooManyRequests,
    badHost, misdirectedRequest,
  ]

  // Refusals of the vault

  /// The vault has no claim of that id, its draft has lapsed, or nothing was deposited under that ledger id.
  public static let unknownClaim = Self("unknown-claim", 404, "The claim is not known")
  /// A claim, deposit or mint with other values has that id, or another claim has the same ledger id.
  public static let idTaken = Self("id-taken", 409, "The id is taken")
  /// The token is not one that `GET /api/vault` lists.
  public static let unknownToken = Self("unknown-token", 422, "The token is not known")
  /// The amount is more than the vault allows in one claim, or the faucet in one request.
  public static let overCap = Self("over-cap", 422, "The amount is too large")
  /// The expiry has passed, is too far in the future, or is not a whole minute.
  public static let badExpiry = Self("bad-expiry", 422, "The expiry is not possible")
  /// The authorization or proof does not have the one allowed form of a `Signature`.
  public static let badSignature = Self("bad-signature", 422, "The signature is not in the required form")
  /// The authorization is not signed by the sender for this claim's terms at this vault.
  public static let notAuthorized = Self("not-authorized", 403, "The sender has not authorized the deposit")
  /// The authorization's `validBefore` has passed by the vault's clock.
  public static let authorizationExpired = Self("authorization-expired", 410, "The authorization has expired")
  /// The sender's balance is smaller than the claim's amount.
  public static let insufficientFunds = Self("insufficient-funds", 409, "The balance is too small")
  /// The sender has as many pending claims as the vault allows. An expired claim counts until it is refunded.
  public static let tooManyPending = Self("too-many-pending", 429, "The sender has too many pending claims")
  /// The sender has made as many deposits today (UTC) as the vault allows. `notBefore` is the beginning of the next
  /// day.
  public static let tooManyDeposits = Self("too-many-deposits", 429, "The sender has made too many deposits today")
  /// The receiver is the zero address, the vault or the token.
  public static let badReceiver = Self("bad-receiver", 422, "The receiver cannot be paid")
  /// The claim is a draft, so there is no amount to pay or to refund.
  public static let notDeposited = Self("not-deposited", 409, "Nothing was deposited for the claim")
  /// The proof was made with another key than the claim's, or for another receiver or vault.
  public static let wrongSecret = Self("wrong-secret", 403, "The proof was not made with the claim's secret")
  /// The claim was paid to another receiver, or, for a refund, to any receiver. `receipt` is that payment's.
  public static let alreadyClaimed = Self("already-claimed", 409, "The claim was paid to somebody else")
  /// The claim has expired or was refunded, so nobody can claim it any more.
  public static let expired = Self("expired", 410, "The claim has expired")
  /// The claim cannot be refunded yet. `notBefore` is the time of its expiry.
  public static let notExpired = Self("not-expired", 409, "The claim has not expired")
  /// After the mint, more than 2⁶³ − 1 base units of the token would exist.
  public static let supplyExhausted = Self("supply-exhausted", 409, "No more of the token can be made")
  /// Other requests kept changing the same rows, so nothing was done. `Retry-After` is one second.
  public static let busy = Self("busy", 503, "The claim or the account kept changing")

  package static let refusals = [
    unknownClaim, idTaken, unknownToken, overCap, badExpiry, badSignature, notAuthorized, authorizationExpired,
    insufficientFunds, tooManyPending, tooManyDeposits, badReceiver, notDeposited, wrongSecret, alreadyClaimed, expired,
    notExpired, supplyExhausted, busy,
  ]

  // Signing in

  /// The request comes from a page of another origin, or does not say which page it comes from.
  public static let crossSite = Self("cross-site", 403, "The request comes from another page")
  /// The browser has not asked for a code, or its code has lapsed, was used, or has had as many guesses as it takes.
  public static let noCodeRequested = Self("no-code-requested", 409, "There is no code to enter here")
  /// The code is not the one that was sent for this browser. `triesLeft` is how many more guesses it takes.
  public static let wrongCode = Self("wrong-code", 403, "The code is wrong")
  /// The browser is not signed in, or its session has ended.
  public static let notSignedIn = Self("not-signed-in", 401, "The browser is not signed in")
  /// The change was not signed by the account's wallet, or its signature has expired.
  public static let walletNotSigned = Self("wallet-not-signed", 403, "The wallet has not signed the change")
  /// The account has the greatest number of devices.
  public static let tooManyDevices = Self("too-many-devices", 409, "The account has too many devices")
  /// The account has no such device, or no device has such a passkey.
  public static let unknownDevice = Self("unknown-device", 404, "The device is not known")
  /// The passkey belongs to a device already.
  public static let deviceTaken = Self("device-taken", 409, "The passkey is taken")
  /// The name, the passkey's id or the wrapped key is not as it must be.
  public static let badDevice = Self("bad-device", 422, "The device is not valid")

  package static let signIns = [
    crossSite, noCodeRequested, wrongCode, notSignedIn, walletNotSigned, tooManyDevices, unknownDevice, deviceTaken,
    badDevice,
  ]

  // Failures of the vault itself

  /// The store failed, and the vault cannot say whether the request was carried out. Repeating it is safe.
  public static let unavailable = Self("unavailable", 503, "The vault's store does not answer")
  /// The store is damaged or cannot be used, or the server failed in another way. Only the operator can help.
  public static let internalError = Self("internal", 500, "The vault failed")

  private static let servers = [unavailable, internalError]

  // Failures of a vault on a chain, which do not say how a claim stands

  /// The vault does not pay for the transaction. `calldata` is the call: anybody may carry and pay for it.
  public static let sponsoringExhausted = Self(
    "sponsoring-exhausted", 503, "The vault does not pay for this transaction now")
  /// No node of the vault's chain answers, so nothing was done. The header `Retry-After` says when to ask again.
  public static let chainUnreachable = Self("chain-unreachable", 503, "The vault's chain cannot be reached")

  package static let chain = [sponsoringExhausted, chainUnreachable]

  /// Whether the vault has looked at the claim, and refuses what was asked. Of the other kinds none says how the claim
  /// stands.
  package var isRefusal: Bool { Self.refusals.contains(self) }
}
