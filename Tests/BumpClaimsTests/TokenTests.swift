import BumpClaims
import Testing

@Suite struct TokenTests {
  @Test(arguments: ["U", "USDC", "0", "USDC20240101"])
  func `a token is one to twelve capitals and digits`(text: String) throws {
    #expect(try Token(text).description == text)
  }

  @Test(arguments: [
    "nothing": "", "thirteen characters": "USDC202401011", "a small letter": "USDc", "a space": "US DC",
    "a hyphen": "US-DC", "an accent": "USDÇ", "a kelvin sign": "\u{212A}", "a full-width capital": "Ｕ",
    "a quote": "US\"", "a line end": "USDC\n", "a combining mark": "USDC\u{301}",
  ])
  func `what is no token is refused`(why: String, text: String) {
    let error = #expect(throws: ClaimError.self, "\(why)") { try Token(text) }
    #expect(error?.code == .token)
  }
}
