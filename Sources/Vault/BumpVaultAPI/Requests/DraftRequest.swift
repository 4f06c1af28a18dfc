public import BumpClaims
public import BumpWallet

/// The body of `POST /api/claims`: the terms of a new claim.
public struct DraftRequest: Hashable, Sendable {
  /// A claim's id and the hash of its secret. The client that makes the claim draws both, and the vault never sees the
  /// secret.
  public struct Identity: Hashable, Sendable {
    /// The claim's id, by which clients ask for the draft.
    public let claimID: ClaimID
    /// The hash of the claim key's address: `ClaimKey.secretHash`.
    public let secretHash: Bytes32

    /// Makes the pair. The hash must be that of the claim key for this id, or nobody can claim the amount.
    public init(claimID: ClaimID, secretHash: Bytes32) {
      (self.claimID, self.secretHash) = (claimID, secretHash)
    }
  }

  /// The claim's id and hash; `nil` if the vault draws the id and the secret, and answers with the secret once.
  public let identity: Identity?
  /// The token's contract.
  public let token: Address
  /// The amount to lock, which the body has as a string such as `1.00`.
  public let amount: Amount
  /// The claim's expiry. The vault refuses one that has passed, is too far in the future, or is not a whole minute.
  public let expiry: Expiry
  /// The solution of the server's challenge, if the server asks for one.
  public let solution: SolvedChallenge?

  /// Makes a request. Checks nothing: the vault does.
  public init(
    _ identity: Identity?, token: Address, amount: Amount, expiry: Expiry, solution: SolvedChallenge? = nil
  ) {
    (self.identity, self.token, self.amount, self.expiry) = (identity, token, amount, expiry)
    self.solution = solution
  }

  /// - Throws: `RequestError`.
  public init(_ body: some Collection<UInt8>) throws(RequestError) {
    var fields = try JSONFields(body)
    let claimID = try fields.optional("claimId", Fields.claimID)
    let secretHash = try fields.optional("secretHash", Fields.bytes32)
    token = try fields.required("token", Fields.address)
    amount = try fields.required("amount", Fields.amount)
    expiry = try fields.required("expiry", Fields.moment)
    solution = try fields.optional("altcha") { try SolvedChallenge(payload: try $0.string()) }
    try fields.end()
    switch (claimID, secretHash) {
    case (let claimID?, let secretHash?): identity = Identity(claimID: claimID, secretHash: secretHash)
    case (nil, nil): identity = nil
    default:
      let name = claimID == nil ? "claimId" : "secretHash"
      throw RequestError(
        .missingField, "the field \"\(name)\" is missing",
        remedy: "Send claimId and secretHash, or neither, and the vault draws both", field: name)
    }
  }

  /// The body to send, without the fields that are `nil`.
  public var json: JSONValue {
    [
      "claimId": .text(identity?.claimID), "secretHash": .text(identity?.secretHash), "token": .text(token),
      "amount": .text(amount), "expiry": .integer(expiry.unixSeconds), "altcha": .text(solution?.payload),
    ]
  }
}
