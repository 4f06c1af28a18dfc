import BumpWire

/// A document on its way out, in CHUNKs: which is next, and how many the receiver allows.
struct OutgoingChunks: Sendable {
  private let document: OfferedDocument
  private var sent = 0
  private var allowed = WireLimits.firstChunks
  private var mores = 0

  init(_ document: OfferedDocument) {
    self.document = document
  }

  /// The document's length in bytes.
  var length: Int { document.offer.length }

  /// How many bytes are sent.
  var sentBytes: Int { min(sent * WireLimits.chunk, length) }

  var areAllSent: Bool { sent == document.offer.chunks }

  /// Returns the next CHUNK's bytes; `nil` where all are sent, or the receiver allows no more yet.
  mutating func next() -> [UInt8]? {
    guard sent < min(allowed, document.offer.chunks) else { return nil }
    let start = sentBytes
    sent += 1
    return Array(document.document.bytes[start..<sentBytes])
  }

  /// Notes a MORE.
  ///
  /// - Returns: whether one is due: there are as many as the document's length asks for.
  mutating func allowMore() -> Bool {
    guard document.offer.isMoreDue(after: (mores + 1) * WireLimits.chunksPerMore) else { return false }
    mores += 1
    allowed += WireLimits.chunksPerMore
    return true
  }
}

/// A document on its way in. Its bytes are nobody's before all are here and have the digest that was offered.
struct IncomingDocument: Sendable {
  let offer: DocumentOffer
  private var bytes: [UInt8] = []
  private var chunks = 0

  init(_ offer: DocumentOffer) {
    self.offer = offer
  }

  var isEmpty: Bool { bytes.isEmpty }
  /// How many bytes are here.
  var count: Int { bytes.count }
  var isComplete: Bool { bytes.count == offer.length }
  var isMoreDue: Bool { offer.isMoreDue(after: chunks) }

  /// Takes the next CHUNK: full, or the rest of the document.
  ///
  /// - Throws: `SessionFailure.protocolViolation` for one of another length.
  mutating func take(_ chunk: [UInt8]) throws {
    guard chunk.count == min(WireLimits.chunk, offer.length - bytes.count) else {
      throw SessionFailure.protocolViolation
    }
    bytes += chunk
    chunks += 1
  }

  /// Returns the document; `nil` unless it has the digest that was offered, and is of the kind that was.
  func verified() -> VerifiedDocument? {
    guard let document = try? Document(digesting: bytes, as: offer) else { return nil }
    return VerifiedDocument(document, from: offer.from)
  }
}

extension Document {
  /// Reads bytes of a stranger's. The digest is checked before they are parsed.
  fileprivate init?(digesting bytes: [UInt8], as offer: DocumentOffer) throws {
    guard Self.digest(of: bytes) == offer.digest else { return nil }
    try self.init(offer.kind, bytes)
  }
}
