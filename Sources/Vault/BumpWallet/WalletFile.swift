import BumpSystem
import BumpText
import Glibc

/// A wallet's key in a file: one line of 64 hex digits, as read by `PrivateKey.init(file:)`.
///
/// Anybody who has a copy of the file has the money. Losing the last copy loses the money.
public enum WalletFile {
  /// Makes the file with mode 0600, and missing directories above it with 0700. The file is durable when this returns.
  /// An existing file is never overwritten.
  ///
  /// - Throws: `WalletError.existingFile` if the file exists, `WalletError.file` if it cannot be made, or if others could
  ///   put another in its place or remove it.
  public static func create(_ path: String, key: PrivateKey) throws(WalletError) {
    _ = try resolved(path)
    guard Directories.make(Directories.folder(of: path)) else {
      throw failure(path, "cannot be made", .cannotMake(errno))
    }
    // Somebody else may have made one of the directories meanwhile.
    _ = try resolved(path)
    var line = key.exposedFile
    defer { explicit_bzero(&line, line.count) }
    do {
      try PrivateFile.create(path, line)
    } catch .cannotWrite(EEXIST) {
      throw WalletError(
        .existingFile, "the wallet \(path) is there already", remedy: "Name another",
        underlying: PrivateFile.Failure.cannotWrite(EEXIST))
    } catch {
      throw failure(path, "cannot be made", error)
    }
    guard Directories.syncAll(above: path) else {
      throw failure(path, "is made, but may be gone after a power cut", .cannotWrite(errno))
    }
  }

  /// Reads the file. It must belong to this user or root, and others must not be able to read it, nor to put another in
  /// its place.
  ///
  /// - Throws: `WalletError.missingFile` if there is none, `WalletError.file` if it belongs to another user, if others
  ///   may read or replace it, or if it cannot be read, `WalletError.privateKey` if it contains no key.
  public static func read(_ path: String) throws(WalletError) -> PrivateKey {
    var bytes: [UInt8]
    let found = try resolved(path) ?? path
    do {
      bytes = try PrivateFile.read(found, limit: 128, isWhole: true)
    } catch .cannotOpen(ENOENT) {
      throw WalletError(
        .missingFile, "there is no wallet \(path)", underlying: PrivateFile.Failure.cannotOpen(ENOENT))
    } catch .isLarger {
      throw .notAKeyFile
    } catch {
      throw WalletError(
        .file, "the wallet \(path) \(error.refusal)",
        remedy: error.remedy(for: path).map { "Try: \(ShellCommand.text($0))" }, underlying: error)
    }
    defer { explicit_bzero(&bytes, bytes.count) }
    return try PrivateKey(file: bytes)
  }

  /// Returns the path without symbolic links; `nil` if something on the way is missing.
  ///
  /// - Throws: `WalletError.file` if somebody else can make the path lead elsewhere.
  private static func resolved(_ path: String) throws(WalletError) -> String? {
    do {
      return try PrivatePath.resolved(path)
    } catch {
      throw WalletError(
        .file, "the wallet \(path) is not used: \(error.reason)", remedy: error.remedy(ShellCommand.text),
        underlying: error)
    }
  }

  private static func failure(_ path: String, _ what: String, _ cause: PrivateFile.Failure) -> WalletError {
    WalletError(.file, "the wallet \(path) \(what): \(cause.reason)", underlying: cause)
  }
}
