import BumpClaims
import BumpKit
import BumpTerminal

/// The parts of a receive's report about cards and links.
extension ReceiveReport {
  func ask(_ question: Receiver.DocumentQuestion) async -> Bool {
    let offer = question.offer
    let name = quoted(offer.from, question.instance)
    let about = "\(name) offers \(Self.what(offer))."
    let answer = await Prompt.comparison(
      of: question.digits, with: "sender", to: "Accept it", about: about, console)
    guard answer == true else { return false }
    console.say("Accepted. Waiting for \(name) to send it.")
    return true
  }

  /// Returns what is offered, in words.
  static func what(_ offer: DocumentOffer) -> String { "\(DocumentText.kind(offer.kind)) of \(offer.length) bytes" }

  /// Asks a program to decide.
  func ask(_ question: Receiver.DocumentQuestion, _ decisions: Decisions) async -> Bool {
    await decisions.ask(
      pairs(question.offer).merging(
        ["digits": .init(question.digits), "remembered": question.remembered.map { .string($0.text) }]
      ) { $1 })
  }

  func pairs(_ offer: DocumentOffer) -> [String: JSONLines.Value?] {
    [
      "kind": .string(offer.kind.rawValue), "length": .integer(Int64(offer.length)), "from": .string(offer.from.text),
    ]
  }

  /// Reports a card or a link that was saved, as the result or as one event of many.
  func tell(_ saved: SavedDocument, _ event: String, _ more: [String: JSONLines.Value?] = [:]) {
    let (document, from) = (saved.verified.document, saved.verified.from)
    for line in DocumentText.preview(document) { console.say(line) }
    if !json.isOn {
      Console.result(
        "\(saved.isDuplicate ? "already here: " : "")\(document.kind == .card ? "card" : "link") from \(from.quoted) "
          + "(\(VisibleText.of(saved.path)))")
    }
    let pairs: [String: JSONLines.Value?] = [
      "outcome": .string(saved.outcome), "kind": .string(document.kind.rawValue),
      "length": .integer(Int64(document.bytes.count)), "from": .string(from.text), "file": .string(saved.path),
    ]
    json.write(event, document.pairs.merging(pairs) { $1 }.merging(more) { $1 })
  }
}

extension SavedDocument {
  /// The outcome for programs.
  var outcome: String { isDuplicate ? "duplicate" : "saved" }
}
