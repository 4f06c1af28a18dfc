/// One relay is asked for one person's profile (NIP-01): what is sent, what is believed, and when it is enough.
///
/// A driver gives it what happens on one WebSocket connection, and does what it returns. It holds no socket and no clock.
public struct RelaySession: Sendable {
  /// How long a relay may take, from the attempt to connect on. The driver keeps the time.
  public static let timeLimit: Duration = .seconds(5)
  /// Bytes of a message, at most. The driver closes the connection at a longer one, before it is whole.
  public static let messageLimit = 65_536
  /// Messages and bytes of a relay, at most: one event was asked for.
  static let (countLimit, byteLimit) = (64, 262_144)
  /// What the relay's answers name.
  static let subscription = "profile"

  public enum Input: Sendable {
    case connected
    case received([UInt8])
    /// A message was longer than `messageLimit`.
    case receivedTooLong
    /// The relay closed the connection, or there never was one.
    case disconnected
    case timeIsUp
  }

  public enum Action: Hashable, Sendable {
    case send(String)
    /// The session is over: `ending` says how.
    case close
  }

  public enum Ending: String, Hashable, Sendable {
    /// The relay sent all that it has.
    case complete
    case closedByRelay, disconnected, timedOut
    /// It sent a message that is too long, or too many.
    case flooded
  }

  public let key: NostrKey
  private let now: Int64
  public private(set) var ending: Ending?
  /// The newest event that every check has passed, and that says something.
  public private(set) var profile: NostrProfile?
  /// How often an event was refused, by the reason.
  public private(set) var refusals: [ProfileEvent.Refusal: Int] = [:]
  private var isConnected = false
  private var (count, bytes) = (0, 0)

  /// - Parameters:
  ///   - key: whose profile is asked for.
  ///   - now: seconds since 1970.
  public init(for key: NostrKey, at now: Int64) {
    (self.key, self.now) = (key, now)
  }

  public mutating func handle(_ input: Input) -> [Action] {
    guard ending == nil else { return [] }
    switch input {
    case .connected:
      guard !isConnected else { return [] }
      isConnected = true
      return [.send(#"["REQ","\#(Self.subscription)",{"kinds":[0],"authors":["\#(key.hex)"],"limit":1}]"#)]
    case .received(let text): return receive(text)
    case .receivedTooLong: return end(.flooded)
    case .disconnected: return end(.disconnected)
    case .timeIsUp: return end(.timedOut)
    }
  }

  private mutating func receive(_ text: [UInt8]) -> [Action] {
    count += 1
    bytes += text.count
    guard text.count <= Self.messageLimit, count <= Self.countLimit, bytes <= Self.byteLimit else {
      return end(.flooded)
    }
    switch RelayMessage(text) {
    case .event(Self.subscription, let event): consider(event)
    case .endOfStored(Self.subscription): return end(.complete)
    case .closed(Self.subscription): return end(.closedByRelay)
    default: break
    }
    return []
  }

  private mutating func consider(_ event: UnverifiedEvent?) {
    do throws(ProfileEvent.Refusal) {
      guard let event else { throw .malformed }
      let verified = try ProfileEvent(event, by: key, at: now)
      guard let read = NostrProfile(verified) else { return }
      if profile.map({ verified.replaces($0.event) }) ?? true { profile = read }
    } catch {
      refusals[error, default: 0] += 1
    }
  }

  private mutating func end(_ ending: Ending) -> [Action] {
    self.ending = ending
    // A relay that ended the subscription, or is flooding, is not told.
    let tells = isConnected && (ending == .complete || ending == .timedOut)
    return (tells ? [.send(#"["CLOSE","\#(Self.subscription)"]"#)] : []) + [.close]
  }
}
