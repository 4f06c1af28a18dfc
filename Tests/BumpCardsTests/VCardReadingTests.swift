import BumpCards
import BumpClaims
import BumpText
import Testing

@Suite struct VCardReadingTests {
  @Test func `a card of a phone is read`() throws {
    let reading = try Cards.read([
      "PRODID:-//Apple Inc.//iPhone OS 17.0//EN", "N:Public;Jo;Q.;Dr.;Jr.", "FN:Dr. Jo Q. Public Jr.",
      "ORG:Example\\, Inc.;Research;", "TITLE:Engineer\\; second class", "EMAIL;type=INTERNET;type=pref:jo@example.com",
      "item1.TEL;type=CELL:+1 555 0100", "item1.X-ABLabel:_$!<Mobile>!$_", "TEL;type=\"HOME;x:y\",pref:+1 555 0101",
      Cards.photo(Pictures.jpeg), "NOTE:a\\nb",
    ])
    let card = reading.card
    #expect(reading.warnings.isEmpty)
    #expect(card.formattedName == "Dr. Jo Q. Public Jr.")
    #expect(card.name == .init(family: "Public", given: "Jo", additional: "Q.", prefix: "Dr.", suffix: "Jr."))
    #expect(card.organization == ["Example, Inc.", "Research", ""])
    #expect(card.title == "Engineer; second class")
    #expect(card.telephones == ["+1 555 0100", "+1 555 0101"])
    #expect(card.emails == ["jo@example.com"])
    #expect(card.photo?.bytes == Pictures.jpeg)
    #expect(card.photo?.header.format == .jpeg)
  }

  @Test func `names, begin and end are read in any case`() throws {
    let text = "begin:vCard\nversion:3.0\nn:Public;Jo\nfn:Jo\nEnd:vcard\n"
    #expect(try VCard.read(Array(text.utf8)).card.name == .init(family: "Public", given: "Jo"))
  }

  @Test func `lines end in CRLF or LF, a byte order mark and blank lines are skipped`() throws {
    let expected = try Cards.read(Cards.named)
    let text = Cards.text(Cards.named)
    #expect(try VCard.read(Array(text.replacing("\r\n", with: "\n").utf8)) == expected)
    #expect(try VCard.read(Array(text.replacing("\r\n", with: "\r\n\r\n").utf8)) == expected)
    #expect(try VCard.read([0xEF, 0xBB, 0xBF] + Array(text.utf8)) == expected)
    #expect(try VCard.read(Array(text.utf8.dropLast(2))) == expected)
  }

  @Test func `a line is unfolded before it is decoded, wherever it was folded`() throws {
    let line = Array("FN:Zoë 🙂 Ω".utf8)
    let (head, tail) = (Array("BEGIN:VCARD\r\nVERSION:3.0\r\nN:Ω;;;;\r\n".utf8), Array("\r\nEND:VCARD\r\n".utf8))
    for place in 1..<line.count {
      for fold in ["\r\n ", "\n ", "\r\n\t", "\n\t"] {
        let card = head + line.prefix(place) + Array(fold.utf8) + line.dropFirst(place) + tail
        #expect(try VCard.read(card).card.formattedName == "Zoë 🙂 Ω", "folded at \(place)")
      }
    }
    let everywhere = line.map { [$0] }.joined(separator: Array("\r\n ".utf8))
    #expect(try VCard.read(head + everywhere + tail).card.formattedName == "Zoë 🙂 Ω")
  }

  @Test func `only one octet of a folded line's beginning goes`() throws {
    #expect(try Cards.read(["N:P", "FN:Jo", "  Public"]).card.formattedName == "Jo Public")
  }

  @Test func `white space behind BEGIN, VERSION and END does not count`() throws {
    let expected = try Cards.read(Cards.named)
    for blank in [" ", "\t", " \t "] {
      let text = Cards.text(Cards.named)
      for line in ["BEGIN:VCARD", "VERSION:3.0", "END:VCARD"] {
        #expect(try VCard.read(Array(text.replacing(line, with: line + blank).utf8)) == expected, "\(line)")
        let spaced = line.replacing(":", with: ":" + blank)
        #expect(try VCard.read(Array(text.replacing(line, with: spaced).utf8)) == expected, "\(spaced)")
      }
      #expect(try VCard.read(Array((text + blank + "\r\n").utf8)) == expected)
    }
    #expect(Cards.failure(Array(Cards.text(Cards.named).replacing("END:", with: "END :").utf8)) == .truncated)
  }

