public import BumpClaims
public import BumpWallet

/// The body of `POST /api/faucet`: the address that is to receive test money.
public struct FaucetRequest: Hashable, Sendable {
  /// The address that receives the money.
  public let address: Address
  /// How much to make, of the vault's first token.
  public let amount: Amount
  /// An id that the client drew: the vault carries out requests with the same id once. Each request without an id is a
  /// new one.
  public let id: Bytes32?

  /// Makes a request. Give it an id if it may be sent again.
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

  /// The body to send, without `id` if that is `nil`.
  public var json: JSONValue { ["address": .text(address), "amount": .text(amount), "id": .text(id)] }
}
