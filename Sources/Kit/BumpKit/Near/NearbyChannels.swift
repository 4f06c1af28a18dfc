public import BumpDiscovery
public import BumpWire
public import Logging
import Synchronization

/// The channels that senders with a code announce nearby, from the creation of this object on. A sender avoids them
/// when it draws its code: if two senders share a channel, receivers try the wrong one too.
public final class NearbyChannels: Sendable {
  private final class Found: Sendable {
    let channels = Mutex<Set<Int>>([])
  }

  private let found = Found()
  private let task: Task<Void, Never>

  /// Starts to browse. Browsing ends when a code is drawn, or when this object is released.
  ///
  /// - Parameter logger: receives each channel at the level debug.
  public init(
    _ neighbours: Neighbours, of type: ServiceType = .irlBump,
    logger: Logger = Logger(label: "bump", factory: { _ in SwiftLogNoOpLogHandler() })
  ) {
    task = Task { [found] in
      // If discovery fails here, the advertisement fails too, and that failure is reported.
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

  /// The channels found so far. The records are not authenticated: anybody can announce any channel.
  public var channels: Set<Int> { found.channels.withLock(\.self) }

  /// Stops browsing at that moment, and draws a code on a channel that no sender was seen to announce. If all channels
  /// are in use, any channel may be drawn. Senders that start at the same moment do not see each other.
  ///
  /// - Parameter random: returns `count` uniform random bytes.
  public func code(
    at moment: ContinuousClock.Instant, random: (_ count: Int) -> [UInt8] = RandomBytes.system.draw
  ) async -> OneTimeCode {
    // If the task is cancelled, nobody learns the code, so an earlier moment does no harm.
    try? await Task.sleep(until: moment, clock: .continuous)
    task.cancel()
    return OneTimeCode(avoiding: channels, random: random)
  }
}
