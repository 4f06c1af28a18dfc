public import BumpClaims
import BumpText
public import BumpWallet

/// The body of `POST /api/claims/{id}/deposit`: a sender's word that the vault may take the amount.
public struct DepositRequest: Hashable, Sendable {
  public let sender: Address
  /// The signature, as it came: 65 bytes for a wallet with a key, more for a contract's (EIP-1271). The vault judges it.
  public let authorization: [UInt8]
  /// From then on the authorization is worth nothing.
  public let validBefore: Expiry

  public init(sender: Address, authorization: [UInt8], validBefore: Expiry) {
    (self.sender, self.authorization, self.validBefore) = (sender, authorization, validBefore)
  }

  /// - Throws: `RequestError`.
  public init(_ body: some Collection<UInt8>) throws(RequestError) {
    var fields = try JSONFields(body)
    sender = try fields.required("sender", Fields.address)
    authorization = try fields.required("authorization", Fields.signature)
    validBefore = try fields.required("validBefore", Fields.moment)
    try fields.end()
  }

  public var json: JSONValue {
    [
      "sender": .text(sender), "authorization": .string(Hex.prefixed(authorization)),
      "validBefore": .integer(validBefore.unixSeconds),
    ]
  }
}
