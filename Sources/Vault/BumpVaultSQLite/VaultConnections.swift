import BumpSQLite
import GRDB
import Synchronization

/// The connections of a store. Readers of a write-ahead log wait neither for writers nor for their syncs.
///
/// The last connection that is closed copies the log to the file and deletes it, if it may write. So the reader comes
/// first, here and in `close`: properties are released in their order.
final class VaultConnections: Sendable {
  /// The connection that reads what was committed.
  let reader: DatabaseQueue
  /// The connection that writes.
  let writer: DatabaseQueue

  /// The generation that the file is known to have reached without its log.
  let generation: Atomic<Int64>

  /// The length of the log after which a commit copies it to the file, in pages of 4 KiB.
  static let logPages = 4000

  /// Opens a store whose file has a write-ahead log.
  init(at path: String, writer: DatabaseQueue) throws {
    reader = try DatabaseQueue(path: path, configuration: .readOnly)
    self.writer = writer
    generation = Atomic(try FileGeneration.read(of: path))
  }

  /// Uses one connection that cannot write.
  init(reader: DatabaseQueue) {
    (self.reader, writer) = (reader, reader)
    generation = Atomic(0)
  }

  /// Closes both, after what has begun.
  func close() {
    // A connection that cannot be closed now is closed when it is released.
    try? reader.close()
    try? writer.close()
  }
}
