/// How many documents may still be saved, and how many bytes. The limit keeps a receiver that accepts documents without
/// asking from filling the disk.
public struct DocumentQuota: Hashable, Sendable {
  /// The limits of a `keepReceiving`: 100 documents, 16 MiB.
  public static let ofKeptReceive = DocumentQuota(documents: 100, bytes: 16_777_216)
  /// No limit, for a receive that ends with its first document.
  package static let ofOne = DocumentQuota(documents: .max, bytes: .max)

  private(set) var documents: Int
  private(set) var bytes: Int

  package init(documents: Int, bytes: Int) {
    (self.documents, self.bytes) = (documents, bytes)
  }

  /// Returns whether there is room for a document of this length.
  func has(_ length: Int) -> Bool { documents > 0 && bytes >= length }

  /// Reserves room for a document.
  ///
  /// - Returns: whether there was room.
  mutating func take(_ length: Int) -> Bool {
    guard has(length) else { return false }
    documents -= 1
    bytes -= length
    return true
  }
}
