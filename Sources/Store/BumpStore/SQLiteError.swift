/// The error that SQLite reported.
public struct SQLiteError: Error, Hashable, Sendable {
  /// SQLite's extended result code (sqlite.org/rescode.html).
  public let extendedResultCode: Int32
  /// SQLite's message, in English.
  public let message: String?
}
