import BumpClaims
import Samples
import Testing

@Suite struct ClaimSecretTests {
  @Test(arguments: [0, 1, 15, 17, 32])
  func `a secret of any length but sixteen bytes is refused`(count: Int) {
    let error = #expect(throws: ClaimError.self) { try ClaimSecret([UInt8](repeating: 7, count: count)) }
    #expect(error?.code == .secret)
  }

  @Test func `equal bytes make equal secrets, and one bit makes another`() throws {
    let secret = try ClaimSecret(Vector.secretBytes)
    var other = Vector.secretBytes
    other[15] ^= 1
    #expect(try ClaimSecret(Vector.secretBytes) == secret)
    #expect(try ClaimSecret(Vector.secretBytes).hashValue == secret.hashValue)
    #expect(try ClaimSecret(other) != secret)
    #expect(secret.exposed == Vector.secretBytes)
  }

  /// Whatever carries a secret, by name.
  static var carriers: [String: Any] {
    get throws {
      let claim = try Vector.claim
      let link = try ClaimLink(claim: claim, expiry: try #require(Expiry(unixSeconds: 1_795_300_000)))
      return [
        "ClaimSecret": claim.secret, "Claim": claim, "ClaimLink": link,
        "UnverifiedClaimLink": try UnverifiedClaimLink(Vector.link),
      ]
    }
  }

  @Test(arguments: ["ClaimSecret", "Claim", "ClaimLink", "UnverifiedClaimLink"], Printing.ways)
  func `no way of printing shows a secret`(carrier: String, way: String) throws {
    try Printing.expectNoSecret(in: #require(try Self.carriers[carrier]), way)
  }

  @Test(arguments: ["String(describing:)", "String(reflecting:)", "an interpolation", "dump", "print", "debugPrint"])
  func `a secret prints as redacted`(way: String) throws {
    let text = Printing.printed(try ClaimSecret(Vector.secretBytes), way)
    #expect(text.contains("<redacted>"))
  }
}
