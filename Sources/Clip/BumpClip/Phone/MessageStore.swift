import BumpSQLite
import BumpSystem
import GRDB
import Glibc

/// A message that was made in an App Clip.
public struct ClipMessage: Hashable, Sendable {
  /// A UUID. A message that is copied again is recognised by it.
  public let id: String
  /// The text: 1 to 1,024 bytes.
  public let text: String
  /// The theme; `nil` if none was chosen.
  public let theme: String?
  /// Whether it is a favorite.
  public let isFavorite: Bool
  /// When it was made, in seconds since 1970.
  public let timestamp: Int64
}

/// A database of messages: the App Clip's in the App Group, or the app's own.
enum MessageStore {
  private static let version = 1

  /// Opens a database, and makes it if there is none. A commit survives a crash and a power cut.
  static func open(_ path: String) throws(PhoneError) -> DatabaseQueue {
    do {
      let queue = try DatabaseQueue(path: DatabaseFile.prepare(path), configuration: .durable(journalLimit: 1_048_576))
      try queue.write { database in
        switch try Int.fetchOne(database, sql: "PRAGMA user_version") {
        case version: return
        case 0:
          try database.execute(
            sql: """
              CREATE TABLE messages (
                id TEXT PRIMARY KEY, text TEXT NOT NULL, theme TEXT, isFavorite INTEGER NOT NULL, timestamp INTEGER NOT NULL
              ) STRICT;
              CREATE TABLE handovers (
                digest BLOB PRIMARY KEY, key TEXT NOT NULL, value BLOB NOT NULL, takenAt INTEGER NOT NULL
              ) STRICT;
              CREATE TABLE flags (name TEXT PRIMARY KEY, setAt INTEGER NOT NULL) STRICT;
              PRAGMA user_version = \(version)
              """)
        default:
          throw DatabaseFile.Failure(
            "it was made by another build of bump-clip", remedy: "Use that build, or remove it")
        }
      }
      return queue
    } catch {
      throw PhoneError(error, of: path, opening: true)
    }
  }

  static func insert(_ message: ClipMessage, in database: Database) throws {
    try database.execute(
      sql: "INSERT OR IGNORE INTO messages (id, text, theme, isFavorite, timestamp) VALUES (?, ?, ?, ?, ?)",
      arguments: [message.id, message.text, message.theme, message.isFavorite, message.timestamp])
  }

  /// Returns the messages, the newest first.
  static func messages(in database: Database) throws -> [ClipMessage] {
    try Row.fetchAll(database, sql: "SELECT * FROM messages ORDER BY timestamp DESC, rowid DESC").map { row in
      ClipMessage(
        id: try row.decode(forColumn: "id"), text: try row.decode(forColumn: "text"),
        theme: try row.decode(forColumn: "theme"), isFavorite: try row.decode(forColumn: "isFavorite"),
        timestamp: try row.decode(forColumn: "timestamp"))
    }
  }

  /// Deletes a database, its journal first: without the journal the database is complete, as after each commit.
  static func delete(_ path: String) throws(PhoneError) {
    for file in ["\(path)-journal", path] {
      guard unlink(file) == 0 || errno == ENOENT else { throw PhoneError(errno: errno, at: file) }
    }
    let folder = Directories.folder(of: path)
    guard Directories.sync(folder) else { throw PhoneError(errno: errno, at: folder) }
  }
}
