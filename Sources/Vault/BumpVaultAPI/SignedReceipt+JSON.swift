import BumpClaims
import BumpText
public import BumpWallet

extension SignedReceipt {
  /// Reads a receipt of an embedded vault or of one on a chain. `isSigned(by:)` checks the signature.
  ///
  /// - Parameter domain: the vault's domain, in which the receipt must be signed.
  /// - Throws: `RequestError`.
  public init(_ body: some Collection<UInt8>, in domain: Domain) throws(RequestError) {
    try self.init(JSONFields(body), in: domain)
  }

  init(_ fields: JSONFields, in domain: Domain) throws(RequestError) {
    var fields = fields
    let outcome = try fields.required("status") { value in
      guard let outcome = SettlementOutcome(rawValue: try value.string()) else {
        throw Fields.Mismatch("it is neither claimed nor refunded")
      }
      return outcome
    }
    let receiver = try fields.optional("receiver", Fields.address)
    guard (receiver != nil) == (outcome == .claimed) else {
      throw RequestError(.field, "a receipt names its receiver, and a refund's none", field: "receiver")
    }
    let time = try fields.required("time", Fields.moment)
    let signature = try fields.required("signature") { try Signature(try $0.string()) }
    let inclusion = try Inclusion(&fields)
    self.init(
      Receipt(
        ledgerID: try fields.required("ledgerId", Fields.bytes32), outcome: outcome,
        token: try fields.required("token", Fields.address), amount: try fields.required("amount", Fields.amount),
        receiver: receiver ?? .zero, transaction: try fields.required("txHash", Fields.bytes32),
        time: time.unixSeconds, domain: domain), in: inclusion, signature: signature)
  }

  /// The signed values and the signature as JSON. A refund has no receiver here; zero was signed.
  public var json: JSONValue {
    [
      "ledgerId": .text(receipt.ledgerID), "status": .string(receipt.outcome.rawValue), "token": .text(receipt.token),
      "amount": .text(receipt.amount), "receiver": receipt.outcome == .claimed ? .text(receipt.receiver) : nil,
      "txHash": .text(receipt.transaction), "time": .integer(receipt.time),
      "level": inclusion.map { .string($0.level.rawValue) }, "block": inclusion?.block,
      "signature": .string(Hex.prefixed(signature.bytes)),
    ]
  }
}
