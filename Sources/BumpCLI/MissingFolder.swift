import BumpFiles
import Glibc

extension CommandError {
  /// Checks that the directory of a file is there which a person named: missing directories are made for default files alone,
  /// since in another path they are probably a typing error, and nobody would find there what is kept in the file.
  ///
  /// - Parameters:
  ///   - path: `nil` for the default.
  ///   - what: what the file is.
  ///   - option: the option that names it.
  /// - Throws: `CommandError`.
  static func checkFolder(of path: String?, the what: String, named option: String) throws {
    guard let path, access(Directories.folder(of: path), F_OK) != 0, errno == ENOENT else { return }
    throw CommandError(
      .failure, "the \(what) \(path) cannot be made: its directory is not there",
      remedy: "Make that, or name another with \(option)")
  }
}
