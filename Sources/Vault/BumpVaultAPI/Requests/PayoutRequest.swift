public import BumpClaims
import BumpText
public import BumpWallet

/// The body of `POST /api/claims/{name}/claim`: the receiver, and the proof or secret that entitles it.
public struct PayoutRequest: Hashable, Sendable {
  /// The evidence that the receiver may be paid.
  public enum Right: Hashable, Sendable {
    /// The claim key's signature for this receiver, as the client sent it. The vault checks it.
    case proof([UInt8])
    /// The secret itself, from which the vault makes the proof, and the claim's id, of which the claim's key is made
    /// too: the deposit may have been carried to another id. Anybody who sees the request on its way can take the claim.
    case secret(ClaimSecret, of: ClaimID)
  }

  /// The address to pay. A proof is for this address only.
  public let receiver: Address
  /// The proof or the secret, which the vault checks.
  public let right: Right

  /// Makes a request. A proof must have been made for the same receiver.
  public init(receiver: Address, _ right: Right) {
    (self.receiver, self.right) = (receiver, right)
  }

  /// - Throws: `RequestError`. It never contains a secret.
  public init(_ body: some Collection<UInt8>) throws(RequestError) {
    var fields = try JSONFields(body)
    receiver = try fields.required("receiver", Fields.address)
    let proof = try fields.optional("proof", Fields.signature)
    let secret = try fields.optional("secret", Fields.secret)
    let claimID = try fields.optional("claimId", Fields.claimID)
    try fields.end()
    switch (proof, secret) {
    case (_?, nil) where claimID != nil:
      throw RequestError(.field, "the field \"claimId\" is given beside \"proof\"", field: "claimId")
    case (let proof?, nil): right = .proof(proof)
    case (nil, let secret?):
      guard let claimID else {
        throw RequestError(.missingField, "the field \"claimId\" is missing beside \"secret\"", field: "claimId")
      }
      right = .secret(secret, of: claimID)
    case (nil, nil):
      throw RequestError(.missingField, "the field \"proof\" or the field \"secret\" is missing", field: "proof")
    case (_?, _?):
      throw RequestError(.field, "the field \"secret\" is given beside \"proof\"", field: "secret")
    }
  }

  /// The body to send. It contains the secret if `right` is one.
  public var json: JSONValue {
    switch right {
    case .proof(let bytes): ["receiver": .text(receiver), "proof": .string(Hex.prefixed(bytes))]
    case .secret(let secret, of: let claimID):
      [
        "receiver": .text(receiver), "secret": .string(Base64.encoded(secret.exposed)),
        "claimId": .string(claimID.description),
      ]
    }
  }
}
