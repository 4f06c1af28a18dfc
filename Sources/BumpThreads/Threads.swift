import Dispatch
import Glibc

/// Runs a function that blocks, on a new thread, and returns what it returns.
///
/// Swift's own pool and Dispatch's global queues have about as many threads as the machine has cores, and Dispatch adds one a
/// second at most, and none while the others compute. A few functions that block there keep all else from running,
/// a Ctrl-C and a database among it.
package func onThread<Result: Sendable, Failure: Error>(
  _ body: @escaping @Sendable () throws(Failure) -> Result
) async throws(Failure) -> Result {
  let result = await withCheckedContinuation { continuation in
    startThread { continuation.resume(returning: Swift.Result(catching: body)) }
  }
  return try result.get()
}

/// Runs a function that blocks, on a new thread. Signals are left to the threads that are there: on the new one all of them
/// are blocked.
package func startThread(_ body: @escaping @Sendable () -> Void) {
  var (all, before) = (sigset_t(), sigset_t())
  sigfillset(&all)
  pthread_sigmask(SIG_SETMASK, &all, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

  let held = Unmanaged.passRetained(Body(body))
  var thread: pthread_t = 0
  let code = pthread_create(
    &thread, nil,
    { argument in
      argument.map { Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run() }
      return nil
    }, held.toOpaque())
  if code == 0 {
    pthread_detach(thread)
  } else {
    // No further thread is to be had now (EAGAIN). Dispatch waits for one.
    held.release()
    DispatchQueue.global().async(execute: body)
  }
}

private final class Body: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
