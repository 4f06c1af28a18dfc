import Foundation
import Lab

/// A memory stick with exFAT, which has neither hard links nor modes of its own, in a mount namespace.
struct ExFATVolume: Sendable {
  private let keeper: RunningProcess
  private let place: String

  /// Where it is mounted, for a thread that `inside` runs.
  var directory: String { "\(place)/here" }

  /// What stands before a command that sees the volume.
  var prefix: [String] { ["nsenter", "--target", String(keeper.processID), "--mount", "--"] }

  /// Needs root, and what Tests/run.sh installs.
  ///
  /// - Parameters:
  ///   - mask: the rights that no file on it has, in octal.
  ///   - place: an empty directory, for the image and the place where it is mounted.
  static func mounted(mask: String, in place: String) async throws -> ExFATVolume {
    // By FUSE, since not every kernel has exFAT. The loop device goes when it is unmounted.
    let script = """
      set -e; mount -t devtmpfs devtmpfs /dev 2>/dev/null || true
      cd '\(place)'; mkdir here; truncate -s 8M image; mkfs.exfat image >/dev/null
      loop=$(losetup --find --show image)
      mount.exfat-fuse -d -o umask=\(mask) "$loop" here >/dev/null 2>&1 &
      until mountpoint -q here; do kill -0 $!; sleep 0.02; done
      losetup --detach "$loop"; echo mounted
      cat >/dev/null; umount here; wait
      """
    let keeper = try await RunningProcess.start(
      ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script])
    try await keeper.line { $0 == "mounted" }
    return ExFATVolume(keeper: keeper, place: place)
  }

  /// Runs the body on a thread that sees the volume.
  func inside<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await inMounts(of: keeper.processID, body)
  }

  /// The names of all that is on it.
  func names() async throws -> [String] {
    try await inside { [directory] in try FileManager.default.contentsOfDirectory(atPath: directory) }
  }

  func unmount() async throws {
    keeper.closeInput()
    let finished = try await keeper.finish()
    guard finished.status == 0 else { throw CommandFailed(finished: finished) }
  }
}

/// A volume that goes when the body is done.
func withExFATVolume(mask: String, _ body: (ExFATVolume) async throws -> Void) async throws {
  let place = FileManager.default.temporaryDirectory.appending(path: "bump-stick-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: place) }
  let volume = try await ExFATVolume.mounted(mask: mask, in: place)
  do {
    try await body(volume)
  } catch {
    try? await volume.unmount()
    throw error
  }
  try await volume.unmount()
}
