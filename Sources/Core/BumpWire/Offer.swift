public import BumpClaims
import BumpText

/// The offered claim without its secret, and the sender's name.
public struct Offer: Hashable, Sendable {
  /// The id of the offered claim.
  public let claimID: ClaimID
  /// The token of the amount.
  public let token: Token
  /// The offered amount.
  public let amount: Amount
  /// When the offered claim expires.
  public let expiry: Expiry
  /// The display name that the sender gave itself. It is not authenticated.
  public let from: DisplayName

  /// Makes an offer.
  public init(claimID: ClaimID, token: Token, amount: Amount, expiry: Expiry, from: DisplayName) {
    self.claimID = claimID
    self.token = token
    self.amount = amount
    self.expiry = expiry
    self.from = from
  }

  /// Returns whether a claim has the offered id, token and amount.
  public func matches(_ claim: Claim) -> Bool {
    claim.id == claimID && claim.token == token && claim.amount == amount
  }

  /// The OFFER's JSON, in its only encoding.
  public var json: [UInt8] {
    Array(
      (#"{"v":1,"claimId":"\#(claimID)","token":"\#(token)","amount":\#(amount),"#
        + #""expiry":\#(expiry),"from":"\#(JSONString.escaped(from.text))"}"#).utf8)
  }

  /// Reads an OFFER's JSON.
  ///
  /// - Throws: `WireError.offer` unless the bytes are the only encoding of an offer, of at most 512 bytes.
  public init(json: some Collection<UInt8>) throws(WireError) {
    guard json.count <= WireLimits.offer, let offer = Self.scan(json), offer.json.elementsEqual(json) else {
      throw WireError(.offer, "the offer is not in its canonical encoding")
    }
    self = offer
  }

  private static func scan(_ json: some Collection<UInt8>) -> Offer? {
    var scanner = CanonicalScanner(json)
    guard scanner.take(#"{"v":1,"claimId":""#) else { return nil }
    let id = scanner.take(while: ASCII.isURLSafe)
    guard scanner.take(#"","token":""#) else { return nil }
    let token = scanner.take(while: Token.isCharacter)
    guard scanner.take(#"","amount":"#) else { return nil }
    let amount = scanner.take(while: CanonicalScanner.isNumeric)
    guard scanner.take(#","expiry":"#) else { return nil }
    let expiry = scanner.take(while: ASCII.isDigit)
    guard scanner.take(#","from":""#), let from = JSONString.scan(&scanner) else { return nil }
    guard scanner.take("}"), scanner.isAtEnd, let expiry = Expiry(digits: expiry) else { return nil }
    return try? Offer(
      claimID: ClaimID(id), token: Token(token), amount: Amount(amount), expiry: expiry,
      from: DisplayName(utf8: from))
  }
}
