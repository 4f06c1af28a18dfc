package import Foundation

/// A directory that goes with its last reference.
package final class TemporaryDirectory: Sendable {
  package let directory: String

  /// - Parameter folder: where to make it.
  package init(in folder: URL = FileManager.default.temporaryDirectory) throws {
    directory = folder.appending(path: "bump-place-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  /// Makes one in memory, where that can be: for tests of which what a disk keeps is no matter, and which write so much that
  /// its flushes would take minutes, or longer than SQLite waits for a lock.
  package static func inMemory() throws -> TemporaryDirectory {
    let folder = ProcessInfo.processInfo.environment["BUMP_TEST_MEMORY"] ?? "/dev/shm"
    return try FileManager.default.isWritableFile(atPath: folder)
      ? TemporaryDirectory(in: URL(filePath: folder)) : TemporaryDirectory()
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  package func path(_ name: String) -> String { "\(directory)/\(name)" }

  package func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
  }
}
