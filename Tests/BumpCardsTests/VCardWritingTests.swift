import BumpCards
import Samples
import Testing

@Suite struct VCardWritingTests {
  private let plain = VCard(formattedName: "Jo", name: .init(family: "Public"))

  @Test func `a card is written in one way`() throws {
    let card = VCard(
      formattedName: "Jo, Q; P\\", name: .init(family: "Public", given: "Jo"), title: "a\nb",
      organization: ["x;y", "z"],
      telephones: ["1", "2"], emails: ["jo@example.com"], photo: Photo(Pictures.gif))
    let text = String(decoding: try card.written(), as: UTF8.self)
    #expect(
      text
        == [
          "BEGIN:VCARD", "VERSION:3.0", "N:Public;Jo;;;", #"FN:Jo\, Q\; P\\"#, #"ORG:x\;y;z"#, #"TITLE:a\nb"#, "TEL:1",
          "TEL:2", "EMAIL:jo@example.com", "PHOTO;ENCODING=b;TYPE=GIF:R0lGODlhLAEFAAAAAA==", "END:VCARD", "",
        ].joined(separator: "\r\n"))
  }

  @Test func `no line has more than 75 octets, and none is folded inside a character`() throws {
    for start in 0..<8 {
      let name = String(repeating: "x", count: start) + String(repeating: "é€🙂", count: 60)
      let written = try VCard(formattedName: name, name: .init(family: name)).written()
      let lines = written.split(separator: 0x0A, omittingEmptySubsequences: false)
      #expect(lines.last?.isEmpty == true)
      for line in lines.dropLast() {
        #expect(line.last == 0x0D && line.count <= CardLimits.foldedLine + 1)
        #expect(String(validating: line, as: UTF8.self) != nil)
      }
    }
  }

  @Test func `a card needs both names`() {
    #expect(throws: VCardError.self) { try VCard(formattedName: " ", name: .init(family: "x")).written() }
    #expect(throws: VCardError.self) { try VCard(formattedName: "x", name: .init(given: " ")).written() }
  }

  @Test func `what no reader takes is not written`() {
    func failure(_ card: VCard) -> VCardError.Code? {
      do {
        _ = try card.written()
        return nil
      } catch {
        return error.code
      }
    }
    func titled(_ title: String) -> VCard {
      VCard(formattedName: plain.formattedName, name: plain.name, title: title)
    }
    #expect(failure(plain) == nil)
    #expect(failure(titled("a\rb")) == .control)
    #expect(failure(titled("a\u{1B}[2J")) == .control)
    #expect(failure(titled(String(repeating: "x", count: 8192))) == nil)
    #expect(failure(titled(String(repeating: ",", count: 4097))) == .limits)
    let numbers = Array(repeating: "1", count: 996)
    #expect(failure(VCard(formattedName: "Jo", name: plain.name, telephones: numbers)) == .limits)
    let long = Array(repeating: String(repeating: "1", count: 8000), count: 33)
    #expect(failure(VCard(formattedName: "Jo", name: plain.name, telephones: long)) == .size)
  }

  @Test func `a title and an organization of nothing are none`() throws {
    let card = VCard(formattedName: "Jo", name: plain.name, title: " ", organization: ["", " "])
    #expect(card == plain)
  }

  @Test func `whatever is written reads the same, without a warning`() throws {
    var random = SplitMix64(seed: 2426)
    let pieces = [
      "a", "é", "🙂", "e\u{301}", "\\", ";", ",", ":", "\n", " ", "\t", "\"", "=", "N", "END:VCARD", "\u{85}",
    ]
    func text(_ most: Int) -> String {
      (0..<random.draw(0...most)).map { _ in pieces[random.draw(0...pieces.count - 1)] }.joined()
    }
    for _ in 0..<2000 {
      let pictures = [Pictures.png, Pictures.gif, Pictures.jpeg]
      let photo = Photo(pictures[random.draw(0...2)] + random.bytes(random.draw(0...300)))
      let card = VCard(
        formattedName: "x" + text(120),
        name: .init(family: text(40), given: "y" + text(9), additional: text(3), prefix: text(3), suffix: text(3)),
        title: text(90), organization: (0..<random.draw(0...3)).map { _ in text(30) },
        telephones: (0..<random.draw(0...3)).map { _ in text(30) },
        emails: (0..<random.draw(0...3)).map { _ in text(30) }, photo: random.draw(0...1) == 0 ? nil : photo)
      let reading = try VCard.read(card.written())
      #expect(reading.card == card && reading.warnings.isEmpty)
    }
  }

  @Test func `whatever is read and can be written reads the same again`() throws {
    let reading = try Cards.read([#"N:a\q;b"#, #"FN:\x\"#, "TEL:", "ORG:;", "TITLE: "])
    #expect(try VCard.read(reading.card.written()).card == reading.card)
  }
}
