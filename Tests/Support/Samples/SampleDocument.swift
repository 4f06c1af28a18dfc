package import BumpSession
import BumpWire

/// Documents to hand over.
package enum SampleDocument {
  package static func card(padding: Int = 0) throws -> Document {
    let head = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Public;Jo;;;\r\nFN:Jo Public\r\nNOTE:"
    return try Document(.card, Array((head + String(repeating: "x", count: padding) + "\r\nEND:VCARD\r\n").utf8))
  }

  /// A card of so many bytes.
  package static func card(of length: Int) throws -> Document {
    try card(padding: length - card().bytes.count)
  }

  package static func link() throws -> Document { try Document(.link, Array("https://example.org/".utf8)) }
}
