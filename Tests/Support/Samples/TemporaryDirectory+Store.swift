package import Foundation
import GRDB

/// Where a claim store lies.
extension TemporaryDirectory {
  package var store: String { path("bump.sqlite") }

  /// Another hand on the same file: SQL that a store would never say.
  package func tamperWithStore(_ sql: String) throws {
    try DatabaseQueue(path: store).inDatabase { try $0.execute(sql: "PRAGMA ignore_check_constraints = ON; \(sql)") }
    try setMode(0o600)
  }

  /// Writes a file that is its owner's alone, as a store is.
  package func write(_ bytes: Data, to name: String = "bump.sqlite") throws {
    try bytes.write(to: URL(filePath: path(name)))
    try setMode(0o600, of: name)
  }

  package func setMode(_ mode: Int, of name: String = "bump.sqlite") throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
  }
}
