public import BumpCards
public import BumpClaims
public import BumpWire
import Crypto

/// A contact card or a link: what a bump hands over that is no money. A value that exists is valid.
public struct Document: Hashable, Sendable {
  /// What a document says.
  public enum Content: Hashable, Sendable {
    case card(VCard.Reading)
    case link(WebLink)
  }

  /// The document's bytes, as they are sent and saved.
  public let bytes: [UInt8]
  /// What they say.
  public let content: Content

  /// Reads a document.
  ///
  /// - Throws: `DocumentError.invalid` where the bytes are no document of this kind.
  public init(_ kind: DocumentKind, _ bytes: [UInt8]) throws(DocumentError) {
    self.bytes = bytes
    switch kind {
    case .card:
      do {
        content = .card(try VCard.read(bytes))
      } catch {
        throw DocumentError(.invalid, error.reason, remedy: error.remedy)
      }
    case .link:
      guard let link = WebLink(bytes) else {
        throw DocumentError(
          .invalid, "that is no link: https://, a host, and no more than \(WebLink.limit) characters of ASCII")
      }
      content = .link(link)
    }
  }

  /// What kind of document it is.
  public var kind: DocumentKind {
    switch content {
    case .card: .card
    case .link: .link
    }
  }

  /// SHA-256 of the bytes.
  package var digest: [UInt8] { Self.digest(of: bytes) }

  static func digest(of bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
}

/// A document, and how it is announced.
package struct OfferedDocument: Sendable {
  let document: Document
  let offer: DocumentOffer

  package init(_ document: Document, from name: DisplayName) throws(WireError) {
    self.document = document
    offer = try DocumentOffer(
      kind: document.kind, length: document.bytes.count, digest: document.digest, from: name)
  }
}

/// A document that came whole: it has the digest that its offer named. Only that check makes one.
public struct VerifiedDocument: Hashable, Sendable {
  public let document: Document
  /// The sender's display name, as the sender chose it: nothing proves it.
  public let from: DisplayName

  package init(_ document: Document, from: DisplayName) {
    (self.document, self.from) = (document, from)
  }
}
