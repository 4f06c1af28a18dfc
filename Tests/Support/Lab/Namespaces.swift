import CLab
import Foundation
import Glibc

/// Runs the body on a thread of its own, in the mount namespace of a process: the paths that it opens are those there.
///
/// Needs root.
///
/// - Throws: `CannotEnter` where the namespace cannot be entered, and whatever the body throws.
public func inMounts<Value: Sendable>(
  of process: Int32, _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await onThread(entering: { lab_enter_mounts(process) }, body)
}

/// Runs the body on a thread of its own, in the network namespace of a host: the sockets that it makes are that host's.
///
/// - Throws: `CannotEnter` where the namespace cannot be entered, and whatever the body throws.
public func inNetwork<Value: Sendable>(
  of host: Host, _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await onThread(entering: { lab_enter_network(host.processID) }, body)
}

private func onThread<Value: Sendable>(
  entering enter: @escaping @Sendable () -> Int32, _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      guard enter() == 0 else { return continuation.resume(throwing: CannotEnter(errno: errno)) }
      continuation.resume(with: Result { try body() })
    }
  }
}

/// Has every rename(2) of the calling thread fail with an error number, for good.
///
/// - Returns: whether that is so from now on.
public func refuseRenames(with code: Int32) -> Bool { lab_refuse_rename(code) == 0 }

/// A namespace that cannot be entered.
public struct CannotEnter: Error {
  public let errno: Int32
}
