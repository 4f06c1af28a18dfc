import Foundation
import Synchronization
import Testing

/// What ThreadSanitizer must report: without that, its silence about all other tests would say nothing.
@Suite struct UnguardedTests {
  @Test func `two threads write one number without a lock`() {
    let number = Number()
    inTwoThreads { number.value += 1 }
    #expect(number.value > 0)
  }
}

/// What it must report although each thread holds a lock in between.
@Suite struct BesideALockTests {
  @Test func `two threads write one number, beside the one that a Mutex guards`() {
    let guarded = Mutex(0)
    let beside = Number()
    inTwoThreads {
      guarded.withLock { $0 += 1 }
      beside.value += 1
    }
    #expect(beside.value > 0)
  }
}

/// What it must not report.
@Suite struct LockTests {
  @Test func `two threads write one number that a Mutex guards`() {
    let number = Mutex(0)
    inTwoThreads { number.withLock { $0 += 1 } }
    #expect(number.withLock(\.self) == 2 * repetitions)
  }
}

private final class Number: @unchecked Sendable {
  var value = 0
}

/// So many that each thread waits for the other's lock at some time.
private let repetitions = 200_000

private func inTwoThreads(_ body: @escaping @Sendable () -> Void) {
  let ended = DispatchSemaphore(value: 0)
  for _ in 0..<2 {
    Thread.detachNewThread {
      for _ in 0..<repetitions { body() }
      ended.signal()
    }
  }
  for _ in 0..<2 { ended.wait() }
}
