import BumpClaims
import Testing

@Suite struct LinkMACTests {
  /// The link of bump1.json, mode open: made by an independent implementation.
  private static let vector =
    "https://irl.app/claim/bumpVectorClaim0000001#s=7BdsstEA8zBj4r1e4B9dcg&a=1.00&t=USDC&x=1795300000"
    + "&m=pRl0JreFBhnzudPF71_QEg"

  private func claim(_ amount: String = "1.00") throws -> Claim {
    try Claim(
      payload: (#"{"v":1,"claimId":"bumpVectorClaim0000001","secret":"7BdsstEA8zBj4r1e4B9dcg==","#
        + #""token":"USDC","amount":\#(amount)}"#).utf8)
  }

  @Test func `the link of the vectors is made and read as it stands there`() throws {
    let expiry = try #require(Expiry(unixSeconds: 1_795_300_000))
    #expect(try ClaimLink(claim: claim(), expiry: expiry).text == Self.vector)
    let verified = try UnverifiedClaimLink(Self.vector).verify()
    #expect(verified == VerifiedClaim(claim: try claim(), expiry: expiry, origin: .link))
  }

  @Test(
    arguments: ["https://irl.app/claim", "https://pay.example/cl", "https://a"], ["0.000001", "9223372036854.775807"])
  func `a link comes back whatever its base and amount`(base: String, amount: String) throws {
    let link = try ClaimLink(base: base, claim: claim(amount), expiry: #require(Expiry(unixSeconds: .max)))
    #expect(try UnverifiedClaimLink(link.text).verify().claim == link.claim)
  }

  /// Reading it fails, or its mac does; which of the two is the parser's affair.
  private func isRefused(_ text: String) -> Bool { (try? UnverifiedClaimLink(text).verify()) == nil }

  @Test func `a link with any one character changed is refused`() {
    let link = Array(Self.vector.utf8)
    for index in link.indices {
      for byte in UInt8.min..<0x80 where byte != link[index] {
        var changed = link
        changed[index] = byte
        let text = String(decoding: changed, as: UTF8.self)
        if !isRefused(text) { Issue.record("\(text)") }
      }
    }
  }

  @Test func `a link with any one character left out or doubled, or two exchanged, is refused`() {
    let link = Array(Self.vector.utf8)
    for index in link.indices {
      var (shorter, longer, swapped) = (link, link, link)
      shorter.remove(at: index)
      longer.insert(link[index], at: index)
      if index > 0 { swapped.swapAt(index - 1, index) }
      for changed in [shorter, longer, swapped] where changed != link {
        let text = String(decoding: changed, as: UTF8.self)
        if !isRefused(text) { Issue.record("\(text)") }
      }
    }
  }

  @Test func `a link cut at either end is refused`() {
    for index in Self.vector.indices.dropFirst() {
      #expect(isRefused(String(Self.vector[..<index])))
      #expect(isRefused(String(Self.vector[index...])))
    }
  }

  @Test(arguments: [
    "another id": ("Claim0000001", "Claim0000002"), "another amount": ("a=1.00", "a=9.00"),
    "another token": ("USDC", "USDT"),
    "a later expiry": ("x=1795300000", "x=1895300000"), "another base": ("irl.app", "irl.apq"),
    "an id that becomes part of the base": ("bumpV", "bumpV/"),
    "another secret": ("s=7Bds", "s=8Bds"), "another mac": ("m=pRl0", "m=qRl0"),
    "a mac of zeros": ("pRl0JreFBhnzudPF71_QEg", "AAAAAAAAAAAAAAAAAAAAAA"),
  ])
  func `a link that reads well but was not made so is garbled`(what: String, change: (String, String)) throws {
    let link = try UnverifiedClaimLink(Self.vector.replacing(change.0, with: change.1))
    let error = #expect(throws: ClaimError.self, "\(what)") { try link.verify() }
    #expect(error?.code == .linkMAC)
    #expect(error?.description.contains("garbled") == true)
  }

  @Test func `the mac of one link does not serve another of the same secret`() throws {
    let expiry = try #require(Expiry(unixSeconds: 1_795_300_000))
    let (one, other) = (
      try ClaimLink(claim: claim(), expiry: expiry), try ClaimLink(claim: claim("2.00"), expiry: expiry)
    )
    let mac = try UnverifiedClaimLink(one.text).mac
    #expect(throws: ClaimError.self) { try UnverifiedClaimLink(other.sealed(mac: mac)).verify() }
  }

  @Test func `a mac made with a key is taken with that key alone`() throws {
    let link = try ClaimLink(claim: claim(), expiry: #require(Expiry(unixSeconds: 1_795_300_000)))
    let (key, other) = (
      try #require(SharedKey([UInt8](repeating: 1, count: SharedKey.length))),
      try #require(SharedKey([UInt8](repeating: 2, count: SharedKey.length)))
    )
    let keyed = try UnverifiedClaimLink(link.text(key: key))
    #expect(try keyed.verify(key: key).origin == .linkOfKeyHolder)
    for wrong in [nil, other] {
      let error = #expect(throws: ClaimError.self) { try keyed.verify(key: wrong) }
      #expect(error?.code == .linkMAC)
    }
  }

  @Test func `a mac made without a key proves nothing to who names one`() throws {
    let link = try UnverifiedClaimLink(Self.vector)
    let key = try #require(SharedKey([UInt8](repeating: 1, count: SharedKey.length)))
    #expect(try link.verify().origin == .link)
    let error = #expect(throws: ClaimError.self) { try link.verify(key: key) }
    #expect(error?.code == .linkMAC)
  }

  @Test func `a verified claim prints without its secret`() throws {
    let verified = try UnverifiedClaimLink(Self.vector).verify()
    var dumped = ""
    dump(verified, to: &dumped)
    for text in ["\(verified)", String(reflecting: verified), dumped] {
      #expect(text.contains("<redacted>"))
      #expect(!text.contains("7Bdsst") && !text.contains("236"))
    }
  }
}
