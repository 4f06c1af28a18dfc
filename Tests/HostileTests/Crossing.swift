import Foundation
import Synchronization

/// A listener between a receiver and a sender: for each connection that comes, it makes one to the sender,
/// and hands both to two threads.
///
/// It takes at most `maximumConnections`: a receiver comes to one sender three times.
final class Crossing: Sendable {
  typealias Serve = @Sendable (_ number: Int, _ receiver: Socket, _ sender: Socket) -> Void
  private static let maximumConnections = 4

  let port: UInt16
  private let listener: Socket
  private let open = Mutex<[Socket]?>([])
  private let threads = DispatchGroup()

  /// Connections wait until `start`.
  init() throws {
    (listener, port) = try Socket.listening()
  }

  /// - Parameter serve: runs in a thread of its own, and may block it.
  func start(to sender: UInt16, serve: @escaping Serve) {
    thread { [self] in
      for number in 0..<Self.maximumConnections {
        guard let receiver = try? listener.accepted() else { break }
        guard let sender = try? Socket.connected(to: sender) else {
          // The sender takes no more connections, and so neither does whoever stands for it.
          receiver.close()
          continue
        }
        guard admit([receiver, sender]) else { break }
        thread { [self] in
          serve(number, receiver, sender)
          dismiss([receiver, sender])
        }
      }
      listener.end()
    }
  }

  /// Ends all connections, and waits until the last thread has gone.
  func close() async {
    listener.end()
    open.withLock { open in
      open?.forEach { $0.end() }
      open = nil
    }
    await withCheckedContinuation { continuation in
      threads.notify(queue: .global()) { continuation.resume() }
    }
    listener.close()
  }

  private func thread(_ body: @escaping @Sendable () -> Void) {
    threads.enter()
    Thread.detachNewThread { [threads] in
      body()
      threads.leave()
    }
  }

  /// Whether it is still open; a pair that comes later is closed.
  private func admit(_ pair: [Socket]) -> Bool {
    let isOpen = open.withLock { open in
      open?.append(contentsOf: pair)
      return open != nil
    }
    if !isOpen { pair.forEach { $0.close() } }
    return isOpen
  }

  /// Under the lock: a descriptor that is closed may be another's the moment after.
  private func dismiss(_ pair: [Socket]) {
    open.withLock { open in
      open?.removeAll { socket in pair.contains { $0.descriptor == socket.descriptor } }
      pair.forEach { $0.close() }
    }
  }
}
