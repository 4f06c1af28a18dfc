import BumpSystem
import Dispatch
import Synchronization

/// The thread on which the servers within this process carry out requests: the tasks that prefer it.
final class ServersThread: TaskExecutor {
  static let shared = ServersThread()

  private let waiting = Mutex<[UnownedJob]>([])
  private let count = DispatchSemaphore(value: 0)

  private init() {
    startThread {
      while true {
        self.count.wait()
        let job = self.waiting.withLock { $0.removeFirst() }
        job.runSynchronously(on: self.asUnownedTaskExecutor())
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    waiting.withLock { $0.append(job) }
    count.signal()
  }
}
