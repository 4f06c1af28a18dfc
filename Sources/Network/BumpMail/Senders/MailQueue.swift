import Synchronization

/// Messages that wait for their sender: a bounded number, in memory alone.
///
/// A server that takes messages slowly, or none, delays nobody who asks for a code, and fills no memory. A recipient whom
/// it puts off holds up no other: anybody can name one. A message that is lost with the process, or finds no room, is a
/// code that somebody asks for again.
package final class MailQueue: Sendable {
  private struct Entry: Sendable {
    let message: OutgoingMessage
    let isWanted: @Sendable () -> Bool
    /// The delays before further tries.
    var delays: ArraySlice<Duration>
  }

  private enum Event: Sendable {
    /// A message is to be sent.
    case due(Entry)
    /// A try has ended, whatever came of it.
    case ended
  }

  private let sender: any MailSender
  private let capacity: Int
  private let workers: Int
  private let delays: [Duration]
  private let clock: any Clock<Duration>
  private let report: @Sendable (MailFailure) -> Void
  /// The number of messages that wait, for the first try or another.
  private let waiting = Mutex(0)
  private let events: AsyncStream<Event>
  private let entrance: AsyncStream<Event>.Continuation

  /// - Parameters:
  ///   - capacity: how many messages may wait.
  ///   - workers: how many are sent at once.
  ///   - delays: the delays before a message is tried again. There is one try more than delays.
  ///   - clock: the clock for them.
  ///   - report: receives failures, for the operator.
  package init(
    _ sender: any MailSender, capacity: Int = 1000, workers: Int = 4,
    delays: [Duration] = [.seconds(2), .seconds(10), .seconds(30)], clock: any Clock<Duration> = ContinuousClock(),
    report: @escaping @Sendable (MailFailure) -> Void = { _ in }
  ) {
    precondition(capacity > 0 && workers > 0, "a queue has room and a worker")
    (self.sender, self.capacity, self.workers, self.delays) = (sender, capacity, workers, delays)
    (self.clock, self.report) = (clock, report)
    (events, entrance) = AsyncStream.makeStream()
  }

  /// The way of the messages, for a person.
  package var name: String { sender.name }

  /// Adds a message. Returns at once.
  ///
  /// - Parameter isWanted: whether the message is still of use. It is asked before each try.
  /// - Returns: whether there was room.
  @discardableResult package func add(
    _ message: OutgoingMessage, while isWanted: @escaping @Sendable () -> Bool = { true }
  ) -> Bool {
    let hasRoom = waiting.withLock { waiting in
      guard waiting < capacity else { return false }
      waiting += 1
      return true
    }
    guard hasRoom else {
      report(MailFailure(.temporary, "too many messages wait for \(sender.name): one was dropped"))
      return false
    }
    entrance.yield(.due(Entry(message: message, isWanted: isWanted, delays: delays[...])))
    return true
  }

  /// Sends messages until the task is cancelled. Those that are being sent then have the sender's farewell, and no other
  /// is begun. Call it once.
  package func run() async {
    await withDiscardingTaskGroup { group in
      var (due, places) = ([Entry](), workers)
      for await event in events {
        // What was added before is read even then.
        guard !Task.isCancelled else { break }
        switch event {
        case .due(let entry): due.append(entry)
        case .ended: places += 1
        }
        while places > 0, !due.isEmpty {
          let entry = due.removeFirst()
          waiting.withLock { $0 -= 1 }
          places -= 1
          group.addTask { await self.send(entry) }
        }
      }
      group.cancelAll()
    }
  }

  /// Tries to send a message, leaves the place to another one, and lets the message wait where another try can help.
  private func send(_ entry: Entry) async {
    let failure = await failure(of: entry)
    entrance.yield(.ended)
    guard let failure else { return }
    report(failure)
    guard let delay = entry.delays.first, failure.kind == .temporary || failure.kind == .unknown else { return }
    waiting.withLock { $0 += 1 }
    guard (try? await clock.sleep(for: delay)) != nil else { return }
    var later = entry
    later.delays.removeFirst()
    entrance.yield(.due(later))
  }

  private func failure(of entry: Entry) async -> MailFailure? {
    guard entry.isWanted() else {
      return MailFailure(.permanent, "\(sender.name) could not take a message before its code expired")
    }
    do {
      try await sender.send(entry.message)
      return nil
    } catch {
      return error
    }
  }
}
