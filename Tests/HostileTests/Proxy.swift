import BumpFaults
import BumpWire
import Foundation
import Synchronization

/// Somebody on the cable: it cuts both directions into frames, and a plan decides what becomes of each.
final class Proxy: Sendable {
  /// All that came, and all that went on.
  struct Transcript: Sendable {
    var came: [InterceptedFrame] = []
    var went: [InterceptedFrame] = []

    /// Whether ACCEPT, as the receiver wrote it, went on to the sender.
    func acceptWent(in kind: SessionKind) -> Bool {
      went.contains { frame in
        frame.place == .accept(in: kind) && frame.type == .sealed
          && came.contains { $0.connection == frame.connection && $0.bytes == frame.bytes }
      }
    }
  }

  typealias Decide = @Sendable (InterceptedFrame) -> Fate

  private let connectionRelay: ConnectionRelay
  private let record = Record()

  var port: UInt16 { connectionRelay.port }
  var transcript: Transcript { record.transcript.withLock { $0 } }

  /// Connections wait until `start`.
  init() throws {
    connectionRelay = try ConnectionRelay()
  }

  /// - Parameters:
  ///   - earlier: what went on in a session that is over, to be replayed.
  ///   - decide: called in the thread of the frame's connection and direction, which it may block.
  func start(
    to sender: UInt16, under plan: FaultPlan = .none, earlier: [InterceptedFrame] = [],
    decide: @escaping Decide = { _ in .forward }
  ) {
    connectionRelay.start(to: sender) { [record] number, receiver, sender in
      func flow(_ direction: Direction) -> FaultyFlow {
        FaultyFlow(
          plan, .init(number: number + 1), isFromOpener: direction == .fromReceiver,
          earlier: earlier.filter { $0.direction == direction }.map(\.bytes))
      }
      // Two threads: this one and another, which is awaited.
      let back = DispatchGroup()
      back.enter()
      let (there, here) = (flow(.fromSender), flow(.fromReceiver))
      Thread.detachNewThread {
        Pump(number, .fromSender, from: sender, to: receiver, there, record).run(decide)
        back.leave()
      }
      Pump(number, .fromReceiver, from: receiver, to: sender, here, record).run(decide)
      back.wait()
    }
  }

  func close() async { await connectionRelay.close() }
}

/// What a proxy has seen.
final class Record: Sendable {
  let transcript = Mutex(Proxy.Transcript())

  func came(_ frame: InterceptedFrame) { transcript.withLock { $0.came.append(frame) } }
  func went(_ frame: InterceptedFrame) { transcript.withLock { $0.went.append(frame) } }
}
