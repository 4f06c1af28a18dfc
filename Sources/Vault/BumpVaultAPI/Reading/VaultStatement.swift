public import BumpClaims
public import BumpWallet

/// A vault's statement about itself, read by a client from the answer of `GET /api/vault`.
public struct VaultStatement: Hashable, Sendable {
  /// The vault's chain, address and tokens: the part that a client pins.
  public let vault: VaultDescription
  /// The greatest amount of one claim.
  public let cap: Amount
  /// Whether a draft needs a solved challenge.
  public let asksForChallenge: Bool
  /// Whether the vault makes test money. Then its money is worth nothing.
  public let hasFaucet: Bool
  /// The vault's proof of who it is, for the nonce that it was sent; `nil` if there is none. Not checked here.
  public let proof: IdentityProof?

  /// Reads the statement. Ignores unknown fields: a newer vault may have them.
  ///
  /// - Throws: `RequestError` if a field is missing or not valid.
  public init(_ body: some Collection<UInt8>) throws(RequestError) {
    var fields = try JSONFields(body)
    let chainID = try fields.required("chainId") { value in
      guard let id = UInt64(exactly: try value.integer()) else { throw Fields.Mismatch("it is negative") }
      return id
    }
    let address = try fields.required("address", Fields.address)
    let receiptKey = try fields.required("receiptKey", Fields.address)
    let tokens = try fields.required("tokens", Self.tokens)
    var limits = try JSONFields(try fields.required("limits") { $0 })
    cap = try limits.required("amount", Fields.amount)
    asksForChallenge = try fields.required("challenge", Fields.flag)
    hasFaucet = try fields.required("faucet", Fields.flag)
    let nonce = try fields.optional("nonce", Fields.bytes32)
    let origin = try fields.optional("origin", Fields.origin)
    let signature = try fields.optional("signature") { try Signature(Fields.signature($0)) }
    proof =
      if let nonce, let origin, let signature {
        IdentityProof(nonce: nonce, origin: origin, signature: signature)
      } else {
        nil
      }
    guard receiptKey == address else {
      throw RequestError(.field, "the vault's receipts are signed by another key than its own", field: "receiptKey")
    }
    do {
      vault = try VaultDescription(chainID: chainID, address: address, tokens: tokens)
    } catch {
      throw RequestError(.field, "the vault contradicts itself: \(error)")
    }
  }

  private static func tokens(_ value: JSONValue) throws -> [TokenContract] {
    try value.array().map { value in
      var fields = try JSONFields(value)
      let symbol = try fields.required("symbol") { try Token(try $0.string()) }
      let address = try fields.required("address", Fields.address)
      let decimals = try fields.required("decimals") { try $0.integer() }
      // bump counts amounts in millionths of every token. With other decimals, a signature would be for another amount.
      guard decimals == TokenContract.decimals else {
        throw Fields.Mismatch("a token has \(decimals) decimals, and bump knows amounts of six")
      }
      var domain = try JSONFields(try fields.required("domain") { $0 })
      return TokenContract(
        token: symbol, address: address, domainName: try domain.required("name") { try $0.string() },
        domainVersion: try domain.required("version") { try $0.string() })
    }
  }
}
