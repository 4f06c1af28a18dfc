import Foundation
import Glibc
import Lab
import Measures

/// A drive whose power can be cut: what is not flushed is lost.
///
/// A loop device lies on a file of nbdfuse's, and below it nbdkit holds every write in a cache of its own until the
/// device is flushed; only then does the image get it. The image is thus what a drive with a volatile cache holds on to
/// at the least. This cannot see a file system that relies on the order of unflushed writes, or what a drive does that
/// keeps some of them, or tears one: the image is copied between flushes, or within one, and journals allow for that.
/// No file system writes back by itself meanwhile: its own interval is longer than a test.
struct Drive: Sendable {
  enum FileSystem: String, CaseIterable, Sendable {
    case ext4, xfs

    /// Those of the measure that runs.
    static let measured = Measure.isThorough ? allCases : [.ext4]

    var making: String { self == .ext4 ? "mkfs.ext4 -q -F" : "mkfs.xfs -q" }
    /// xfs has no such option; its log is written every 30 s.
    var options: String { self == .ext4 ? "loop,commit=300" : "loop" }
    /// A copy has the identity of the first.
    var optionsOfCopy: String { self == .ext4 ? "loop" : "loop,nouuid" }
  }

  let fileSystem: FileSystem
  private let keeper: RunningProcess
  private let directory: String

  /// Needs root, and what Tests/run.sh installs.
  ///
  /// - Parameter directory: an empty one, for the image and the places where it is mounted.
  static func mounted(_ fileSystem: FileSystem, in directory: String) async throws -> Drive {
    // The /dev of a container lacks loop devices that are made later; not every kernel makes them. xfs is 300 MB at the
    // least; the file has holes. nbdfuse says nowhere that it is ready but by its file's size.
    let script = """
      set -e; mount -t devtmpfs devtmpfs /dev 2>/dev/null || true
      cd '\(directory)'; mkdir nbd here cut; truncate -s 320M image
      TMPDIR='\(directory)' setpriv --pdeathsig KILL \
        nbdfuse nbd [ nbdkit --exit-with-parent --filter=cache file image cache=writeback ] &
      until [ -s nbd/nbd ]; do kill -0 $!; sleep 0.02; done
      \(fileSystem.making) nbd/nbd; mount -o \(fileSystem.options) nbd/nbd here; sync -f here; echo mounted
      cat >/dev/null; umount here; umount nbd; wait
      """
    let keeper = try await RunningProcess.start(["unshare", "--mount", "sh", "-c", script])
    try await keeper.line { $0 == "mounted" }
    return Drive(fileSystem: fileSystem, keeper: keeper, directory: directory)
  }

  private var prefix: [String] { ["nsenter", "--target", String(keeper.processID), "--mount", "--"] }

  /// A user with its store on the drive, in directories that are still to be made.
  func user(_ name: String) -> BumpUser {
    BumpUser(name: name, directory: "\(directory)/here/\(name)/share/bump", prefix: prefix, makesDirectory: true)
  }

  /// Copies what a power cut at this moment would leave. Blocks, for milliseconds.
  func cut(_ name: String) throws {
    let source = open("\(directory)/image", O_RDONLY | O_CLOEXEC)
    let copy = open("\(directory)/\(name)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    defer {
      close(source)
      close(copy)
    }
    var (offset, bytes) = (off_t(0), [UInt8](repeating: 0, count: 1 << 16))
    let size = lseek(source, 0, SEEK_END)
    guard source >= 0, copy >= 0, size > 0, ftruncate(copy, size) == 0 else { throw CannotCut(errno: errno) }
    while true {
      offset = lseek(source, offset, seekData)
      if offset < 0 { return }
      let count = pread(source, &bytes, bytes.count, offset)
      guard count > 0, pwrite(copy, bytes, count, offset) == count else { throw CannotCut(errno: errno) }
      offset += off_t(count)
    }
  }

  /// SEEK_DATA (lseek(2)): past what is a hole.
  private var seekData: Int32 { 3 }

  struct CannotCut: Error { let errno: Int32 }

  /// Mounts what was left, as at the next start, for as long as the body takes.
  func afterCut<Result>(_ name: String, _ body: (BumpUser) async throws -> Result, of user: BumpUser) async throws
    -> Result
  {
    let mounted = try await RunningProcess.start(
      prefix + ["mount", "-o", fileSystem.optionsOfCopy, "\(directory)/\(name)", "\(directory)/cut"]
    ).finish()
    guard mounted.status == 0 else { throw CommandFailed(finished: mounted) }
    var user = user
    user.directory.replace("\(directory)/here", with: "\(directory)/cut")
    let result = try await body(user)
    let unmounted = try await RunningProcess.start(prefix + ["umount", "\(directory)/cut"]).finish()
    guard unmounted.status == 0 else { throw CommandFailed(finished: unmounted) }
    return result
  }

  /// Runs the body on a thread that sees the drive.
  func inside<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await inMounts(of: keeper.processID, body)
  }

  func unmount() async throws {
    keeper.closeInput()
    let finished = try await keeper.finish()
    guard finished.status == 0 else { throw CommandFailed(finished: finished) }
  }
}

/// A drive that goes when the body is done.
func withDrive(_ fileSystem: Drive.FileSystem, _ body: (Drive) async throws -> Void) async throws {
  let directory = FileManager.default.temporaryDirectory.appending(path: "bump-drive-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: directory) }
  let drive = try await Drive.mounted(fileSystem, in: directory)
  do {
    try await body(drive)
  } catch {
    try? await drive.unmount()
    throw error
  }
  try await drive.unmount()
}
