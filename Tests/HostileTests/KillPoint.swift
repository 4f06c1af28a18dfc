import Glibc
import Lab

/// kill -9 of a process just before it makes a call to the kernel.
///
/// The process runs under strace(1), which counts the calls of each thread by itself.
struct KillPoint: Sendable, CustomStringConvertible {
  /// The calls by which a file is made and gets its name, as regular expressions: architectures differ in their names.
  enum Call: String, CaseIterable, Sendable {
    case open = "^openat$"
    case write = "^write$"
    case sync = "^fsync$"
    case link = "^link"
    case rename = "^rename"
    case unlink = "^unlink"
  }

  let call: Call
  /// The first such call of a thread is 1.
  let number: Int
  /// The directory of the file, and the file where its name is known: what is opened and written elsewhere does not count.
  let paths: [String]

  /// What stands before the command.
  var prefix: [String] {
    ["strace", "-f", "-qqq", "-o", "/dev/null", "-e", "trace=/\(call.rawValue)"]
      + ([.open, .write].contains(call) ? paths.flatMap { ["-P", $0] } : [])
      + ["-e", "inject=/\(call.rawValue):signal=KILL:when=\(number)"]
  }

  var description: String { "killed before call \(number) of \(call)" }

  /// Has a process struck before each of its calls, one process a call, until one ends by itself.
  ///
  /// - Parameter run: runs the process, and returns it finished.
  static func each(at paths: [String], _ run: (KillPoint) async throws -> ProcessResult) async throws {
    for call in Call.allCases {
      for number in 1... {
        let killPoint = KillPoint(call: call, number: number, paths: paths)
        let finished = try await run(killPoint)
        if finished.status == 0 { break }
        guard finished.status == -SIGKILL else { throw CommandFailed(finished: finished) }
      }
    }
  }
}
