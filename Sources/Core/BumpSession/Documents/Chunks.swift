import BumpWire

/// A document being sent in CHUNKs: which one is next, and how many the receiver allows.
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

  /// The number of bytes sent.
  var sentBytes: Int { min(sent * WireLimits.chunk, length) }

  var areAllSent: Bool { sent == document.offer.chunks }

  /// Returns the bytes of the next CHUNK; `nil` if all were sent, or the receiver allows no more yet.
  mutating func next() -> [UInt8]? {
    guard sent < min(allowed, document.offer.chunks) else { return nil }
    let start = sentBytes
    sent += 1
    return Array(document.document.bytes[start..<sentBytes])
  }

  /// Handles a MORE, which allows further CHUNKs.
  ///
  /// - Returns: false if no MORE is due: the document's length determines how many there are.
  mutating func allowMore() -> Bool {
    guard document.offer.isMoreDue(after: (mores + 1) * WireLimits.chunksPerMore) else { return false }
    mores += 1
    allowed += WireLimits.chunksPerMore
    return true
  }
}

/// A document being received. Its bytes are not read before all of them are here and have the offered digest.
struct IncomingDocument: Sendable {
  let offer: DocumentOffer
  private var bytes: [UInt8] = []
  private var chunks = 0

  init(_ offer: DocumentOffer) {
    self.offer = offer
  }

  var isEmpty: Bool { bytes.isEmpty }
  /// The number of bytes received.
  var count: Int { bytes.count }
  var isComplete: Bool { bytes.count == offer.length }
  var isMoreDue: Bool { offer.isMoreDue(after: chunks) }

  /// Appends the next CHUNK, which must be full or complete the document.
  ///
  /// - Throws: `SessionFailure.protocolViolation` for any other length.
  mutating func take(_ chunk: [UInt8]) throws {
    guard chunk.count == min(WireLimits.chunk, offer.length - bytes.count) else {
      throw SessionFailure.protocolViolation
    }
    bytes += chunk
    chunks += 1
  }

  /// Returns the document; `nil` unless the bytes have the offered digest and are a document of the offered kind.
  func verified() -> VerifiedDocument? {
    guard let document = try? Document(digesting: bytes, as: offer) else { return nil }
    return VerifiedDocument(document, from: offer.from)
  }
}

extension Document {
  /// Reads bytes from a peer. Checks their digest before parsing them.
  fileprivate init?(digesting bytes: [UInt8], as offer: DocumentOffer) throws {
    guard Self.digest(of: bytes) == offer.digest else { return nil }
    try self.init(offer.kind, bytes)
  }
}
