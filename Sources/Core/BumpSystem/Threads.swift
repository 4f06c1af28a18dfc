import Dispatch
import Glibc

/// Runs a blocking function on a new thread, and returns its result.
///
/// Swift's own pool and Dispatch's global queues have about as many threads as the machine has cores. Dispatch adds at
/// most one per second, and none while the others compute. A few functions that block there would keep everything else
/// from running, including a Ctrl-C and a database.
package func onThread<Result: Sendable, Failure: Error>(
  _ body: @escaping @Sendable () throws(Failure) -> Result
) async throws(Failure) -> Result {
  let result = await withCheckedContinuation { continuation in
    startThread { continuation.resume(returning: Swift.Result(catching: body)) }
  }
  return try result.get()
}

/// Runs a blocking function on a new thread, on which all signals are blocked: existing threads handle them.
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
    // No thread can be made now (EAGAIN). Dispatch waits until one can.
    held.release()
    DispatchQueue.global().async(execute: body)
  }
}

private final class Body: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
