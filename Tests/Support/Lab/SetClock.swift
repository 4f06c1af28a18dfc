import Foundation

/// The environment of a process whose time of day is ahead of the machine's, or behind it where `minutes` is negative, by
/// Debian's libfaketime. Its monotonic clock and that since the boot are the machine's. It leaves two small files in /dev/shm, of the process that is preloaded first.
///
/// - Throws: `NeverSaid` where the library is not installed.
public func setClock(by minutes: Int) throws -> [String: String] {
  let folders = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib")
  let libraries = folders.map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }
  guard let library = libraries.first(where: FileManager.default.fileExists) else {
    throw NeverSaid(description: "libfaketime is not installed")
  }
  return [
    "LD_PRELOAD": library, "FAKETIME": "\(minutes < 0 ? "" : "+")\(minutes)m", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
  ]
}
