import Foundation
import Glibc
import Lab

/// A small disk of its own that can be full: a tmpfs in a mount namespace, which lives as long as its first process.
struct Disk: Sendable {
  private let keeper: RunningProcess
  private let directory: String

  /// Needs root.
  ///
  /// - Parameter directory: where it is mounted, for who enters the namespace alone.
  static func mounted(at directory: String) async throws -> Disk {
    let script = "mount -t tmpfs -o size=256k,mode=700 tmpfs '\(directory)' && echo mounted && exec cat"
    let keeper = try await RunningProcess.start(["unshare", "--mount", "sh", "-c", script])
    try await keeper.line { $0 == "mounted" }
    return Disk(keeper: keeper, directory: directory)
  }

  /// The user, on this disk.
  func on(_ user: BumpUser) -> BumpUser {
    var user = user
    user.prefix = ["nsenter", "--target", String(keeper.processID), "--mount", "--"]
    return user
  }

  private var root: String { "/proc/\(keeper.processID)/root\(directory)" }
  private var junk: String { "\(root)/junk" }
  /// What can be made read-only: the directory, and in it what a store consists of.
  private var places: [String] { ["", "/bump.sqlite", "/bump.sqlite-journal"].map { root + $0 } }

  /// Writes until nothing more can be written. Blocks, for microseconds.
  ///
  /// - Parameter sparing: whether the store keeps the room that its journal has. Without it, a journal has to be made
  ///   anew, as after a `sqlite3` by hand.
  func fill(sparing: Bool) {
    if !sparing { unlink(places[2]) }
    // Close-on-exec: a child that is started meanwhile would keep the file, and the disk full.
    let file = open(junk, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    let page = [UInt8](repeating: 0, count: 4096)
    while write(file, page, page.count) == page.count {}
    close(file)
  }

  /// Lets nothing be made on it any more, and nothing be opened to be written, a journal least of all; but what is open
  /// be written: a disk cannot become read-only under an open file. (The flag of chattr(1); Linux has it on a tmpfs
  /// since 6.0.)
  ///
  /// - Throws: `CannotForbid`, on an older kernel.
  func forbid() throws { try setImmutable(true) }

  /// Ends what `fill` and `forbid` did.
  func mend() {
    try? setImmutable(false)
    unlink(junk)
  }

  private func setImmutable(_ isImmutable: Bool) throws {
    for place in places {
      let descriptor = open(place, O_RDONLY | O_CLOEXEC)
      // A store need not be there yet.
      if descriptor < 0, place != root { continue }
      defer { close(descriptor) }
      // ioctl_iflags(2): FS_IOC_SETFLAGS with FS_IMMUTABLE_FL.
      var flags: Int = isImmutable ? 0x10 : 0
      let done = ioctl(descriptor, 0x4008_6602, &flags)
      guard done == 0 else { throw CannotForbid(errno: errno) }
    }
  }

  struct CannotForbid: Error { let errno: Int32 }

  func unmount() async throws {
    keeper.closeInput()
    _ = try await keeper.finish()
  }
}