  /// Nobody misses them. Apple, Evolution and others have their own.
  @Test(arguments: [
    "X-MESSAGING/XMPP-All:jo@example.com", "x-a b:c", "item1.X-É:c", "X-ABLabel;=x:c", "X-",
    "X-A;B=\"c:d", "X-A/B.C:d",
  ])
  func `an extension that is no property is skipped with a warning`(line: String) throws {
    let reading = try Cards.read(Cards.named + [line, "TEL:1"])
    #expect(reading.warnings == [.extensionName] && reading.card.telephones == ["1"])
    #expect(try Cards.read(Cards.named + ["X-MESSAGING-XMPP:jo@example.com"]).warnings.isEmpty)
  }

  // MARK: Errors, one by one

  @Test func `a card of 262144 bytes is read, and no larger one`() throws {
    let rest = CardLimits.card - Cards.bytes(Cards.named + ["NOTE:"]).count
    let note = "NOTE:" + String(repeating: "x", count: rest)
    #expect(Cards.bytes(Cards.named + [note]).count == 262_144)
    #expect(Cards.failure(Cards.named + [note]) == nil)
    #expect(Cards.failure(Cards.named + [note + "x"]) == .size)
  }

  @Test(arguments: ["", "\r\n", "FN:Jo\r\nEND:VCARD\r\n", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", " BEGIN:VCARD\r\n"])
  func `what does not begin as a card is none`(text: String) {
    #expect(Cards.failure(Array(text.utf8)) == .begin)
  }

  @Test(arguments: ["2.1", "4.0", "3.00", "", "3 .0", "3.0;4.0"])
  func `another version is refused`(version: String) {
    #expect(Cards.failure(Array(Cards.text(Cards.named, version: "VERSION:\(version)").utf8)) == .version)
  }

  @Test func `versions 2_1 and 4_0 are refused by name, and no version is refused`() throws {
    for version in ["2.1", "4.0"] {
      let error = #expect(throws: VCardError.self) {
        try VCard.read(Array(Cards.text(Cards.named, version: "VERSION:\(version)").utf8))
      }
      #expect(error?.reason.contains(version) == true)
    }
    #expect(Cards.failure(Array(Cards.text(Cards.named, version: "X-VERSION:3.0").utf8)) == .version)
  }

  @Test func `a card that is cut is refused, wherever it was cut`() throws {
    let whole = Array(Cards.text(Cards.named).utf8)
    for count in 0..<whole.count - 2 { #expect(Cards.failure(Array(whole.prefix(count))) != nil, "\(count) bytes") }
    #expect(Cards.failure(Array(whole.dropLast(3))) == .truncated)
  }

  @Test func `two cards are refused, and one within another`() {
    let card = Cards.text(Cards.named)
    #expect(Cards.failure(Array((card + card).utf8)) == .count)
    #expect(Cards.failure(Cards.named + ["BEGIN:VCARD"]) == .count)
    #expect(Cards.failure(Cards.named + ["END:VCARD"]) == .count)
    #expect(Cards.failure(["begin:vcard", "end:vcard"] + Cards.named) == .count)
  }

  @Test func `a card of 1000 lines is read, and no longer one`() {
    let lines = Cards.named + Array(repeating: "TEL:1", count: CardLimits.lines - 5)
    #expect(Cards.failure(lines) == nil)
    #expect(Cards.failure(lines + [" 2"]) == nil, "a folded line is one")
    #expect(Cards.failure(lines + ["TEL:1"]) == .limits)
  }

  @Test(arguments: ["N", "FN", "TITLE", "ORG", "TEL", "EMAIL"])
  func `a value of 8192 bytes is read, and no longer one`(name: String) {
    let value = String(repeating: "x", count: CardLimits.text)
    #expect(Cards.failure(Cards.named + ["\(name):\(value)"]) == nil)
    #expect(Cards.failure(["\(name):\(value)"] + Cards.named) == nil)
    #expect(Cards.failure(["\(name):\(value)x"] + Cards.named) == .limits)
  }

  @Test(arguments: [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]])
  func `a line that is not UTF-8 is refused`(bytes: [UInt8]) {
    let card = Array("BEGIN:VCARD\nVERSION:3.0\nN:P\nFN:".utf8) + bytes + Array("\nEND:VCARD\n".utf8)
    #expect(Cards.failure(card) == .utf8)
  }

  @Test func `a control character but TAB is refused`() {
    for code in (0...0x1F).map({ UInt8($0) }) + [0x7F] where ![0x09, 0x0A].contains(code) {
      let card = Array("BEGIN:VCARD\nVERSION:3.0\nN:P\nFN:J".utf8) + [code] + Array("o\nEND:VCARD\n".utf8)
      #expect(Cards.failure(card) == .control, "\(code)")
    }
    #expect(Cards.failure(Cards.named + ["NOTE:a\tb"]) == nil)
  }

  @Test(arguments: [
    "no colon": "FN", "no name": ":Jo", "a name with a space": "F N:Jo", "a group without a name": "item1.:Jo",
    "a name without a group": ".FN:Jo", "two groups": "a.b.FN:Jo", "no parameter": "FN;:Jo",
    "a parameter without a name": "FN;=x:Jo", "an open quote": "FN;X=\"a:Jo",
    "a quote within a value": "FN;X=a\"b\":Jo",
    "text behind a quote": "FN;X=\"a\"b:Jo", "an accent": "É:Jo",
  ])
  func `a line that is no property is refused`(why: String, line: String) {
    #expect(Cards.failure(Cards.named + [line]) == .syntax, "\(why)")
  }

  @Test func `a bomb of groups is refused, whichever way it is built`() {
    #expect(Cards.failure([String(repeating: "a.", count: 130_000) + "FN:Jo"]) == .syntax)
    #expect(Cards.failure((0..<15_000).map { "i\($0).TEL:1" } + Cards.named) == .limits)
    #expect(Cards.failure(Cards.named + ["TEL" + String(repeating: ";a=b", count: 60_000) + ":1"]) == nil)
    #expect(Cards.failure(Cards.named + [String(repeating: "g", count: 200_000) + ".TEL:1"]) == nil)
  }

  @Test(arguments: [
    "ENCODING=QUOTED-PRINTABLE", "QUOTED-PRINTABLE", "quoted-printable", "encoding=8bit", "ENCODING=b,8BIT",
  ])
  func `another encoding than base64 is refused`(parameter: String) {
    #expect(Cards.failure(Cards.named + ["NOTE;\(parameter):x"]) == .encoding)
  }

  @Test func `another character set than UTF-8 is refused`() throws {
    #expect(Cards.failure(Cards.named + ["NOTE;CHARSET=ISO-8859-1:x"]) == .charset)
    #expect(try Cards.read(Cards.named + ["NOTE;charset=utf-8:x"]).warnings == [.charset])
  }

  @Test(arguments: [[], ["N:;;;;"], ["FN: "], ["N: ; ;;;", "FN:"], ["X-FN:Jo"]])
  func `a card without a name is refused`(lines: [String]) {
    #expect(Cards.failure(lines) == .name)
  }

  // MARK: What an error says

  @Test(arguments: [
    ("N;ENCODING=8BIT:P", "line 5 (N) is in the encoding 8BIT, which vCard 3.0 does not have"),
    ("item1.note;encoding=quoted-printable:x", "line 5 (NOTE) is in the encoding QUOTED-PRINTABLE, which"),
    ("TEL;ENCODING=SECRET:1", "line 5 (TEL) is in an encoding that vCard 3.0 does not have"),
    ("N;CHARSET=ISO-8859-1:P", "line 5 (N) is in ISO-8859-1, not in UTF-8"),
    ("N;CHARSET=windows-1252:P", "line 5 (N) is in WINDOWS-1252, not in UTF-8"),
    ("SECRET;CHARSET=SECRET:P", "line 5 is in another character set, not in UTF-8"),
    ("TITLE;:x", "line 5 (TITLE) is not a property"), ("SECRET", "line 5 is not a property"),
    ("NOTE:a\u{1}b", "line 5 (NOTE) has a control character"),
    ("EMAIL:" + String(repeating: "x", count: 8193), "line 5 (EMAIL) has more than 8192 bytes"),
    ("BEGIN:VCARD", "the file has more than one card, as line 5 (BEGIN) shows"),
    ("END:VCARD", "the file has more than one card, as line 5 (END) shows"),
  ])
  func `an error names the line and its property`(line: String, words: String) {
    let error = #expect(throws: VCardError.self) { try Cards.read(Cards.named + [line, "FN:x", "NOTE;a"]) }
    #expect(error?.reason.contains(words) == true && error?.reason.contains("SECRET") == false, "\(words)")
  }

  @Test func `lines are counted as the file has them`() {
    let text = "\r\nBEGIN:VCARD\r\n\r\nVERSION:3.0\nFN:J\r\n o\r\n Public\r\nNOTE\r\nEND:VCARD"
    let error = #expect(throws: VCardError.self) { try VCard.read(Array(text.utf8)) }
    #expect(error?.reason.contains("line 8 ") == true, "\(error?.reason ?? "")")
    let version = #expect(throws: VCardError.self) {
      try VCard.read(Array(Cards.text(Cards.named, version: "X-A:1\r\nVERSION:4.0").utf8))
    }
    #expect(version?.reason == "the card is a vCard of version 4.0, as line 3 (VERSION) says")
  }

