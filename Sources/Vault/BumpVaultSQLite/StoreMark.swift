import BumpSQLite
import BumpSystem
import BumpText
import BumpVault
import BumpWallet
import Glibc

/// The last sealed batch of a vault's journal, in a small file beside the store.
///
/// A backup that is written over the store keeps the store's inode, and so looks like the store itself. But it ends
/// before the batch of the mark, or has another batch of that number. A log that a killed server left beside the backup
/// may contain that batch, but it does not fit to the backup, whose generation is older.
struct StoreMark: Equatable {
  /// The mark that was read, if there was one, or why it could not be read.
  typealias Read = Result<StoreMark?, any Error>

  let vault: Address
  /// The batch's number, counted from 1.
  let batch: Int64
  let hash: Bytes32
  /// The generation that the store's file has at least, without its log: see `FileGeneration`.
  let generation: Int64

  static func path(of store: String) -> String { store + "-mark" }

  var text: String { "\(vault) \(batch) \(hash)\(generation > 0 ? " \(generation)" : "")\n" }

  init(vault: Address, batch: Int64, hash: Bytes32, generation: Int64) {
    (self.vault, self.batch, self.hash, self.generation) = (vault, batch, hash, generation)
  }

  /// Reads a mark. Returns `nil` for anything but what `text` writes.
  init?(_ text: String) {
    let parts: [Substring] = text.dropLast().split(separator: " ", omittingEmptySubsequences: false) + ["0"]
    guard
      parts.count >= 4, let vault = try? Address(parts[0]), let batch = Int64(parts[1]),
      let hash = try? Bytes32(parts[2]), let generation = Int64(parts[3])
    else { return nil }
    self.init(vault: vault, batch: batch, hash: hash, generation: generation)
    guard self.text == text else { return nil }
  }

  /// Reads the mark of a store. Returns `nil` if there is none.
  init?(beside store: String) throws {
    let path = Self.path(of: store)
    let bytes: [UInt8]
    do {
      bytes = try PrivateFile.read(path, limit: 256)
    } catch .cannotOpen(ENOENT) {
      return nil
    } catch {
      throw DatabaseFile.Failure("its file \(path) cannot be read: \(error.reason)")
    }
    guard let mark = Self(String(decoding: bytes, as: UTF8.self)) else {
      throw DatabaseFile.Failure(
        "its file \(path) is not what the vault has written",
        remedy: "If the store is not a backup, remove it: \(ShellCommand.text(["rm", path]))")
    }
    self = mark
  }

  /// Writes this mark durably. It replaces the one before.
  func write(beside store: String) throws {
    let path = Self.path(of: store)
    do {
      try PrivateFile.replace(path, Array(text.utf8))
    } catch {
      throw DatabaseFile.Failure("its file \(path) cannot be written: \(error.reason)")
    }
  }
}
