/// Messages that wait for their sender: a bounded number, in memory alone.
///
/// A server that takes messages slowly, or none, delays nobody who asks for a code, and fills no memory. A message that
/// is lost with the process, or finds no room, is a code that somebody asks for again.
package final class MailQueue: Sendable {
  private let sender: any MailSender
  private let workers: Int
  private let delays: [Duration]
  private let clock: any Clock<Duration>
  private let report: @Sendable (MailFailure) -> Void
  private let messages: AsyncStream<OutgoingMessage>
  private let entrance: AsyncStream<OutgoingMessage>.Continuation

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
    (self.sender, self.workers, self.delays) = (sender, workers, delays)
    (self.clock, self.report) = (clock, report)
    (messages, entrance) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(capacity))
  }

  /// The way of the messages, for a person.
  package var name: String { sender.name }

  /// Adds a message. Returns at once.
  ///
  /// - Returns: whether there was room.
  @discardableResult package func add(_ message: OutgoingMessage) -> Bool {
    guard case .enqueued = entrance.yield(message) else {
      report(MailFailure(.temporary, "too many messages wait for \(sender.name): one was dropped"))
      return false
    }
    return true
  }

  /// Sends messages until the task is cancelled; those that are being sent then are sent to their end. Call it once.
  package func run() async {
    await withTaskGroup(of: Void.self) { group in
      var count = 0
      for await message in messages {
        if count == workers {
          await group.next()
          count -= 1
        }
        group.addTask { await self.send(message) }
        count += 1
      }
      group.cancelAll()
    }
  }

  private func send(_ message: OutgoingMessage) async {
    for delay in delays.map(Optional.some) + [nil] {
      do {
        return try await sender.send(message)
      } catch {
        report(error)
        guard let delay, error.kind == .temporary || error.kind == .unknown else { return }
        guard (try? await clock.sleep(for: delay)) != nil else { return }
      }
    }
  }
}
