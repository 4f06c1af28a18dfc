import BumpWire

/// A document that was saved in a file, durably.
public struct SavedDocument: Hashable, Sendable {
  /// The document, and the name that its sender gave itself.
  public let verified: VerifiedDocument
  /// The path of its file.
  public let path: String
  /// Whether the file was there before, with the same bytes.
  public let isDuplicate: Bool

  package init(_ verified: VerifiedDocument, path: String, isDuplicate: Bool) {
    (self.verified, self.path, self.isDuplicate) = (verified, path, isDuplicate)
  }

  var status: StoredStatus { isDuplicate ? .duplicate : .stored }
}
