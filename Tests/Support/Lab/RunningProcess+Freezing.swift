import Foundation
import Glibc

extension RunningProcess {
  /// Stops it, and returns when every thread of it has stopped: the signal alone is only a request, and on a busy
  /// machine the process may run on for a while. `signal(SIGCONT)` lets it go on.
  public func freeze() async {
    signal(SIGSTOP)
    await withCheckedContinuation { continuation in
      // It blocks, so not on a thread of Swift's own pool.
      Thread.detachNewThread { [processID] in
        var information = siginfo_t()
        waitid(P_PID, id_t(processID), &information, WSTOPPED)
        continuation.resume()
      }
    }
  }
}
