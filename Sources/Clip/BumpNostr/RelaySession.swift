/// Asks one relay for one person's profile (NIP-01): decides what to send, what to believe, and when to stop.
///
/// A driver passes in the events of one WebSocket connection, and carries out the actions returned. The session holds
/// no socket and no clock.
public struct RelaySession: Sendable {
  /// The time that a relay has, from the attempt to connect on. The driver measures it.
  public static let timeLimit: Duration = .seconds(5)
  /// The greatest size of a message in bytes. If a message is longer, the driver closes the connection before all of it
  /// has come.
  public static let messageLimit = 65_536
  /// The greatest number of messages and of bytes from a relay: only one event was requested.
  static let (countLimit, byteLimit) = (64, 262_144)
  /// The name of the subscription in the relay's answers.
  static let subscription = "profile"

  /// An event of the connection, or of the driver's timer.
  public enum Input: Sendable {
    /// The WebSocket connection is open. A second one is ignored.
    case connected
    /// A complete message, text or binary, of at most `messageLimit` bytes.
    case received([UInt8])
    /// A message was longer than `messageLimit`.
    case receivedTooLong
    /// The relay closed the connection, or there never was one.
    case disconnected
    /// `timeLimit` has passed.
    case timeIsUp
  }

  /// What the driver does next.
  public enum Action: Hashable, Sendable {
    /// Send this text as one message.
    case send(String)
    /// The session has ended. `ending` says how.
    case close
  }

  /// How a session ended.
  public enum Ending: String, Hashable, Sendable {
    /// The relay sent everything that it has.
    case complete
    /// In this order: the relay refused or ended the subscription (CLOSED), the connection ended or was never made, or
    /// `timeLimit` passed.
    case closedByRelay, disconnected, timedOut
    /// The relay sent a message that is too long, or too many messages or bytes.
    case flooded
  }

  /// The person whose profile is requested.
  public let key: NostrKey
  private let now: Int64
  /// How the session ended; `nil` until then.
  public private(set) var ending: Ending?
  /// The profile in the newest event that passed every check and has one.
  public private(set) var profile: NostrProfile?
  /// How many events were rejected, by the reason.
  public private(set) var refusals: [ProfileEvent.Refusal: Int] = [:]
  private var isConnected = false
  private var (count, bytes) = (0, 0)

  /// Makes a session.
  ///
  /// - Parameters:
  ///   - key: the person whose profile is requested.
  ///   - now: the time in seconds since 1970.
  public init(for key: NostrKey, at now: Int64) {
    (self.key, self.now) = (key, now)
  }

  /// Takes an input, and returns the actions to carry out in order. Ignores every input after the end.
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
    // A relay that ended the subscription, or that floods, gets no CLOSE.
    let tells = isConnected && (ending == .complete || ending == .timedOut)
    return (tells ? [.send(#"["CLOSE","\#(Self.subscription)"]"#)] : []) + [.close]
  }
}
