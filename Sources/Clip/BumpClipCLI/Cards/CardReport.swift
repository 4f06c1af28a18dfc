import BumpClaims
import BumpKit
import BumpSharedCards
import BumpTerminal
import BumpText
import Glibc

/// Reports the results for shared cards: messages on stderr, the link or the card on stdout, or JSON events there.
struct CardReport: Sendable {
  let console: Console
  let json: JSONLines
  /// The store as the command line names it; `nil` for the default.
  let store: String?

  /// Shows the link of a stored card: on a terminal with its QR code, otherwise alone.
  func shared(_ card: Document, by link: SharedCardLink, until expiry: Int64) -> ExitStatus {
    json.write(
      "result",
      [
        "outcome": "shared", "id": .init(link.id), "link": .string(link.text), "expiry": .integer(expiry),
        "warnings": warnings(card), "exit": 0,
      ])
    guard !json.isOn else { return .success }
    for note in DocumentText.notes(card) { console.say(note) }
    Console.result(link.text)
    for line in Self.advice(on: link, in: store) { console.say(line) }
    guard isatty(STDOUT_FILENO) == 1, let code = try? QRCode(link.text) else { return .success }
    let drawing = QRDisplay.drawing(of: code)
    if QRDisplay.fits(drawing) {
      Console.result(String(drawing.text.dropLast()))
    } else {
      console.say("Its QR code needs a larger terminal, or a file: --qr-file card.svg")
    }
    return .success
  }

  /// Returns what a link is good for: nobody can fetch a card before a server gives it out.
  static func advice(on link: SharedCardLink, in store: String?) -> [String] {
    let serve = command(["serve"], store.map { ShellCommand.option("--store", $0) } ?? [])
    guard link.namesNoServer else {
      return [
        "Anyone with this link can read the card for 24 hours, once \(link.base) gives out the cards of this store.",
        "For a proxy there: \(serve)",
      ]
    }
    return [
      "Anyone with this link can read the card for 24 hours, at a server that gives it out: \(serve)",
      "The link names yourapp.com, which nobody serves. Name the server's address: "
        + command(["fetch"], ["--server", "URL"], ["-"]),
      "Where your own host serves the cards, --link-base puts it in the link.",
    ]
  }

  private static func command(_ words: [String]...) -> String {
    ShellCommand.text(["bump-clip", "card"] + words.flatMap(\.self))
  }

  private func warnings(_ card: Document) -> JSONLines.Value? {
    guard case .card(let reading) = card.content, !reading.warnings.isEmpty else { return nil }
    return .list(reading.warnings.map { ["code": .string($0.rawValue), "text": .init($0)] })
  }

  /// Shows a card that was verified by its link: on a terminal its contents, otherwise its bytes.
  ///
  /// - Parameters:
  ///   - file: the file that the card was written to; `nil` for none.
  ///   - place: the options that name where the card was fetched.
  func fetched(_ card: Document, of id: SharedCardID, in file: String?, from place: [String]) -> ExitStatus {
    json.write(
      "result",
      card.pairs.merging([
        "outcome": "fetched", "id": .init(id), "length": .integer(Int64(card.bytes.count)),
        "file": file.map { .string($0) }, "card": file == nil ? .string(Base64.encoded(card.bytes)) : nil,
        "warnings": warnings(card), "exit": 0,
      ]) { $1 })
    guard !json.isOn else { return .success }
    if let file {
      for line in DocumentText.preview(card) + DocumentText.notes(card) { console.say(line) }
      console.say("The card is in \(file).")
    } else if isatty(STDOUT_FILENO) == 1 {
      for line in DocumentText.preview(card) { Console.result(line) }
      for note in DocumentText.notes(card) { console.say(note) }
      console.say("To have all of it in a file: \(Self.command(["fetch"], place, ["--output", "card.vcf", "-"]))")
    } else {
      for note in DocumentText.notes(card) { console.say(note) }
      Console.result(card.bytes)
    }
    return .success
  }

  func serving(_ port: UInt16, on interface: NetworkInterface) {
    let url = "http://\(OwnAddress.current(on: interface)?.text ?? "127.0.0.1"):\(port)"
    json.write("serving", ["url": .string(url)])
    if !json.isOn { Console.result(url) }
    console.say("Fetch a card from there: \(Self.command(["fetch"], ["--server", url, "-"]))")
    if interface.name == "lo" { console.say("Only this machine reaches it. For others name an --interface.") }
    console.say("Cards are given out until \(Interrupt.inWords).")
  }

  func request(_ status: Int) { json.write("request", ["status": .integer(Int64(status))]) }

  /// Reports a clean-up that removed cards, or failed.
  func cleaned(_ result: Result<Int, SharedCardError>) {
    switch result {
    case .success(0): break
    case .success(let count): json.write("cleaned", ["count": .integer(Int64(count))])
    case .failure(let error): Console.standardError("expired cards could not be removed: \(error.reason)")
    }
  }

  func served() -> ExitStatus {
    json.write("result", ["outcome": "ended", "exit": 0])
    return .success
  }
}
