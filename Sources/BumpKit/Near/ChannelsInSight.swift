public import BumpChannel
public import BumpDiscovery
import BumpWire
public import Logging
import Synchronization

/// The channels that senders with a code announce nearby, from the moment on at which this is made. A sender that draws its
/// code avoids them: where two have one channel, receivers try the wrong one too.
public final class ChannelsInSight: Sendable {
  private final class Found: Sendable {
    let channels = Mutex<Set<Int>>([])
  }

  private let found = Found()
  private let task: Task<Void, Never>

  /// Starts to look, until a code is drawn or this is released.
  ///
  /// - Parameter logger: told each channel.
  public init(
    _ neighbours: Neighbours, of type: ServiceType = .irlBump,
    logger: Logger = Logger(label: "bump", factory: { _ in SwiftLogNoOpLogHandler() })
  ) {
    task = Task { [found] in
      // Where discovery fails, the advertisement will too, and that is reported.
      do {
        for try await event in neighbours.lookAtRecords(type) {
          guard case .resolved(let sender) = event, sender.mode == .code, let channel = sender.channel else { continue }
          let isNew = found.channels.withLock { $0.insert(channel).inserted }
          if isNew { logger.debug("channel \(channel) is in use nearby") }
        }
      } catch {}
    }
  }

  deinit { task.cancel() }

  /// Those that were found so far. A stranger can announce any.
  public var channels: Set<Int> { found.channels.withLock(\.self) }

  /// Ends the look at that moment, and draws a code on a channel that was not found, while one is left. Senders that start
  /// at the same moment do not see each other.
  ///
  /// - Parameter random: returns `count` uniform random bytes.
  public func code(
    at moment: ContinuousClock.Instant, random: (_ count: Int) -> [UInt8] = RandomBytes.system.draw
  ) async -> OneTimeCode {
    // Where the task is cancelled, a code that nobody is told is as good as any.
    try? await Task.sleep(until: moment, clock: .continuous)
    task.cancel()
    return OneTimeCode(avoiding: channels, random: random)
  }
}
