import BumpClaims
import BumpKit
import BumpSystem
import BumpTerminal
import FoundationEssentials
import Glibc

/// A file with a shared key: 32 bytes in base64, on one line. The file must belong to this user or root, and nobody
/// else may be able to read it, or to put another key in its place.
enum KeyFile {
  /// Reads the key file that the argument names, or otherwise BUMP_KEY_FILE; `nil` without either.
  static func named(_ argument: String?) throws -> SharedKey? {
    try (argument ?? Environment.value("BUMP_KEY_FILE")).map { try read($0) }
  }

  /// Reads a key.
  ///
  /// - Parameter user: the user who may own the file, besides root.
  /// - Throws: `CommandError` of usage if the file is another user's, if others can read or replace it, or if it contains
  ///   no key.
  static func read(_ path: String, as user: uid_t = geteuid()) throws -> SharedKey {
    try checkDirectories(of: path, "used")
    let bytes: [UInt8]
    do {
      bytes = try PrivateFile.read(path, limit: 128, isWhole: true, as: user)
    } catch .isLarger {
      throw noKey(path)
    } catch .cannotOpen(ENOENT) {
      throw failure(path, "is not there", remedy: "`bump key new FILE` makes one")
    } catch {
      throw failure(path, error.refusal, remedy: error.remedy(for: path).map { "Try: \(ShellCommand.text($0))" })
    }
    guard
      let text = String(validating: bytes, as: UTF8.self),
      let key = Base64.decoded(text.hasSuffix("\n") ? String(text.dropLast()) : text).flatMap(SharedKey.init)
    else { throw noKey(path) }
    return key
  }

  /// Makes a random key in a new file of mode 0600: completely and durably, or not at all. It never overwrites a file.
  ///
  /// - Throws: `CommandError` if the file exists or cannot be written, or if others can replace it: the other machine
  ///   would be brought their key.
  static func create(_ path: String, random: RandomBytes = .system) throws {
    try checkDirectories(of: path, "made")
    do {
      try PrivateFile.create(path, Array((Base64.encoded(random.draw(SharedKey.length)) + "\n").utf8))
    } catch .cannotWrite(let code) where code != EEXIST {
      throw CommandError(
        .failure, "the key file \(path) cannot be written: \(PrivateFile.Failure.cannotWrite(code).reason)",
        remedy: "Name another")
    } catch {
      throw CommandError(
        .failure, "the key file \(path) cannot be made: \(error.reason)", remedy: "Name another")
    }
  }

  /// Checks that nobody else can make the path lead to another file: whoever can would know the key.
  ///
  /// - Parameter what: what is not done with the file otherwise, such as `used`.
  private static func checkDirectories(of path: String, _ what: String) throws {
    do {
      _ = try PrivatePath.resolved(path)
    } catch .cannotFollow, .isDirectory {
      // Opening the file fails, and says why.
    } catch {
      throw failure(path, "is not \(what): \(error.reason)", remedy: error.remedy(ShellCommand.text))
    }
  }

  private static func noKey(_ path: String) -> CommandError {
    failure(path, "holds no key", remedy: "Make one with: bump key new FILE")
  }

  private static func failure(_ path: String, _ what: String, remedy: String? = nil) -> CommandError {
    CommandError(.usage, "the key file \(path) \(what)", remedy: remedy)
  }
}