  @Test func `a card in UTF-16 is refused by name, with a byte order mark and without`() {
    let units = Array(Cards.text(Cards.named).utf16)
    for isLittle in [true, false] {
      let bytes = units.flatMap { unit -> [UInt8] in
        let pair = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
        return isLittle ? pair : pair.reversed()
      }
      for mark in [[], isLittle ? [0xFF, 0xFE] : [0xFE, 0xFF]] as [[UInt8]] {
        let error = #expect(throws: VCardError.self) { try VCard.read(mark + bytes) }
        #expect(error?.code == .charset && error?.reason == "the file is in UTF-16, not in UTF-8")
        #expect(error?.remedy == "Save the card as vCard 3.0, in UTF-8")
      }
    }
  }

  @Test func `a line in Latin-1 is refused by name, and other bytes as they are`() {
    for (bytes, words) in [
      ([0xE9], "line 4 (FN) is in ISO 8859-1 (Latin-1), as it seems, and not in UTF-8"),
      ([0x93, 0xE9], "line 4 (FN) is not in UTF-8"),
    ] as [([UInt8], String)] {
      let card = Array("BEGIN:VCARD\nVERSION:3.0\nN:P\nFN:Ren".utf8) + bytes + Array("\nEND:VCARD\n".utf8)
      let error = #expect(throws: VCardError.self) { try VCard.read(card) }
      #expect(error?.code == .utf8 && error?.reason == words)
    }
  }

