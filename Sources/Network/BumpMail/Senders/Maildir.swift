import BumpSystem
import BumpText
import Glibc
import Synchronization

/// A directory in which each message is a file: for tests, and for a server without mail, whose operator reads the codes.
///
/// A message is written to `tmp`, and moved to `new` when it is complete and on the disk (Maildir, by D. J. Bernstein). A
/// process that is killed meanwhile leaves a file in `tmp`, which no reader looks at.
package struct Maildir: MailSender {
  /// The absolute path of the directory.
  package let path: String
  private let draw: @Sendable () -> (time: Int64, random: UInt64)

  package var name: String { "the Maildir \(path)" }

  /// Opens a Maildir, and makes what is missing of it, with mode 0700: who reads it can sign in as everybody.
  ///
  /// - Parameter draw: returns the time in seconds since 1970, and a random number, for the names of files.
  /// - Throws: `MailFailure`.
  package init(
    _ path: String,
    draw: @escaping @Sendable () -> (time: Int64, random: UInt64) = { (Int64(time(nil)), .random(in: .min ... .max)) }
  ) throws(MailFailure) {
    (self.path, self.draw) = (path, draw)
    for folder in [path] + ["tmp", "new", "cur"].map({ "\(path)/\($0)" }) {
      guard Directories.make(folder) else { throw failure("cannot be made", errno) }
      var status = stat()
      guard lstat(folder, &status) == 0 else { throw failure("cannot be used", errno) }
      guard status.st_mode & S_IFMT == S_IFDIR, [0, geteuid()].contains(status.st_uid), status.st_mode & 0o077 == 0
      else {
        throw MailFailure(
          .configuration, "\(name) can be read or changed by others, or is not a directory",
          remedy: "If it is a Maildir: \(ShellCommand.text(["chmod", "-R", "go=", path]))")
      }
    }
    guard Directories.syncAll(above: "\(path)/tmp") else { throw failure("cannot be synced", errno) }
  }

  package func send(_ message: OutgoingMessage) async throws(MailFailure) {
    try await onThread { () throws(MailFailure) in try write(message) }
  }

  private func write(_ message: OutgoingMessage) throws(MailFailure) {
    let (time, random) = draw()
    // No colon and no slash, which have a meaning in a Maildir.
    let file = "\(time).P\(getpid())R\(String(random, radix: 16)).bump"
    let (temporary, final) = ("\(path)/tmp/\(file)", "\(path)/new/\(file)")
    // Files of a Maildir have the line ends of the system.
    let bytes = message.bytes.filter { $0 != UInt8(ascii: "\r") }
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("takes no message", errno) }
    let isWritten = Self.write(bytes, to: descriptor)
    let code = errno
    close(descriptor)
    // link(2) replaces no other message, as rename(2) would.
    guard isWritten, link(temporary, final) == 0 else {
      let reason = isWritten ? errno : code
      unlink(temporary)
      throw failure("takes no message", reason)
    }
    unlink(temporary)
    guard Directories.sync("\(path)/new") || errno == EINVAL else { throw failure("cannot be synced", errno) }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return fsync(descriptor) == 0
  }

  private func failure(_ what: String, _ code: Int32) -> MailFailure {
    MailFailure(.temporary, "\(name) \(what): \(words(errno: code))")
  }
}
