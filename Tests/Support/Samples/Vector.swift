package import BumpClaims

/// The claim of the protocol's own vectors (bump1.json, mode open), as values and as it travels.
package enum Vector {
  package static let payload =
    #"{"v":1,"claimId":"bumpVectorClaim0000001","secret":"7BdsstEA8zBj4r1e4B9dcg==","token":"USDC","amount":1.00}"#
  package static let offer =
    #"{"v":1,"claimId":"bumpVectorClaim0000001","token":"USDC","amount":1.00,"expiry":1795300000,"from":"alice"}"#
  package static let link =
    "https://irl.app/claim/bumpVectorClaim0000001#s=7BdsstEA8zBj4r1e4B9dcg&a=1.00&t=USDC&x=1795300000"
    + "&m=pRl0JreFBhnzudPF71_QEg"

  package static let secretBytes: [UInt8] = [
    0xEC, 0x17, 0x6C, 0xB2, 0xD1, 0x00, 0xF3, 0x30, 0x63, 0xE2, 0xBD, 0x5E, 0xE0, 0x1F, 0x5D, 0x72,
  ]
  package static let mac: [UInt8] = [
    0xA5, 0x19, 0x74, 0x26, 0xB7, 0x85, 0x06, 0x19, 0xF3, 0xB9, 0xD3, 0xC5, 0xEF, 0x5F, 0xD0, 0x12,
  ]

  package static var claim: Claim {
    get throws {
      Claim(
        id: try ClaimID("bumpVectorClaim0000001"), secret: try ClaimSecret(secretBytes), token: .usdc,
        amount: try Amount("1.00"))
    }
  }

  package static func claim(amount: String) throws -> Claim {
    let claim = try claim
    return Claim(id: claim.id, secret: claim.secret, token: claim.token, amount: try Amount(amount))
  }
}
