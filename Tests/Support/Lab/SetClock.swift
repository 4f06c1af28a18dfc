import Foundation

/// The environment of a process whose time of day is ahead of the machine's, or behind it where `minutes` is negative, by
/// Debian's libfaketime. Its monotonic clock, that since the boot and the times of files are the machine's.
///
/// - Throws: `OutputEnded` where the library is not installed.
public func setClock(by minutes: Int) throws -> [String: String] {
  let folders = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib")
  let libraries = folders.map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }
  guard let library = libraries.first(where: FileManager.default.fileExists) else {
    throw OutputEnded(description: "libfaketime is not installed")
  }
  return [
    "LD_PRELOAD": library, "FAKETIME": "\(minutes < 0 ? "" : "+")\(minutes)m", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    "FAKETIME_SHARED": try SharedObjects.made.get().names,
    // With their times in its hands, it takes the semaphore at each look at a file, and a process that is killed then
    // stops all others.
    "NO_FAKE_STAT": "1",
  ]
}

/// The semaphore and the memory that libfaketime's processes share, for all processes of this one, until it exits. Where it is
/// killed, Tests/run_tests.py removes them.
///
/// Without them a preloaded process makes its own: it sets a variable for that, upon which Swift's runtime, which looks
/// for the arguments beside the environment on the stack, finds none. And one that is killed leaves them behind.
private struct SharedObjects {
  static let made = Result { try Self() }

  let names: String

  private init() throws {
    let name = "bump_clock_\(getpid())"
    names = "/\(name) /\(name)"
    // As sem_open(3), which Swift cannot call, makes one.
    var semaphore = sem_t()
    sem_init(&semaphore, 1, 1)
    try withUnsafeBytes(of: semaphore) { try Data($0).write(to: Self.folder.appending(path: "sem.\(name)")) }
    try Data(count: Int(getpagesize())).write(to: Self.folder.appending(path: name))
    atexit {
      for name in ["sem.bump_clock_\(getpid())", "bump_clock_\(getpid())"] {
        try? FileManager.default.removeItem(at: SharedObjects.folder.appending(path: name))
      }
    }
  }

  private static let folder = URL(filePath: "/dev/shm")
}