  /// The codes in the order of the checks.
  static let order: [VCardError.Code] = [
    .size, .begin, .version, .truncated, .count, .limits, .utf8, .control, .syntax, .encoding, .charset, .name,
  ]

  /// A card that breaks each of these rules.
  private static func card(breaking broken: Set<VCardError.Code>) -> [UInt8] {
    func with(_ code: VCardError.Code, _ text: String, else other: String = "") -> String {
      broken.contains(code) ? text : other
    }
    let head = with(.begin, "", else: "BEGIN:VCARD\n") + with(.version, "VERSION:4.0\n", else: "VERSION:3.0\n")
    let parameters = with(.encoding, ";ENCODING=8BIT") + with(.charset, ";CHARSET=KOI8-R")
    let line = with(.syntax, "NO TE", else: "NOTE") + parameters + ":" + with(.control, "\u{1}")
    let more = with(.count, "BEGIN:VCARD\nEND:VCARD\n") + with(.limits, String(repeating: "X:\n", count: 1000))
    let large = with(.size, "NOTE:" + String(repeating: "x", count: CardLimits.card) + "\n")
    let tail = "\n" + more + large + with(.name, "", else: "FN:Jo\n") + with(.truncated, "", else: "END:VCARD\n")
    return Array((head + line).utf8) + (broken.contains(.utf8) ? [0xFF] : []) + Array(tail.utf8)
  }

