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
}
