import Foundation
import Testing

@testable import BumpMail

@Suite struct MessageTests {
  private func message(_ code: String = "012345", _ language: CodeLetter.Language = .english, html: Bool = true) throws
    -> OutgoingMessage
  {
    let letter = CodeLetter(code: code, host: "vault.example", language: language)
    return OutgoingMessage(
      from: try #require(EnvelopeAddress("no-reply@vault.example")),
      to: try #require(EnvelopeAddress("alice@example.org")), subject: letter.subject, plain: letter.plain,
      html: html ? letter.html : nil, at: 1_795_799_857, id: [UInt8](repeating: 0xAB, count: 16))
  }

  private func text(_ message: OutgoingMessage) -> String { String(decoding: message.bytes, as: UTF8.self) }

  @Test func `a message has the header of RFC 5322 and two forms of one text`() throws {
    let lines = text(try message()).components(separatedBy: "\r\n")
    #expect(
      lines.prefix(9) == [
        "Date: Fri, 27 Nov 2026 17:17:37 +0000", "From: no-reply@vault.example", "To: alice@example.org",
        "Subject: Your code for vault.example", "Message-ID: <abababababababababababababababab@vault.example>",
        "MIME-Version: 1.0", "Auto-Submitted: auto-generated",
        "Content-Type: multipart/alternative; boundary=\"=_abababababababab\"", "",
      ])
    #expect(lines.count { $0 == "--=_abababababababab" } == 2)
    #expect(lines.suffix(2) == ["--=_abababababababab--", ""])
  }

  @Test(arguments: CodeLetter.Language.allCases)
  func `a message is ASCII in short lines, each ended by CR LF, without a dot that could end it`(
    language: CodeLetter.Language
  ) throws {
    for html in [true, false] {
      let bytes = try message("654321", language, html: html).bytes
      #expect(bytes.allSatisfy { $0 < 0x7F && ($0 >= 0x20 || $0 == 13 || $0 == 10) })
      let whole = String(decoding: bytes, as: UTF8.self)
      #expect(whole.hasSuffix("\r\n"))
      let lines = whole.components(separatedBy: "\r\n")
      #expect(lines.allSatisfy { !$0.contains("\r") && !$0.contains("\n") })
      #expect(lines.allSatisfy { $0.utf8.count <= 78 && !$0.hasPrefix(".") && !$0.hasPrefix("From ") })
    }
  }

  @Test(arguments: CodeLetter.Language.allCases)
  func `a message has the code, one sentence, and no link`(language: CodeLetter.Language) {
    let letter = CodeLetter(code: "012345", host: "vault.example", language: language)
    let lines = letter.plain.components(separatedBy: "\n")
    #expect(lines.count == 4 && lines[0] == "012345" && lines[1].isEmpty && lines[3].isEmpty)
    #expect(lines[2].contains("vault.example") && lines[2].hasSuffix(".") && !lines[2].dropLast().contains(". "))
    for text in [letter.subject, letter.plain, letter.html, letter.sms] {
      #expect(!text.contains("://") && !text.lowercased().contains("href") && !text.lowercased().contains("src="))
    }
    #expect(!letter.subject.contains("012345"))
    // What a phone offers the code by.
    #expect(letter.sms.hasSuffix("\n@vault.example #012345\n"))
  }

  @Test func `a host is text in HTML`() {
    let letter = CodeLetter(code: "1<b>", host: "a\"><script>&", language: .english)
    #expect(!letter.html.contains("<script>") && letter.html.contains("a&quot;&gt;&lt;script&gt;&amp;"))
    #expect(letter.html.contains("1&lt;b&gt;"))
  }

  @Test func `a line end in a subject begins no other field`() throws {
    let address = try #require(EnvelopeAddress("a@example.org"))
    let message = OutgoingMessage(
      from: address, to: address, subject: "Hello\r\nBcc: eve@example.org\u{2028}=?utf-8?q?x?=", plain: "", html: nil,
      at: 0, id: [1])
    let fields = text(message).components(separatedBy: "\r\n").prefix { !$0.isEmpty }
    #expect(!fields.contains { $0.lowercased().hasPrefix("bcc") })
    #expect(fields.count { $0.hasPrefix("Subject: =?utf-8?B?") } == 1)
  }

  @Test func `a message prints as nothing`() throws {
    let message = try message()
    var dumped = ""
    dump(message, to: &dumped)
    for text in ["\(message)", String(reflecting: message), dumped] {
      #expect(!text.contains("012345") && !text.contains("alice"))
    }
  }
}

