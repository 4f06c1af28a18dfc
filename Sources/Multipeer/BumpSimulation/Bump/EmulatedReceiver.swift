import BumpClaims
import BumpDiscovery
import BumpSession
import BumpWire

/// The receiving end of a bump without a driver, for emulations: the state machine of `Receiver`. Takes inputs with
/// their times, and returns outputs.
struct EmulatedReceiver: Sendable {
  enum Input: Sendable {
    case found(String, interface: UInt32)
    /// An instance is resolved to this host.
    case resolved(String, host: String)
    case discoveryLost
    case connected(Int)
    case connectFailed(Int)
    case received(Int, [UInt8])
    case closed(Int)
    /// The answers to `ask` and `store`.
    case decided(Int, Bool)
    case stored(Int, StoreResult)
    case deadline
  }

  enum Output: Sendable {
    case resolve(String)
    case connect(Int, host: String)
    case cancelConnecting(Int)
    case send([UInt8], Int)
    case close(Int)
    case ask(Int)
    case store(Int, VerifiedClaim)
    case event(ReceiveEvent)
    case finish(ReceiveOutcome)
  }

  /// The port in resolved endpoints. Nobody listens there.
  private static let port: UInt16 = 1
  private var bump: ReceiverBump
  private let random: RandomBytes

  /// Makes a receiver that asks its person about each offer.
  ///
  /// - Parameter unixTime: the time of day at the start, in seconds since 1970.
  /// - Throws: never in practice: the values are valid.
  init(random: RandomBytes, unixTime: Int64) throws {
    self.random = random
    bump = ReceiverBump(
      policy: .init(
        name: try DisplayName("R"), asks: true, discoveryTimeout: Times.discovery, sendTimeout: Times.sending,
        unixTime: { unixTime }))
  }

  /// When `deadline` is due; `nil` for never.
  var deadline: Duration? { bump.deadline?.sinceStart }

  /// Handles an input, and returns what to do.
  mutating func handle(_ input: Input, at now: Duration) -> [Output] {
    let now = Moment(now)
    let actions =
      switch input {
      case .found(let name, let interface):
        bump.handle(.found(ServiceInstance(name: name, type: "_irl-bump-sim._tcp", interface: interface)), at: now)
      case .resolved(let name, let host):
        bump.handle(.resolved(.instance(name), .host(host, port: Self.port), .onLink), at: now)
      case .discoveryLost: bump.handle(.discoveryLost, at: now)
      case .connected(let id): bump.handle(.connected(id, peer: "S", nil, SessionKeys(drawnFrom: random)), at: now)
      case .connectFailed(let id): bump.handle(.connectFailed(id, .unreachable), at: now)
      case .received(let id, let bytes): bump.handle(.session(id, .received(bytes)), at: now)
      case .closed(let id): bump.handle(.session(id, .closed), at: now)
      case .decided(let id, let answer): bump.handle(.session(id, .decided(answer)), at: now)
      case .stored(let id, let result): bump.handle(.session(id, .stored(result)), at: now)
      case .deadline: bump.handle(.deadline, at: now)
      }
    return actions.compactMap(Self.output)
  }

  private static func output(_ action: ReceiverBump.Action) -> Output? {
    switch action {
    case .connector(.resolve(.instance(let name), _)): .resolve(name)
    case .connector(.connect(let id, .host(let host, _))): .connect(id, host: host)
    case .connector(.cancelConnecting(let id)): .cancelConnecting(id)
    case .session(let id, .send(let bytes)): .send(bytes, id)
    case .close(let id): .close(id)
    case .session(let id, .ask): .ask(id)
    case .session(let id, .store(let claim)): .store(id, claim)
    case .event(let event): .event(event)
    case .finish(let outcome): .finish(outcome)
    // There is one sender: nobody chooses it, enters a code for it or remembers it, and it sends no document.
    case .connector, .session, .withdrawQuestion, .askCode, .withdrawCode, .choose, .withdrawChoice, .fail:
      nil
    }
  }
}
