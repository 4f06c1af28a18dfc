import Foundation
import Synchronization

/// A listener between a receiver and a sender: for each connection that comes, it makes one to the sender,
/// and hands both to two threads.
///
/// At most `maximumConnections` are made. A receiver that comes once more, or whose sender takes no more connections, gets no
/// answer: after three such sessions it gives the sender up, while one that is turned away comes again and again.
final class ConnectionRelay: Sendable {
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
      var number = 0
      while let receiver = try? listener.accepted() {
        let way = number < Self.maximumConnections ? (try? Socket.connected(to: sender)) : nil
        let sockets = [receiver, way].compactMap(\.self)
        guard admit(sockets) else { break }
        thread { [self, number] in
          if let way { serve(number, receiver, way) } else { receiver.readToEnd() }
          dismiss(sockets)
        }
        number += 1
      }
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

  /// Whether it is still open; sockets that come later are closed.
  private func admit(_ sockets: [Socket]) -> Bool {
    let isOpen = open.withLock { open in
      open?.append(contentsOf: sockets)
      return open != nil
    }
    if !isOpen { sockets.forEach { $0.close() } }
    return isOpen
  }

  /// Under the lock: a descriptor that is closed may be another's the moment after.
  private func dismiss(_ sockets: [Socket]) {
    open.withLock { open in
      open?.removeAll { socket in sockets.contains { $0.descriptor == socket.descriptor } }
      sockets.forEach { $0.close() }
    }
  }
}
