package import Foundation

/// A directory that goes with its last reference.
package final class Place: Sendable {
  package let directory: String

  /// - Parameter folder: where to make it.
  package init(in folder: URL = FileManager.default.temporaryDirectory) throws {
    directory = folder.appending(path: "bump-place-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  package func path(_ name: String) -> String { "\(directory)/\(name)" }

  package func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
  }
}
