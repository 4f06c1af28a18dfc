/// What a receiver would accept: the claim without its secret, and who says so.
public struct Offer: Hashable, Sendable {
  public let claimID: ClaimID
  public let token: Token
  public let amount: Amount
  public let expiry: Expiry
  /// The sender's display name: in mode open nothing proves it.
  public let from: DisplayName

  public init(claimID: ClaimID, token: Token, amount: Amount, expiry: Expiry, from: DisplayName) {
    self.claimID = claimID
    self.token = token
    self.amount = amount
    self.expiry = expiry
    self.from = from
  }

  /// Whether a claim is the one that was offered.
  public func matches(_ claim: Claim) -> Bool {
    claim.id == claimID && claim.token == token && claim.amount == amount
  }

  /// The OFFER's JSON, its one encoding.
  public var json: [UInt8] {
    Array(
      (#"{"v":1,"claimId":"\#(claimID)","token":"\#(token)","amount":\#(amount),"#
        + #""expiry":\#(expiry),"from":"\#(JSONString.escaped(from.text))"}"#).utf8)
  }

  /// Reads an OFFER's JSON.
  ///
  /// - Throws: `WireError.offer` for anything but the one encoding of an offer of at most 512 bytes, byte for byte.
  public init(json: some Collection<UInt8>) throws(WireError) {
    guard json.count <= Limits.offer, let offer = Self.scan(json), offer.json.elementsEqual(json) else {
      throw WireError(.offer, "the offer is not in its one encoding")
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
