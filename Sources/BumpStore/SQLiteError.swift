/// What SQLite said.
public struct SQLiteError: Error, Hashable, Sendable {
  /// SQLite's extended result code (sqlite.org/rescode.html).
  public let extendedResultCode: Int32
  /// SQLite's own words, in English.
  public let message: String?
}
