import BumpSQLite
import CSystemCalls
import Crypto
import FoundationEssentials
import Glibc

/// Distinguishes the file of a vault's store from a copy of it.
enum VaultFile {
  /// Returns the SHA-256 (32 bytes) of the machine's id, and the inode's number and time of birth.
  static func fingerprint(of path: String) throws -> [UInt8] {
    var inode = bump_inode()
    guard bump_inode(path, &inode) == 0 else { throw DatabaseFile.Failure(errno: errno) }
    var hash = SHA256()
    hash.update(data: (try? Data(contentsOf: URL(filePath: "/etc/machine-id"))) ?? Data())
    withUnsafeBytes(of: inode.number) { hash.update(bufferPointer: $0) }
    withUnsafeBytes(of: inode.seconds) { hash.update(bufferPointer: $0) }
    withUnsafeBytes(of: inode.nanoseconds) { hash.update(bufferPointer: $0) }
    return Array(hash.finalize())
  }
  /// Returns whether a store lies on a read-only mount and has no log, so that nothing changes while it is read.
  ///
  /// - Throws: `DatabaseFile.Failure` if there is a log, which cannot be read there.
  static func isUnchangeable(_ path: String) throws -> Bool {
    var mount = statvfs()
    guard statvfs(path, &mount) == 0 else { throw DatabaseFile.Failure(errno: errno) }
    guard mount.f_flag & UInt(ST_RDONLY) != 0 else { return false }
    if hasLog(path) {
      throw DatabaseFile.Failure(
        "its log \(log(of: path)) cannot be read from a read-only file system",
        remedy: "Copy both to a directory in which files can be made")
    }
    return true
  }

  /// Returns the path of a store's write-ahead log.
  static func log(of path: String) -> String { path + "-wal" }

  /// Returns whether there is something in the log beside a store.
  static func hasLog(_ path: String) -> Bool {
    var status = stat()
    return stat(log(of: path), &status) == 0 && status.st_size > 0
  }

  /// Returns a path by which SQLite takes no locks and makes no files (sqlite.org/uri.html).
  static func immutable(_ path: String) -> String {
    let escaped = ["%": "%25", "?": "%3f", "#": "%23"]
    return "file:" + path.map { escaped[String($0)] ?? String($0) }.joined() + "?immutable=1"
  }
}
