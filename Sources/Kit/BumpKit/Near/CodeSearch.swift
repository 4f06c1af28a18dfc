public import BumpClaims
public import BumpDiscovery
import BumpSession
public import BumpWire
public import Logging

/// Draws a code on a channel that no sender announces nearby: if two senders share a channel, receivers try the wrong one
/// too.
///
/// It draws a code, browses the subtype of its channel for a moment, and draws another code if a sender is found. So a
/// draw among many senders costs each of them at most a few queries. Nothing is authenticated: anybody can announce any
/// channel. Senders that start at the same moment do not see each other.
public final class CodeSearch: Sendable {
  /// The most codes that are drawn. The last one is taken whether or not its channel is in use.
  static let maximumDraws = 16
  /// How long each channel is browsed. A sender on the link answers within it.
  public static let timeToLook: Duration = .milliseconds(15)

  private let task: Task<OneTimeCode, Never>

  /// Starts to browse. Browsing ends when a channel is free, or when this object is released.
  ///
  /// - Parameters:
  ///   - discovery: the service that finds senders. An avahi-daemon lists senders only after 16 ms, so a stack in this
  ///     process finds more of them in time.
  ///   - type: the DNS-SD type of the senders.
  ///   - clock: the clock for `timeToLook`.
  ///   - random: returns `count` uniform random bytes.
  ///   - logger: receives each channel that is in use, at the level debug.
  public init(
    _ discovery: any Discovery, of type: ServiceType = .irlBump, clock: any Clock<Duration> = ContinuousClock(),
    random: @escaping @Sendable (_ count: Int) -> [UInt8] = RandomBytes.system.draw,
    logger: Logger = Logger(label: "bump", factory: { _ in SwiftLogNoOpLogHandler() })
  ) {
    task = Task {
      var taken: Set<Int> = []
      // All browses run until the end: a stack in this process that has none closes its sockets.
      var browses: [Task<Void, Never>] = []
      defer { for browse in browses { browse.cancel() } }
      while true {
        let code = OneTimeCode(avoiding: taken, random: random)
        guard taken.count + 1 < Self.maximumDraws else { return code }
        let (answers, tell) = AsyncStream.makeStream(of: Bool.self)
        browses.append(
          Task {
            // If discovery fails here, the advertisement fails too, and that failure is reported.
            do {
              for try await case .found in discovery.browse(type, subtype: .ofChannel(code.channel)) {
                tell.yield(true)
              }
            } catch {}
            tell.yield(false)
          })
        let timer = Task {
          try? await clock.sleep(for: Self.timeToLook)
          tell.yield(false)
        }
        defer { timer.cancel() }
        // If this task is cancelled, nobody learns the code.
        guard await answers.first(where: { _ in true }) == true else { return code }
        logger.debug("channel \(code.channel) is in use nearby")
        taken.insert(code.channel)
      }
    }
  }

  deinit { task.cancel() }

  /// The code, once its channel was browsed.
  public var code: OneTimeCode { get async { await task.value } }
}
