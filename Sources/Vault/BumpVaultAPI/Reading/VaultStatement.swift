public import BumpClaims
public import BumpWallet

/// A vault's statement about itself, read by a client from the answer of `GET /api/vault`.
public struct VaultStatement: Hashable, Sendable {
  /// The vault's chain, address and tokens: the part that a client pins.
  public let vault: VaultDescription
  /// The greatest amount of one claim.
  public let cap: Amount
  /// For how long the vault wants an authorization to be valid, in seconds.
  public let authorizationSeconds: Int64
  /// Whether a draft needs a solved challenge.
  public let asksForChallenge: Bool
  /// Whether the vault makes test money. Then its money is worth nothing.
  public let hasFaucet: Bool
  /// The vault's proof of who it is, for the nonce that it was sent; `nil` if there is none. Not checked here.
  public let proof: IdentityProof?

  /// Reads the statement. Ignores unknown fields: a newer vault may have them.
  ///
  /// - Throws: `RequestError` if a field is missing or not valid, or if what is said contradicts the kind of vault.
  public init(_ body: some Collection<UInt8>) throws(RequestError) {
    var fields = try JSONFields(body)
    let chainID = try fields.required("chainId") { value in
      guard let id = UInt64(exactly: try value.integer()) else { throw Fields.Mismatch("it is negative") }
      return id
    }
    let address = try fields.required("address", Fields.address)
    let receiptKey = try fields.required("receiptKey", Fields.address)
    let isContract = try fields.optional("kind", Self.isContract) ?? false
    let codeHash = isContract ? try fields.required("codeHash", Fields.bytes32) : nil
    let tokens = try fields.required("tokens") { try Self.tokens($0, ofContractOn: isContract ? chainID : nil) }
    var limits = try JSONFields(try fields.required("limits") { $0 })
    cap = try limits.required("amount", Fields.amount)
    authorizationSeconds = try limits.optional("authorizationSeconds", Self.authorizationSeconds) ?? 120
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
    // A contract has no key. What names an embedded vault's key is its address.
    guard (receiptKey == address) != isContract else {
      throw RequestError(.field, "the vault's receipts are signed by another key than its own", field: "receiptKey")
    }
    guard !isContract || !hasFaucet else {
      throw RequestError(.field, "a vault on a chain makes no test money", field: "faucet")
    }
    do {
      vault = try VaultDescription(
        chainID: chainID, address: address, tokens: tokens, receiptKey: receiptKey, codeHash: codeHash)
    } catch {
      throw RequestError(.field, "the vault contradicts itself: \(error)")
    }
  }

  private static func isContract(_ value: JSONValue) throws -> Bool {
    guard try value.string() == "contract" else { throw Fields.Mismatch("bump knows no such kind of vault") }
    return true
  }

  /// A deposit is in doubt for as long as its authorization is valid, so the vault cannot ask for more than ten minutes.
  private static func authorizationSeconds(_ value: JSONValue) throws -> Int64 {
    let seconds = try value.integer()
    guard (60...600).contains(seconds) else { throw Fields.Mismatch("it is not between 60 and 600") }
    return seconds
  }

  /// - Parameter chainID: the chain of the tokens' contracts; `nil` for an embedded vault's.
  private static func tokens(_ value: JSONValue, ofContractOn chainID: UInt64?) throws -> [TokenContract] {
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
      let token = TokenContract(
        token: symbol, address: address, domainName: try domain.required("name") { try $0.string() },
        domainVersion: try domain.required("version") { try $0.string() },
        codeHash: chainID == nil ? nil : try fields.required("codeHash", Fields.bytes32))
      if let chainID { try check(try fields.required("domainSeparator", Fields.bytes32), of: token, on: chainID) }
      return token
    }
  }

  /// Checks the separator that the token's contract answers. With another one, no authorization would be valid there.
  private static func check(_ separator: Bytes32, of token: TokenContract, on chainID: UInt64) throws {
    let domain = Domain(
      name: token.domainName, version: token.domainVersion, chainID: chainID, verifyingContract: token.address)
    guard domain.separator == separator else {
      throw Fields.Mismatch("the domain separator of a token is not that of its domain")
    }
  }
}
