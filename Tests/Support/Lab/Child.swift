import CLab
import CSystemCalls
import Foundation
import Glibc

/// A child process, made and awaited by a thread of its own.
///
/// The thread is for more than waiting: `setpriv --pdeathsig` has the kernel kill the child when the thread
/// that made it ends, so whatever becomes of the test run, no child outlives it.
enum Child {
  /// How a child ended: its exit status, or minus the number of the signal that killed it.
  typealias Ending = (status: Int32, at: ContinuousClock.Instant)

  /// - Parameters:
  ///   - reap: called once the child has ended. Until it calls its argument, which tells how, the process id still belongs
  ///     to the child and may be signalled.
  static func make(
    _ command: [String], environment: [String: String], descriptors: Descriptors,
    reap: @escaping @Sendable (() -> Ending) -> Void
  ) async throws -> (pid: pid_t, at: ContinuousClock.Instant) {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        do {
          let start = ContinuousClock.now
          let pid = try spawn(command, environment: environment, streams: descriptors.child)
          descriptors.closeChildEnds()
          continuation.resume(returning: (pid, start))
          let end = waitForEnd(of: pid)
          reap { (collect(pid), end) }
        } catch {
          descriptors.closeChildEnds()
          continuation.resume(throwing: error)
        }
      }
    }
  }

  private static func spawn(_ command: [String], environment: [String: String], streams: [Int32]) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in streams.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
    }
    // SwiftNIO's sockets stay open in children: one of a thousand connections would keep each of them.
    bump_process_close_from(&actions, Int32(streams.count))

    // A thread of Dispatch blocks signals, a shell's background job ignores SIGINT, and a child inherits both.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, usual) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&usual)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&usual, signal) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    let arguments = (["setpriv", "--pdeathsig", "KILL", "--"] + command).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (arguments + variables).forEach { free($0) } }
    var pid: pid_t = 0
    let code = posix_spawnp(&pid, "setpriv", &actions, &attributes, arguments, variables)
    guard code == 0 else { throw SystemError("cannot start \(command)", code) }
    return pid
  }

  /// Waits, but leaves the zombie: as long as it is there, its process id belongs to nobody else.
  private static func waitForEnd(of pid: pid_t) -> ContinuousClock.Instant {
    var information = siginfo_t()
    while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
    return .now
  }

  private static func collect(_ pid: pid_t) -> Int32 {
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : -signal
  }
}
