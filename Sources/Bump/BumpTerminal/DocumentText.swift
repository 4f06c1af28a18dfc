package import BumpCards
package import BumpSession
import BumpText
package import BumpWire

/// The words for a card or a link, for a person. All texts come from a peer, and no picture is decoded.
package enum DocumentText {
  /// The kind with its article: `a contact card`.
  package static func kind(_ kind: DocumentKind) -> String {
    switch kind {
    case .card: "a contact card"
    case .link: "a link"
    }
  }

  /// Returns one line each for a card's name, title, organization and photo, or one for a link's address.
  package static func preview(_ document: Document) -> [String] {
    switch document.content {
    case .link(let link):
      return ["  Link          \(link.text)"]
    case .card(let reading):
      let card = reading.card
      let lines: [(String, String?)] = [
        ("Name", quoted(card.formattedName)), ("Title", card.title.map(quoted)),
        ("Organization", card.organization.first.map(quoted)), ("Photo", card.photo.map(photo)),
      ]
      return lines.compactMap { label, text in text.map { "  \(label.padded(to: 12))  \($0)" } }
    }
  }

  /// Returns a line for each warning about a card.
  package static func notes(_ document: Document) -> [String] {
    guard case .card(let reading) = document.content else { return [] }
    return reading.warnings.map { "Note: \($0)." }
  }

  /// The maximum width of a card's text, in columns.
  private static let columns = 60

  private static func quoted(_ text: String) -> String { QuotedName.of(text, columns: columns) }

  /// Returns the picture's type and size, from its header, and its length.
  package static func photo(_ photo: Photo) -> String {
    let size = photo.header.dimensions.map { ", \($0.width) × \($0.height)" } ?? ""
    return "\(photo.header.format.rawValue)\(size), \(photo.bytes.count) bytes"
  }
}

extension Document {
  /// The contents of the document, for programs.
  package var pairs: [String: JSONLines.Value?] {
    switch content {
    case .link(let link): ["url": .string(link.text)]
    case .card(let reading):
      [
        "formattedName": .string(reading.card.formattedName), "title": reading.card.title.map { .string($0) },
        "organization": reading.card.organization.first.map { .string($0) },
        "photo": reading.card.photo.map { .string(DocumentText.photo($0)) },
      ]
    }
  }
}
