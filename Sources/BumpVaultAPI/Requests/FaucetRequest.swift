public import BumpClaims
public import BumpWallet

/// The body of `POST /api/faucet`: who is to get test money.
public struct FaucetRequest: Hashable, Sendable {
  public let address: Address
  public let amount: Amount
  /// Drawn by who asks: the same id is the same request, however often it is sent. Without one, each request is another.
  public let id: Bytes32?

  public init(address: Address, amount: Amount, id: Bytes32? = nil) {
    (self.address, self.amount, self.id) = (address, amount, id)
  }

  /// - Throws: `RequestError`.
  public init(_ body: some Collection<UInt8>) throws(RequestError) {
    var fields = try JSONFields(body)
    address = try fields.required("address", Fields.address)
    amount = try fields.required("amount", Fields.amount)
    id = try fields.optional("id", Fields.bytes32)
    try fields.end()
  }

  public var json: JSONValue { ["address": .text(address), "amount": .text(amount), "id": .text(id)] }
}
