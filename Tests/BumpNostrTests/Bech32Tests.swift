import Testing

@testable import BumpNostr

/// Bech32 by the vectors of BIP-173 and NIP-19.
@Suite struct Bech32Tests {
  @Test(arguments: [
    "A12UEL5L", "a12uel5l", "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw",
    "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs",
    "split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w", "?1ezyfcl",
  ]) func `the valid texts of BIP-173 are read`(text: String) throws {
    _ = try Bech32(text)
  }

  @Test(arguments: [
    ("a character below the alphabet", "\u{20}1nwldj5"), ("DEL", "\u{7F}1axkwrx"), ("no separator", "pzry9x0s0muk"),
    ("no prefix", "1pzry9x0s0muk"), ("no prefix either", "10a06t8"), ("a character of no value", "x1b4n0q5v"),
    ("too short a checksum", "li1dgmt3"), ("a checksum of the upper case", "A1G7SGD8"), ("both cases", "a12UEL5L"),
    ("bech32m", "a1lqfn3a"), ("bits left over", "split1checkupstagehandshakeupstreamerranterredcaperredlc445v"),
    ("over 5,000 characters", Bech32("a", [UInt8](repeating: 7, count: 3121)).text), ("nothing", ""),
  ]) func `what breaks a rule is refused`(rule: String, text: String) {
    #expect(throws: Bech32.Malformed.self, "\(rule)") { try Bech32(text) }
  }

  @Test func `a text may have 5,000 characters`() throws {
    let longest = Bech32("a", [UInt8](repeating: 7, count: 3120))
    #expect(try longest.text.utf8.count == 5000 && Bech32(longest.text) == longest)
  }

  @Test(arguments: 0..<70) func `bytes come back from their text`(count: Int) throws {
    let bytes = Bech32("any", (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) })
    #expect(try Bech32(bytes.text) == bytes)
    #expect(try Bech32(bytes.text.uppercased()) == bytes)
  }
}
