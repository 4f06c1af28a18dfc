/// How many documents may still be saved, and how many bytes: a receiver that goes on, and asks nobody, is not to fill
/// the disk.
public struct DocumentRoom: Hashable, Sendable {
  /// What a receive that goes on takes in all: 100 documents, 16 MiB.
  public static let ofKeptReceive = DocumentRoom(documents: 100, bytes: 16_777_216)
  /// One document.
  package static let ofOne = DocumentRoom(documents: .max, bytes: .max)

  private(set) var documents: Int
  private(set) var bytes: Int

  package init(documents: Int, bytes: Int) {
    (self.documents, self.bytes) = (documents, bytes)
  }

  /// Returns whether a document of this length has room.
  func has(_ length: Int) -> Bool { documents > 0 && bytes >= length }

  /// Takes the room of a document.
  ///
  /// - Returns: whether there was room.
  mutating func take(_ length: Int) -> Bool {
    guard has(length) else { return false }
    documents -= 1
    bytes -= length
    return true
  }
}
