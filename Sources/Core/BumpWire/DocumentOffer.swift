public import BumpClaims
import BumpText

/// The kind of a document, which a session can carry instead of a claim.
public enum DocumentKind: String, Hashable, Sendable, CaseIterable {
  /// A contact card, vCard 3.0.
  case card = "vcard"
  /// The address of a page.
  case link

  /// The maximum length of a document of this kind, in bytes.
  public var limit: Int {
    switch self {
    case .card: 262_144
    case .link: 2048
    }
  }
}

/// A document as its sender announces it: its kind, length and digest, and the sender's name.
public struct DocumentOffer: Hashable, Sendable {
  /// SHA-256's length, in bytes.
  public static let digestLength = 32

  /// The kind of the document.
  public let kind: DocumentKind
  /// The document's length in bytes: from one to its kind's limit.
  public let length: Int
  /// The SHA-256 digest of the document, 32 bytes.
  public let digest: [UInt8]
  /// The display name that the sender gave itself. It is not authenticated.
  public let from: DisplayName

  /// Makes an offer.
  ///
  /// - Throws: `WireError.offer` for a length that the kind does not allow, or a digest that is not 32 bytes long.
  public init(kind: DocumentKind, length: Int, digest: [UInt8], from: DisplayName) throws(WireError) {
    guard (1...kind.limit).contains(length), digest.count == Self.digestLength else {
      throw WireError(.offer, "a document of a wrong length")
    }
    (self.kind, self.length, self.digest, self.from) = (kind, length, digest, from)
  }

  /// The number of CHUNKs that the document is sent in.
  public var chunks: Int { (length + WireLimits.chunk - 1) / WireLimits.chunk }

  /// Returns whether MORE is due after this many CHUNKs: after every sixteenth, except the last of all.
  public func isMoreDue(after count: Int) -> Bool {
    count > 0 && count < chunks && count.isMultiple(of: WireLimits.chunksPerMore)
  }

  /// The OFFER's JSON, in its only encoding.
  public var json: [UInt8] {
    Array(
      (#"{"v":1,"kind":"\#(kind.rawValue)","length":\#(length),"sha256":"\#(Hex.text(digest))","#
        + #""from":"\#(JSONString.escaped(from.text))"}"#).utf8)
  }

  /// Reads an OFFER's JSON.
  ///
  /// - Throws: `WireError.offer` unless the bytes are the only encoding of a document's offer, of at most 512 bytes.
  public init(json: some Collection<UInt8>) throws(WireError) {
    guard json.count <= WireLimits.offer, let offer = Self.scan(json), offer.json.elementsEqual(json) else {
      throw WireError(.offer, "the offer is not in its canonical encoding")
    }
    self = offer
  }

  private static func scan(_ json: some Collection<UInt8>) -> DocumentOffer? {
    var scanner = CanonicalScanner(json)
    guard scanner.take(#"{"v":1,"kind":""#) else { return nil }
    let kind = scanner.take(while: ASCII.isLower)
    guard scanner.take(#"","length":"#) else { return nil }
    let length = scanner.take(while: ASCII.isDigit)
    guard scanner.take(#","sha256":""#) else { return nil }
    let digest = scanner.take { ASCII.isDigit($0) || ASCII.isLower($0) }
    guard scanner.take(#"","from":""#), let from = JSONString.scan(&scanner) else { return nil }
    guard scanner.take("}"), scanner.isAtEnd, let kind = DocumentKind(rawValue: kind), let length = Int(length),
      let digest = Hex.decode(digest.utf8)
    else { return nil }
    return try? DocumentOffer(kind: kind, length: length, digest: digest, from: DisplayName(utf8: from))
  }
}
