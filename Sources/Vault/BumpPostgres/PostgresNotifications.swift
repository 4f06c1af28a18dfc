/// The notifications of channels (LISTEN and NOTIFY), without end.
///
/// Each iterator has a connection of its own, and reconnects when it ends. Notifications sent in between are lost:
/// after each `subscribed`, read the state that the notifications are about.
public struct PostgresNotifications: AsyncSequence, Sendable {
  /// The beginning of a subscription, or a notification.
  public enum Element: Hashable, Sendable {
    /// The subscription begins, for the first time or after a reconnect. Earlier notifications may be lost.
    case subscribed
    /// A transaction with NOTIFY was committed. The payload is empty if NOTIFY had none.
    case notification(channel: String, payload: String)
  }

  let configuration: PostgresConfiguration
  let channels: [String]
  let clock: any Clock<Duration>
  let chance: @Sendable () -> UInt64
  let report: @Sendable (PostgresError) -> Void

  /// - Parameters:
  ///   - clock: the clock for the delays before reconnecting.
  ///   - chance: draws a random number, for these delays.
  ///   - report: receives the errors that lead to a reconnect.
  public init(
    _ configuration: PostgresConfiguration, channels: [String], clock: any Clock<Duration> = ContinuousClock(),
    chance: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) },
    report: @escaping @Sendable (PostgresError) -> Void = { _ in }
  ) {
    self.configuration = configuration
    self.channels = channels
    self.clock = clock
    self.chance = chance
    self.report = report
  }

  public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

  /// Reads only on demand: a slow reader fills the server's queue, not the memory of this process.
  public struct Iterator: AsyncIteratorProtocol {
    private static let backoff = Backoff(first: .milliseconds(100), longest: .seconds(10))

    let sequence: PostgresNotifications
    private var connection: PostgresConnection?
    private var hasBegun = false
    private var failures = 0

    init(sequence: PostgresNotifications) {
      self.sequence = sequence
    }

    /// - Returns: `nil` if the task is cancelled.
    /// - Throws: `PostgresError` if the first connection fails. Reconnecting is tried without end.
    public mutating func next() async throws -> Element? {
      do {
        while true {
          if let connection {
            if let next = try await notification(of: connection) { return next }
          } else if let first = try await subscription() {
            return first
          }
        }
      } catch is CancellationError {
        connection = nil
        return nil
      }
    }

    /// - Returns: `nil` if the connection has ended.
    private mutating func notification(of connection: PostgresConnection) async throws -> Element? {
      do {
        guard let (channel, payload) = try await connection.nextNotification() else { throw CancellationError() }
        return .notification(channel: channel, payload: payload)
      } catch let error as PostgresError {
        self.connection = nil
        sequence.report(error)
        return nil
      }
    }

    /// - Returns: `nil` if reconnecting failed, after the delay before the next try.
    private mutating func subscription() async throws -> Element? {
      do {
        let connection = try await PostgresConnection.open(sequence.configuration)
        for channel in sequence.channels { try await connection.listen(to: channel) }
        self.connection = connection
        (hasBegun, failures) = (true, 0)
        return .subscribed
      } catch let error as PostgresError where hasBegun {
        sequence.report(error)
        try await sequence.clock.sleep(for: Self.backoff.delay(after: failures, sequence.chance()))
        failures += 1
        return nil
      }
    }
  }
}
