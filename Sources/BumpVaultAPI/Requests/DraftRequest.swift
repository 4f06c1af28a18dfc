public import BumpClaims
public import BumpWallet

/// The body of `POST /api/claims`: the terms of a new claim.
public struct DraftRequest: Hashable, Sendable {
  /// A claim's id and the hash of its secret. The client that makes the claim draws both, and the vault never sees the
  /// secret.
  public struct Identity: Hashable, Sendable {
    public let claimID: ClaimID
    public let secretHash: Bytes32

    public init(claimID: ClaimID, secretHash: Bytes32) {
      (self.claimID, self.secretHash) = (claimID, secretHash)
    }
  }

  /// The claim's id and hash; `nil` if the vault draws the id and the secret, and answers with the secret once.
  public let identity: Identity?
  /// The token's contract.
  public let token: Address
  public let amount: Amount
  public let expiry: Expiry
  /// The solution of the server's challenge, if the server asks for one.
  public let solution: SolvedChallenge?

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
        remedy: "Send claimId and secretHash, or neither, and the vault draws both.", field: name)
    }
  }

  public var json: JSONValue {
    [
      "claimId": .text(identity?.claimID), "secretHash": .text(identity?.secretHash), "token": .text(token),
      "amount": .text(amount), "expiry": .integer(expiry.unixSeconds), "altcha": .text(solution?.payload),
    ]
  }
}
