public import BumpClaims
public import BumpDiscovery
import BumpSession
public import BumpWire
public import Logging

/// Draws a code on a channel that no sender announces nearby: if two senders share a channel, receivers try the wrong one
/// too.
///
/// It draws a code and browses the subtype of its channel until the code is asked for. If a sender is found, or another
/// process asks for the same channel, it draws another code. So a draw among many senders costs each of them at most a
/// few queries. Nothing is authenticated: anybody can announce any channel, or ask for it. Two senders share a channel
/// nevertheless if each of them begins after the other's code was asked for, and before that one is announced.
public final class CodeSearch: Sendable {
  /// The most codes that are drawn. The last one is taken whether or not its channel is in use.
  static let maximumDraws = 16
  /// How long each channel is browsed at least. A sender on the link answers within it.
  public static let timeToLook: Duration = .milliseconds(15)

  private enum Event {
    /// A channel is in use, or another process asks for it.
    case taken(Int)
    /// A channel was browsed for `timeToLook`, or cannot be browsed.
    case looked(Int)
    /// The code is asked for.
    case wanted
  }

  private let task: Task<OneTimeCode, Never>
  private let tell: AsyncStream<Event>.Continuation

  /// Starts to browse. Browsing ends when the code is asked for and its channel is free, or when this object is released.
  ///
  /// - Parameters:
  ///   - discovery: the service that finds senders. An avahi-daemon lists senders only after 16 ms and does not hear
  ///     questions, so a stack in this process finds more of them in time.
  ///   - type: the DNS-SD type of the senders.
  ///   - clock: the clock for `timeToLook`.
  ///   - random: returns `count` uniform random bytes.
  ///   - logger: receives each channel that is in use, at the level debug.
  public init(
    _ discovery: any Discovery, of type: ServiceType = .irlBump, clock: any Clock<Duration> = ContinuousClock(),
    random: @escaping @Sendable (_ count: Int) -> [UInt8] = RandomBytes.system.draw,
    logger: Logger = Logger(label: "bump", factory: { _ in SwiftLogNoOpLogHandler() })
  ) {
    let (events, tell) = AsyncStream.makeStream(of: Event.self)
    self.tell = tell
    task = Task {
      // All of them run until the end: a stack in this process that has none closes its sockets.
      var running: [Task<Void, Never>] = []
      defer { for task in running { task.cancel() } }
      var taken: Set<Int> = []
      var (isWanted, hasLooked) = (false, false)
      func look(at channel: Int) {
        hasLooked = false
        // Listens first, so that it misses nobody who asks after its own question.
        let questions = discovery.questions(for: type, subtype: .ofChannel(channel))
        let senders = discovery.browse(type, subtype: .ofChannel(channel))
        running += [
          Task { if (try? await questions.first { true }) != nil { tell.yield(.taken(channel)) } },
          Task {
            // If discovery fails here, the advertisement fails too, and that failure is reported.
            let found = try? await senders.first { if case .found = $0 { true } else { false } }
            tell.yield(found == nil ? .looked(channel) : .taken(channel))
          },
          Task {
            try? await clock.sleep(for: Self.timeToLook)
            tell.yield(.looked(channel))
          },
        ]
      }

      var code = OneTimeCode(avoiding: taken, random: random)
      look(at: code.channel)
      // If this task is cancelled, nobody learns the code.
      for await event in events {
        switch event {
        case .taken(code.channel):
          logger.debug("channel \(code.channel) is in use nearby")
          taken.insert(code.channel)
          code = OneTimeCode(avoiding: taken, random: random)
          guard taken.count + 1 < Self.maximumDraws else { return code }
          look(at: code.channel)
        case .looked(code.channel): hasLooked = true
        case .wanted: isWanted = true
        case .taken, .looked: break
        }
        if isWanted, hasLooked { return code }
      }
      return code
    }
  }

  deinit { task.cancel() }

  /// The code, once its channel was browsed. From then on the channel is not watched: announce it soon.
  public var code: OneTimeCode {
    get async {
      tell.yield(.wanted)
      return await task.value
    }
  }
}
