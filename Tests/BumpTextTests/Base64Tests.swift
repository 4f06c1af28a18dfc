import BumpText
import Samples
import Testing

@Suite struct Base64Tests {
  /// RFC 4648 §10, and the two characters in which the alphabets differ.
  static let samples: [([UInt8], String, String)] = [
    ([], "", ""), (Array("f".utf8), "Zg==", "Zg"), (Array("fo".utf8), "Zm8=", "Zm8"),
    (Array("foo".utf8), "Zm9v", "Zm9v"),
    (Array("foob".utf8), "Zm9vYg==", "Zm9vYg"), (Array("fooba".utf8), "Zm9vYmE=", "Zm9vYmE"),
    (Array("foobar".utf8), "Zm9vYmFy", "Zm9vYmFy"), ([0xFB, 0xFF], "+/8=", "-_8"),
  ]

  @Test(arguments: samples)
  func `bytes have one text in each alphabet`(bytes: [UInt8], standard: String, urlSafe: String) {
    #expect(Base64.encoded(bytes) == standard)
    #expect(Base64.urlEncoded(bytes) == urlSafe)
    #expect(Base64.decoded(standard) == bytes)
    #expect(Base64.urlDecoded(urlSafe) == bytes)
  }

  @Test(arguments: [
    "no padding": "Zg", "half the padding": "Zg=", "too much padding": "Zg===", "padding where none is due": "Zm9v====",
    "padding inside": "Zg==Zg==", "bits that say nothing": "Zh==", "more of such bits": "Zm9=", "a lone character": "Z",
    "the other alphabet": "-_8=", "a space": "Zm9v ", "a space inside": "Zm 9v", "a line end": "Zm9v\n",
    "a line end inside": "Zm9v\r\nZm9v", "a kelvin sign for a K": "AAA\u{212A}", "a combining mark": "Zm9v\u{301}",
    "a full-width letter": "Zm9Ｖ", "a NUL": "Zm9v\0", "padding alone": "====",
  ])
  func `another text of the same bytes is no base64`(why: String, text: String) {
    #expect(Base64.decoded(text) == nil, "\(why)")
  }

  @Test(arguments: [
    "padding": "Zg==", "half the padding": "Zg=", "bits that say nothing": "Zh", "a lone character": "Z",
    "the other alphabet": "+/8", "a space": "Zm9v ", "a line end": "Zm9v\n", "a kelvin sign for a K": "AAA\u{212A}",
    "a combining mark": "Zm9-\u{301}", "a full-width letter": "Zm9Ｖ",
  ])
  func `another text of the same bytes is no base64url`(why: String, text: String) {
    #expect(Base64.urlDecoded(text) == nil, "\(why)")
  }

  @Test func `random bytes come back from both texts`() {
    var random = SplitMix64(seed: 3)
    for count in 0..<200 {
      let bytes = random.bytes(count)
      #expect(Base64.decoded(Base64.encoded(bytes)) == bytes)
      #expect(Base64.urlDecoded(Base64.urlEncoded(bytes)) == bytes)
    }
  }
}
