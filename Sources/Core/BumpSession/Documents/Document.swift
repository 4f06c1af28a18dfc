public import BumpCards
public import BumpClaims
public import BumpWire
import Crypto

/// A contact card or a link, which a bump can hand over instead of a claim. Every value is valid.
public struct Document: Hashable, Sendable {
  /// The contents of a document.
  public enum Content: Hashable, Sendable {
    /// A contact card, and the warnings about it.
    case card(VCard.Reading)
    /// The address of a web page, which bump shows and never opens.
    case link(WebLink)
  }

  /// The document's bytes, as sent and saved.
  public let bytes: [UInt8]
  /// The contents read from the bytes.
  public let content: Content

  /// Reads a document.
  ///
  /// - Throws: `DocumentError.invalid` if the bytes are not a document of this kind.
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
          .invalid,
          "a link begins with https:// and a host, and has no more than \(WebLink.limit) characters of ASCII")
      }
      content = .link(link)
    }
  }

  /// The kind of the document.
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

/// A document and the offer that announces it.
package struct OfferedDocument: Sendable {
  let document: Document
  let offer: DocumentOffer

  package init(_ document: Document, from name: DisplayName) throws(WireError) {
    self.document = document
    offer = try DocumentOffer(
      kind: document.kind, length: document.bytes.count, digest: document.digest, from: name)
  }
}

/// A document that was received completely, and has the digest of its offer. Only that check makes a value.
public struct VerifiedDocument: Hashable, Sendable {
  /// The document.
  public let document: Document
  /// The display name that the sender gave itself. It is not authenticated.
  public let from: DisplayName

  package init(_ document: Document, from: DisplayName) {
    (self.document, self.from) = (document, from)
  }
}
