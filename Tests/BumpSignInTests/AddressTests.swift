import BumpSignIn
import Testing

@Suite struct MailAddressTests {
  @Test(arguments: [
    ("alice@example.org", "alice@example.org"), ("  Alice.B+tag@Example.ORG ", "alice.b+tag@example.org"),
    ("o'neil_1-2=3@a-b.example", "o'neil_1-2=3@a-b.example"), ("a@bücher.example", "a@xn--bcher-kva.example"),
    ("a@BÜCHER.example", "a@xn--bcher-kva.example"), ("a@faß.example", "a@xn--fa-hia.example"),
    ("a@例え.テスト", "a@xn--r8jz45g.xn--zckzah"), ("a@пример.испытание", "a@xn--e1afmkfd.xn--80akhbyknj4f"),
    ("a@παράδειγμα.δοκιμή", "a@xn--hxajbheg2az3al.xn--jxalpdlp"),
    ("a@إختبار.example", "a@xn--kgbechtv.example"), ("a@xn--80akhbyknj4f.example", "a@xn--80akhbyknj4f.example"),
  ])
  func `an address has one form`(typed: String, text: String) throws {
    #expect(try MailAddress(typed).text == text)
  }

  /// What ends a line, begins another recipient, or is read as syntax by a server of mail or a program that shows it.
  @Test(arguments: [
    "alice@example.org\r\nRCPT TO:<eve@example.org>", "alice\r\n@example.org", "alice@example.org\n",
    "alice@example.org\r", "alice@exam\nple.org", "alice\u{0}@example.org", "alice\u{85}@example.org",
    "alice\u{2028}@example.org", "alice@example.org\u{2028}", "alice@example.org,eve@example.org",
    "alice@example.org;eve@example.org", "<alice@example.org>", "Alice <alice@example.org>",
    "alice@example.org>\u{0D}", "alice@example.org SIZE=1", "\"alice\"@example.org", "\"al ice\"@example.org",
    "alice(comment)@example.org", "alice@(c)example.org", "alice\\@example.org", "alice@example.org:25",
    "alice@eve.org@example.org", "alice\t@example.org", "alice @example.org", "alice@ example.org",
    "al:ice@example.org",
    "alice\u{200B}@example.org", "alice\u{202E}@example.org", "=?utf-8?q?a?=@example.org\u{7F}",
  ])
  func `what could be read as more than one address is refused`(typed: String) {
    #expect(throws: AddressError.self) { try MailAddress(typed) }
  }

  @Test(arguments: [
    "", "@", "alice", "@example.org", "alice@", "alice@example", "alice@localhost", ".alice@example.org",
    "alice.@example.org", "al..ice@example.org", "alice@.example.org", "alice@example..org", "alice@example.org.",
    "alice@-example.org", "alice@example-.org", "alice@exa_mple.org", "alice@192.0.2.1", "alice@[192.0.2.1]",
    "alice@[IPv6:::1]", "alice@example.123",
  ])
  func `what is no address with a domain is refused`(typed: String) {
    #expect(throws: AddressError.self) { try MailAddress(typed) }
  }

  /// Somebody who types one of these for somebody else's address must not be sent to another mailbox than that address's.
  @Test(arguments: [
    "аlice@example.org", "alıce@example.org", "ALİCE@example.org", "a\u{301}lice@example.org", "ａlice@example.org",
    "ali\u{212A}e@example.org", "alice@example\u{3002}org", "alice@example\u{FF0E}org", "alice@e\u{301}xample.org",
    "alice@\u{FF45}xample.org", "alice@ex\u{AD}ample.org", "alice@\u{212A}elvin.org", "alice@ﬁ.example",
    "alice@①.example", "alice@\u{1100}\u{1161}.example", "alice@😀.example", "alice@a\u{200D}b.example",
    "alice@İ.example", "alice\u{FF20}example.org",
  ])
  func `a spelling that may be taken for another one is refused`(typed: String) {
    #expect(throws: AddressError.self) { try MailAddress(typed) }
  }

  @Test func `lengths are those of SMTP`() throws {
    let label = String(repeating: "a", count: 63)
    let local = String(repeating: "l", count: 64)
    let domain = "\(label).\(label).\(String(repeating: "a", count: 57)).org"
    #expect(try MailAddress("\(local)@\(domain)").text.utf8.count == 254)
    for typed in [
      "\(local)l@example.org", "\(local)@\(label).\(label).\(String(repeating: "a", count: 58)).org",
      "a@\(label)a.org", "a@\(String(repeating: "ü", count: 60)).org",
      String(repeating: "a", count: 1_000_000) + "@example.org",
    ] {
      #expect(throws: AddressError.self) { try MailAddress(typed) }
    }
  }

  @Test func `no error repeats what was typed`() {
    let error = #expect(throws: AddressError.self) { try MailAddress("mallory\r\n@example.org") }
    #expect(error?.description.contains("mallory") == false)
  }
}

@Suite struct PhoneNumberTests {
  @Test(arguments: [
    ("+49 30 1234567", "+49301234567"), ("+1 (555) 010-9999", "+15550109999"), (" +44.20/7946-0000 ", "+442079460000"),
  ])
  func `a number has one form`(typed: String, text: String) throws {
    #expect(try PhoneNumber(typed).text == text)
  }

  @Test(arguments: [
    "", "+", "030 1234567", "0049301234567", "+0301234567", "+1234567", "+1234567890123456", "+49301234567\r\n",
    "+49\n301234567", "+٤٩٣٠١٢٣٤٥٦٧", "+49301234567,+15550109999", "+49301234567;ext=1", "+4930123456x",
    "+49\u{A0}301234567",
    "＋49301234567",
  ])
  func `what is no number of E164 is refused`(typed: String) {
    #expect(throws: AddressError.self) { try PhoneNumber(typed) }
  }
}
