public import BumpClaims
import BumpText
public import BumpWallet

/// The body of `POST /api/claims/{id}/deposit`: a sender's authorization to take the amount.
public struct DepositRequest: Hashable, Sendable {
  /// The address whose balance pays, and whose key must have signed the authorization.
  public let sender: Address
  /// The signature as the client sent it: 65 bytes for a wallet with a key, more for a contract's (EIP-1271). The vault
  /// checks it.
  public let authorization: [UInt8]
  /// The time from which the authorization is no longer valid.
  public let validBefore: Expiry

  /// Makes a request. Checks neither the authorization nor the time.
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

  /// The body to send. `init(_:)` reads it again.
  public var json: JSONValue {
    [
      "sender": .text(sender), "authorization": .string(Hex.prefixed(authorization)),
      "validBefore": .integer(validBefore.unixSeconds),
    ]
  }
}
