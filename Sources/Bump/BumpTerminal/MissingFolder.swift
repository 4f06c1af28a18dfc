import BumpSystem
import Glibc

extension CommandError {
  /// Checks that the directory of a file that a person named exists. Missing directories are made only for default
  /// files: in another path they are probably a typing error, and nobody would find the file there.
  ///
  /// - Parameters:
  ///   - path: the path of the file; `nil` for the default.
  ///   - what: what the file is.
  ///   - option: the option that names the file.
  /// - Throws: `CommandError`.
  package static func checkFolder(of path: String?, the what: String, named option: String) throws {
    guard let path, access(Directories.folder(of: path), F_OK) != 0, errno == ENOENT else { return }
    throw CommandError(
      .failure, "the \(what) \(path) cannot be made: its directory is not there",
      remedy: "Make that, or name another with \(option)")
  }
}
