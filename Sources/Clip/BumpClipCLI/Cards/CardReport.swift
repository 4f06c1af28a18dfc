import BumpClaims
import BumpKit
import BumpQR
import BumpSharedCards
import BumpTerminal
import Glibc

/// Reports the results for shared cards: messages on stderr, the link or the card on stdout, or JSON events there.
struct CardReport: Sendable {
  let console: Console
  let json: JSONLines

  /// Shows the link of a stored card: on a terminal with its QR code, otherwise alone.
  func shared(_ link: SharedCardLink, until expiry: Int64) -> ExitStatus {
    json.write(
      "result",
      ["outcome": "shared", "id": .init(link.id), "link": .string(link.text), "expiry": .integer(expiry), "exit": 0])
    guard !json.isOn else { return .success }
    Console.result(link.text)
    console.say(
      "Anybody with this link can read the card, for 24 hours, once the directory is served: bump-clip card serve")
    guard isatty(STDOUT_FILENO) == 1, let code = try? QRCode(link.text) else { return .success }
    let drawing = QRDisplay.drawing(of: code)
    if QRDisplay.fits(drawing) {
      Console.result(String(drawing.text.dropLast()))
    } else {
      console.say("Its QR code needs a larger terminal, or a file: bump-clip card share FILE --qr-file card.svg")
    }
    return .success
  }

  /// Shows a card that was verified by its link: on a terminal its contents, otherwise its bytes.
  ///
  /// - Parameter file: the file that the card was written to; `nil` for none.
  func fetched(_ card: Document, of id: SharedCardID, in file: String?) -> ExitStatus {
    json.write(
      "result",
      card.pairs.merging([
        "outcome": "fetched", "id": .init(id), "length": .integer(Int64(card.bytes.count)),
        "file": file.map { .string($0) }, "card": file == nil ? .string(Base64.encoded(card.bytes)) : nil, "exit": 0,
      ]) { $1 })
    guard !json.isOn else { return .success }
    if let file {
      for line in DocumentText.preview(card) { console.say(line) }
      console.say("The card is in \(file).")
    } else if isatty(STDOUT_FILENO) == 1 {
      for line in DocumentText.preview(card) { Console.result(line) }
      console.say("To have all of it in a file: bump-clip card fetch --output card.vcf -")
    } else {
      Console.result(card.bytes)
    }
    return .success
  }

  func serving(_ port: UInt16, on interface: NetworkInterface) {
    let url = "http://\(OwnAddress.current(on: interface)?.text ?? "127.0.0.1"):\(port)"
    json.write("serving", ["url": .string(url)])
    if !json.isOn { Console.result(url) }
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