@Suite struct MessageTextTests {
  /// Decodes quoted-printable as RFC 2045 says.
  private func decoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.replacing("=\r\n", with: "").utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "="), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else if byte != 13 {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [
    "", "a", "a\n", "a \nb  ", "=", "==3D", ".", "..\n.", "From me\nFrom", "Grüße, für Sie", "\u{0}\t\r",
    String(repeating: "a", count: 75), String(repeating: "a", count: 76), String(repeating: "a", count: 77),
    String(repeating: "ü", count: 100), String(repeating: "a", count: 75) + ".b", String(repeating: "=", count: 26),
    String(repeating: "a", count: 75) + "From b", String(repeating: " ", count: 80),
  ])
  func `quoted-printable keeps the text, in lines of 76 characters`(text: String) {
    let encoded = MessageText.quotedPrintable(text)
    let lines = encoded.components(separatedBy: "\r\n")
    #expect(lines.allSatisfy { $0.utf8.count <= 76 && !$0.hasPrefix(".") && !$0.hasPrefix("From ") })
    #expect(lines.allSatisfy { !$0.hasSuffix(" ") && !$0.hasSuffix("\t") })
    #expect(encoded.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 13 || $0 == 10 })
    #expect(!encoded.contains("=_"))
    #expect(decoded(encoded) == text)
  }

  @Test func `encoded words have whole characters and at most 75 characters`() {
    let text = String(repeating: "ä€😀", count: 20)
    let words = MessageText.header(text).components(separatedBy: "\r\n ")
    #expect(words.allSatisfy { $0.utf8.count <= 75 && $0.hasPrefix("=?utf-8?B?") && $0.hasSuffix("?=") })
    let parts = words.compactMap { Data(base64Encoded: String($0.dropFirst(10).dropLast(2))) }
    #expect(parts.allSatisfy { String(validating: $0, as: UTF8.self) != nil })
    #expect(parts.map { String(decoding: $0, as: UTF8.self) }.joined() == text)
    #expect(MessageText.header("plain") == "plain")
  }

  @Test(
    arguments: [
      (0, "Thu, 01 Jan 1970 00:00:00 +0000"), (951_782_399, "Mon, 28 Feb 2000 23:59:59 +0000"),
      (951_782_400, "Tue, 29 Feb 2000 00:00:00 +0000"), (951_868_800, "Wed, 01 Mar 2000 00:00:00 +0000"),
      (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 +0000"), (1_798_761_599, "Thu, 31 Dec 2026 23:59:59 +0000"),
    ] as [(Int64, String)])
  func `dates are those of the calendar`(time: Int64, text: String) { #expect(MessageDate.text(time) == text) }
}

@Suite struct EnvelopeAddressTests {
  /// libcurl passes a line end in a recipient on to the server.
  @Test(arguments: [
    "", "a", "@", "a@", "@b", "a@b\r\nRCPT TO:<c@d>", "a\r\n@b", "a@b\n", "a b@c", "a@b c", "<a@b>", "a@b>", "a@b@c",
    "a@b,c@d",
    "a..b@c", ".a@c", "a@b..c", "ü@b", "a@ü", "a@b\u{0}", "\"a\"@b", "a@[::1]", "a@b SIZE=1", "a\\@b",
    String(repeating: "a", count: 250) + "@b.de",
  ])
  func `what a server could read as anything but one address is none`(text: String) {
    #expect(EnvelopeAddress(text) == nil)
  }

  @Test(arguments: ["a@b", "alice.b+c@example.org", "+49301234567@sms.invalid", "a'b@xn--bcher-kva.example"])
  func `addresses are taken`(text: String) { #expect(EnvelopeAddress(text)?.text == text) }
}
