import BumpClaims
import Testing

@testable import BumpStore

extension OutgoingClaim {
  /// A claim of 1.00 that was made here and stands so, with its secret of sevens. It expires in the year 2096.
  static func sample(
    _ state: HandoverState = .new, id: String = "ours", token: String = "USDC"
  ) throws -> OutgoingClaim {
    let claim = Claim(
      id: try ClaimID(id), secret: try ClaimSecret([UInt8](repeating: 7, count: 16)), token: try Token(token),
      amount: try Amount("1.00"))
    return OutgoingClaim(
      claim: claim, expiry: try #require(Expiry(unixSeconds: 4_000_000_000)), state: state, peer: nil, createdAt: 1)
  }
}
