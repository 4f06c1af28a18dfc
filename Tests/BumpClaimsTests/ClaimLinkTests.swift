import BumpClaims
import Samples
import Testing

@Suite struct ClaimLinkTests {
  private func link(base: String = ClaimLink.defaultBase, amount: String = "1.00") throws -> ClaimLink {
    try ClaimLink(
      base: base, claim: Vector.claim(amount: amount), expiry: #require(Expiry(unixSeconds: 1_795_300_000)))
  }

  @Test func `the claim of the vectors has their link`() throws {
    let link = try link()
    #expect(link.sealed(mac: Vector.mac) == Vector.link)
    #expect(Vector.link == link.unsealed + "&m=pRl0JreFBhnzudPF71_QEg")
    let read = try UnverifiedClaimLink(Vector.link)
    #expect(read.link == link)
    #expect(read.mac == Vector.mac)
  }

  @Test(arguments: [
    "https://irl.app/claim", "https://pay.example/cl", "https://a", "https://[2001:db8::1]:8443/x?y=z&w",
    "http://localhost/claim", "http://localhost:8642/claim", "http://127.0.0.1:8642/claim", "http://127.255.0.1",
    "http://[::1]:8642/claim", "http://[::1]/a/b",
  ])
  func `a link comes back whatever its base`(base: String) throws {
    let link = try link(base: base)
    #expect(try UnverifiedClaimLink(link.sealed(mac: Vector.mac)).link == link)
  }

  @Test(arguments: [
    "nothing": "", "no scheme": "irl.app/claim", "another scheme": "http://irl.app/claim",
    "a scheme in capitals": "HTTPS://irl.app", "http to another machine": "http://192.0.2.1/claim",
    "http to a name that begins like this machine's": "http://localhost.irl.app/claim",
    "http to a name that begins like a loopback address": "http://127.0.0.1.irl.app/claim",
    "http to another machine behind a user name": "http://localhost:8642@irl.app/claim",
    "http to a name of numbers alone": "http://127.0.0.256/claim",
    "http to another spelling of this machine": "http://127.1/claim", "http without a host": "http:///claim",
    "http to this machine with a port that is none": "http://localhost:x/claim",
    "http to this machine with a query": "http://localhost?claim",
    "a scheme alone": "https://", "a slash at the end": "https://irl.app/claim/", "a hash": "https://irl.app/#claim",
    "a space": "https://irl.app/my claim", "a line end": "https://irl.app/claim\n", "a tab": "https://irl.app/\tclaim",
    "a single quote": "https://irl.app/'claim", "a double quote": "https://irl.app/\"claim",
    "a backslash": #"https://irl.app\claim"#,
    "an accent": "https://irl.app/é", "a kelvin sign": "https://\u{212A}.app", "an escape": "https://irl.app/\u{1B}[2J",
    "DEL": "https://irl.app/\u{7F}", "more than 512 bytes": "https://" + String(repeating: "a", count: 505),
  ])
  func `a base against the rule is refused`(why: String, base: String) throws {
    #expect(throws: ClaimError(.link, ""), "\(why)") { try ClaimLink.check(base: base) }
    #expect(throws: ClaimError(.link, ""), "\(why)") { try link(base: base) }
  }

  @Test func `the longest link is within the limit`() throws {
    let link = try ClaimLink(
      base: "https://" + String(repeating: "a", count: 504),
      claim: Claim(
        id: ClaimID(String(repeating: "a", count: 64)), secret: ClaimSecret(Vector.secretBytes),
        token: Token("ABCDEFGHIJKL"), amount: #require(Amount(baseUnits: .max))),
      expiry: #require(Expiry(unixSeconds: .max)))
    let text = link.sealed(mac: Vector.mac)
    #expect(text.utf8.count <= ClaimLimits.link)
    #expect(try UnverifiedClaimLink(text).link == link)
  }

  static let deviations: [String: (part: String, instead: String)] = [
    "a space before": ("https", " https"), "a line end": ("QEg", "QEg\n"), "trailing bytes": ("QEg", "QEg&"),
    "an extra part": ("QEg", "QEg&y=1"), "another scheme": ("https", "http"), "no id": ("bumpVectorClaim0000001", ""),
    "a query": ("#", "?"), "two hashes": ("#", "##"),
    "another order": ("&a=1.00&t=USDC", "&t=USDC&a=1.00"), "a part twice": ("&a=1.00", "&a=1.00&a=1.00"),
    "no amount": ("&a=1.00", ""), "an empty amount": ("1.00", ""), "an amount of 1": ("1.00", "1"),
    "an amount of 1.0": ("1.00", "1.0"), "an amount of 1.000": ("1.00", "1.000"),
    "an amount of 01.00": ("1.00", "01.00"),
    "an amount of zero": ("1.00", "0.00"), "an exponent": ("1.00", "1e0"), "a negative amount": ("1.00", "-1.00"),
    "a token in small letters": ("USDC", "usdc"), "an empty token": ("USDC", ""),
    "an expiry with a leading zero": ("x=1", "x=01"), "an empty expiry": ("1795300000", ""),
    "a negative expiry": ("x=1", "x=-1"),
    "an expiry past 63 bits": ("1795300000", "9223372036854775808"), "a padded secret": ("dcg&", "dcg==&"),
    "a secret of 15 bytes": ("9dcg", "9d"), "a secret with bits that say nothing": ("9dcg", "9dch"),
    "a secret with a kelvin sign": ("7Bds", "7Bd\u{212A}"), "no mac": ("&m=pRl0JreFBhnzudPF71_QEg", ""),
    "an empty mac": ("pRl0JreFBhnzudPF71_QEg", ""), "a mac of 15 bytes": ("71_QEg", "71_Q"),
    "a mac of 17 bytes": ("71_QEg", "71_QEgAA"), "a mac with bits that say nothing": ("QEg", "QEh"),
    "a mac of standard base64": ("71_QEg", "71/QEg"), "a percent escape": ("USDC", "US%44C"),
    "an id that is an option": ("claim/bump", "claim/-bump"), "a mark on the slash": ("claim/", "claim/\u{301}"),
    "a mark on the hash": ("#", "#\u{301}"),
  ]

  @Test(arguments: deviations.keys.sorted())
  func `another encoding of a link is refused`(why: String) throws {
    let (part, instead) = try #require(Self.deviations[why])
    let text = try #require(Vector.link.changing(part, to: instead))
    let error = #expect(throws: ClaimError.self) { try UnverifiedClaimLink(text) }
    #expect(error?.code == .link)
  }

  @Test func `a link cut anywhere is refused`() {
    for end in Vector.link.indices {
      #expect(throws: ClaimError(.link, "")) { try UnverifiedClaimLink(String(Vector.link[..<end])) }
      #expect(throws: ClaimError(.link, "")) { try UnverifiedClaimLink(String(Vector.link[end...].dropFirst())) }
    }
  }

  @Test func `a refusal does not repeat the link`() {
    let error = #expect(throws: ClaimError.self) { try UnverifiedClaimLink(String(Vector.link.dropLast())) }
    #expect(error?.description.contains("7Bdsst") == false)
  }
}
