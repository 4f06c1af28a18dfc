package import BumpClaims
package import BumpWire

/// A claim, its offer and its ends, for tests that need one of each.
package enum Fixture {
  package static func claim(_ amount: String = "1.00") throws -> Claim {
    Claim(
      id: try ClaimID("testClaim"), secret: try ClaimSecret([UInt8](0..<16)), token: .usdc, amount: try Amount(amount))
  }

  package static func expiry() throws -> Expiry { Expiry(clamping: 1_000_000) }

  package static func offer(of claim: Claim) throws -> Offer {
    Offer(
      claimID: claim.id, token: claim.token, amount: claim.amount, expiry: try expiry(), from: try DisplayName("alice"))
  }

  package static let bob = "bob"
  package static let storeError = StoreError(.failed, "the disk is full")
}