  @Test func `of two rules that are broken the first of the order is told`() {
    #expect(Cards.failure(Self.card(breaking: [])) == nil)
    for (index, first) in Self.order.enumerated() {
      #expect(Cards.failure(Self.card(breaking: [first])) == first)
      for second in Self.order[(index + 1)...] {
        #expect(Cards.failure(Self.card(breaking: [first, second])) == first, "\(first) before \(second)")
      }
    }
  }

  @Test func `an error never repeats what the card says`() {
    for lines in [["SECRET"], ["FN;ENCODING=SECRET:x"], ["FN;CHARSET=SECRET:x"], ["SECRET.:x"], ["SECRET:x"]] {
      let error = #expect(throws: VCardError.self) { try Cards.read(lines) }
      #expect(error?.description.contains("SECRET") == false)
    }
  }

  // MARK: Values and warnings

  @Test func `values are split before they are unescaped`() throws {
    let card = try Cards.read([#"N:a\;b;c\\;d\,e;\n\N\:;\q"#, #"FN:a\;b;c\"#, #"ORG:\;;x"#]).card
    #expect(card.name == .init(family: "a;b", given: "c\\", additional: "d,e", prefix: "\n\n:", suffix: #"\q"#))
    #expect(card.formattedName == #"a;b;c\"#)
    #expect(card.organization == [";", "x"])
  }

  @Test func `the first of each text counts, and all numbers and addresses, in their order`() throws {
    let card = try Cards.read([
      "TEL:1", "FN:a", "N:b;c;d;e;f;g;h", "EMAIL:x", "TITLE:t", "ORG:o", "FN:2", "N:2", "TITLE:2", "ORG:2", "TEL:2",
      "EMAIL:y",
    ]).card
    #expect(card.formattedName == "a" && card.title == "t" && card.organization == ["o"])
    #expect(card.name == .init(family: "b", given: "c", additional: "d", prefix: "e", suffix: "f"))
    #expect(card.telephones == ["1", "2"] && card.emails == ["x", "y"])
  }

  @Test func `a card without FN is named by its N, and one without N by its FN`() throws {
    let unformatted = try Cards.read(["N:Public;Jo;;Dr.;"])
    #expect(unformatted.card.formattedName == "Dr. Jo Public" && unformatted.warnings == [.formattedName])
    for lines in [["FN:Jo"], ["FN:Jo", "N:;;;;"]] {
      let nameless = try Cards.read(lines)
      #expect(nameless.card.formattedName == "Jo" && nameless.warnings == [.name])
    }
  }

  @Test func `encodings and parameters of version 2_1 are read with a warning`() throws {
    let photo = Cards.photo(Pictures.png, "")
    func warnings(_ parameters: String) throws -> [VCardWarning] {
      let reading = try Cards.read(Cards.named + [photo.replacing("PHOTO:", with: "PHOTO;\(parameters):")])
      #expect(reading.card.photo != nil)
      return reading.warnings
    }
    #expect(try warnings("ENCODING=B;TYPE=PNG") == [])
    #expect(try warnings("encoding=base64") == [.base64Name])
    #expect(try warnings("BASE64;PNG") == [.bareParameter])
    #expect(try warnings("b") == [.bareParameter])
    #expect(try Cards.read(Cards.named + ["TEL;HOME;CELL:1", "TEL;WORK:2"]).warnings == [.bareParameter])
  }

  @Test func `a photo of 163840 bytes is taken, and no larger one`() throws {
    let room = Array(repeating: UInt8(0), count: CardLimits.photo - Pictures.png.count)
    let largest = try Cards.read(Cards.named + [Cards.photo(Pictures.png + room)])
    #expect(largest.card.photo?.bytes.count == 163_840 && largest.warnings.isEmpty)
    let larger = try Cards.read(Cards.named + [Cards.photo(Pictures.png + room + [0])])
    #expect(larger.card.photo == nil && larger.warnings == [.photoSize])
    #expect(Photo(Pictures.png + room + [0]) == nil)
  }

  @Test(arguments: [
    "no base64": "PHOTO;ENCODING=b:////*", "base64 of a half": "PHOTO;ENCODING=b:iVBO Rw0",
    "data that is no base64": "PHOTO:data:image/gif,GIF87a", "data without a comma": "PHOTO:data:image/gif;base64",
    "data of no picture": "PHOTO;VALUE=uri:data:image/gif;base64,PHN2Zy8+", "no data": "PHOTO:data:;base64,",
    "data in another escape": "PHOTO:data:image/gif;base64,%52%30",
    "base64 without padding": "PHOTO;ENCODING=b:R0lGODlhAQ", "base64 with loose bits": "PHOTO;ENCODING=b:R0lGODlhAR==",
    "no picture": "PHOTO;ENCODING=b:PHN2Zy8+", "nothing": "PHOTO;ENCODING=b:", "a word": "PHOTO:picture",
  ])
  func `a photo that is none is left out`(why: String, line: String) throws {
    let reading = try Cards.read(Cards.named + [line])
    #expect(reading.card.photo == nil && reading.warnings == [.photo], "\(why)")
  }

  /// Apple's address book indents folded base64 by two spaces.
  @Test func `white space inside base64 does not count`() throws {
    let base64 = Base64.encoded(Pictures.png)
    for lines in [
      ["PHOTO;BASE64:", "  \(base64.prefix(7))", "  \(base64.dropFirst(7))"], ["PHOTO;ENCODING=b: \(base64)\t "],
      ["PHOTO;ENCODING=b:" + base64.map { "\($0) " }.joined()], ["PHOTO:data:image/png;base64, \(base64) "],
    ] {
      #expect(try Cards.read(Cards.named + lines).card.photo?.bytes == Pictures.png)
    }
  }

  /// RFC 2397, RFC 6350 §6.2.4. Some address books of the web write these in vCard 3.0, and escape the comma.
  @Test(arguments: [
    "PHOTO:data:image/png;base64,@", "PHOTO;VALUE=uri:data:image/png;base64,@", "PHOTO:DATA:IMAGE/PNG;BASE64\\,@",
    "PHOTO;VALUE=URI:data:image/png\\;base64\\,@", "PHOTO;ENCODING=b;TYPE=PNG:data:image/png;base64,@",
    "PHOTO:data:text/html;charset=utf-8;base64,@", "PHOTO:data:;base64,@",
  ])
  func `a photo in a data URI is in the card itself`(line: String) throws {
    let base64 = Base64.encoded(Pictures.png)
    #expect(base64.contains("+") || base64.contains("/") || base64.contains("="))
    let escaped = base64.replacing("+", with: "%2B").replacing("/", with: "%2f").replacing("=", with: "%3D")
    for data in [base64, escaped] {
      let reading = try Cards.read(Cards.named + [line.replacing("@", with: data)])
      #expect(reading.card.photo?.bytes == Pictures.png && reading.warnings.isEmpty)
    }
  }

  @Test(arguments: [
    "PHOTO;VALUE=uri:http://tracker.example/1.jpg", "PHOTO;VALUE=URL:x", "PHOTO:https://tracker.example/1.jpg",
    "PHOTO;VALUE=uri;ENCODING=b:R0lGODlhAQABAA==", "PHOTO:file:///etc/passwd",
  ])
  func `a photo's address is not followed`(line: String) throws {
    let reading = try Cards.read(Cards.named + [line])
    #expect(reading.card.photo == nil && reading.warnings == [.photoAddress])
  }

  @Test func `the first photo in the card itself counts`() throws {
    let lines = ["PHOTO:https://tracker.example/1", Cards.photo(Pictures.gif), Cards.photo(Pictures.png)]
    let reading = try Cards.read(Cards.named + lines)
    #expect(reading.card.photo?.header.format == .gif && reading.warnings.isEmpty)
  }
}
