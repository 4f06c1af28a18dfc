import BumpFiles
import BumpText
import Glibc

/// A wallet's key in a file: one line of 64 hex digits, as `PrivateKey.init(file:)` reads it.
///
/// Whoever has a copy of the file has the money, and whoever loses the last one has lost it.
public enum WalletFile {
  /// Makes the file with mode 0600, and the directories above it that are missing with 0700. When it returns, a power
  /// cut takes nothing back. It never overwrites.
  ///
  /// - Throws: `WalletError.existingFile` where the file is there already, `WalletError.file` where it cannot be made.
  public static func create(_ path: String, key: PrivateKey) throws(WalletError) {
    guard Directories.make(Directories.folder(of: path)) else {
      throw failure(path, "cannot be made", .cannotMake(errno))
    }
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

  /// Reads the file. Only its owner may be able to, who is this user or root.
  ///
  /// - Throws: `WalletError.missingFile` where there is none, `WalletError.file` where it is another user's, others may
  ///   read it, or it cannot be read, `WalletError.privateKey` where it holds no key.
  public static func read(_ path: String) throws(WalletError) -> PrivateKey {
    var bytes: [UInt8]
    do {
      bytes = try PrivateFile.read(path, limit: 128, isWhole: true)
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

  private static func failure(_ path: String, _ what: String, _ cause: PrivateFile.Failure) -> WalletError {
    WalletError(.file, "the wallet \(path) \(what): \(cause.reason)", underlying: cause)
  }
}
