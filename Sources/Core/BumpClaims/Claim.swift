import BumpText

/// A claim: whoever knows its secret can take the money.
public struct Claim: Hashable, Sendable {
  /// The public id, by which people and programs name the claim.
  public let id: ClaimID
  /// The secret bytes that take the money.
  public let secret: ClaimSecret
  /// The token, in which the amount is.
  public let token: Token
  /// How much the claim is worth.
  public let amount: Amount

  /// Makes a claim from its parts.
  public init(id: ClaimID, secret: ClaimSecret, token: Token, amount: Amount) {
    self.id = id
    self.secret = secret
    self.token = token
    self.amount = amount
  }

  /// The claim payload in its only encoding: UTF-8 JSON without white space, five keys in this order, nothing escaped.
  ///
  /// Not written by a JSON encoder, since one would write the amount `1.00` as the number `1`.
  public var payload: [UInt8] {
    Array(
      (#"{"v":1,"claimId":"\#(id)","secret":"\#(Base64.encoded(secret.exposed))","#
        + #""token":"\#(token)","amount":\#(amount)}"#).utf8)
  }

  /// Reads a claim payload.
  ///
  /// - Throws: `ClaimError.claim` unless the bytes are the only encoding of a claim.
  public init(payload: some Collection<UInt8>) throws(ClaimError) {
    guard payload.count <= ClaimLimits.claim, let claim = Self.scan(payload), claim.payload.elementsEqual(payload)
    else {
      throw ClaimError(.claim, "the claim is not in its canonical encoding")
    }
    self = claim
  }

  private static func scan(_ payload: some Collection<UInt8>) -> Claim? {
    var scanner = CanonicalScanner(payload)
    guard scanner.take(#"{"v":1,"claimId":""#) else { return nil }
    let id = scanner.take(while: ASCII.isURLSafe)
    guard scanner.take(#"","secret":""#) else { return nil }
    let secret = scanner.take(while: CanonicalScanner.isBase64)
    guard scanner.take(#"","token":""#) else { return nil }
    let token = scanner.take(while: Token.isCharacter)
    guard scanner.take(#"","amount":"#) else { return nil }
    let amount = scanner.take(while: CanonicalScanner.isNumeric)
    guard scanner.take("}"), scanner.isAtEnd, let bytes = Base64.decoded(secret) else { return nil }
    return try? Claim(id: ClaimID(id), secret: ClaimSecret(bytes), token: Token(token), amount: Amount(amount))
  }
}
