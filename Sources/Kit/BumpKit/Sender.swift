public import BumpClaims
public import BumpDiscovery
import BumpSession
public import BumpWire
public import Logging

/// Hands a claim to a receiver nearby.
///
///     let store = try await ClaimStore.open(at: path)
///     let claim = try await store.create(amount: Amount("1.00"), token: .usdc, expiry: expiry, at: now)
///     let sender = Sender(store: store, discovery: DNSSDDiscovery(), configuration: .init(name: DisplayName(own: "alice")))
///     switch try await sender.send(claim, to: .code(code)) {
///     case .delivered(let name, _): …
///     case .undelivered(_, let link, _), .unknown(_, let link): …
public struct Sender: Sendable {
  /// The settings of a sender.
  public struct Configuration: Sendable {
    /// The name that the receivers' screens show. It is not authenticated.
    public var name: DisplayName
    /// The DNS-SD type under which to register.
    public var serviceType = ServiceType.irlBump
    /// The code or key that a receiver must know too. It decides the mode. `Sender.Recipient` sets it.
    package var credential = Credential.none
    /// How long receivers are awaited, from the moment when they can find this sender, not counting at most ten minutes
    /// in the queues of busy ones. Give more time if a person has to type a code: the protocol has 60 s.
    public var discoveryTimeout: Duration = Times.discovery
    /// How long one session waits for the receiver in total, not counting the time of the person there. In mode open it
    /// waits for ACCEPT for 65 s at most.
    public var sendTimeout: Duration = Times.sending
    /// The TCP port to listen on, or 0 for any free port.
    public var port: UInt16 = 0
    /// The beginning of the claim link, up to the claim's id.
    public var linkBase = ClaimLink.defaultBase
    /// Whether the claim is released for its link if no receiver takes it. Otherwise the claim's state does not change.
    public var fallsBack = true
    /// Whether a no of the person here ends the send, unless another receiver has accepted. For a sender whose address
    /// was told to one receiver, so that no other comes.
    public var endsAtRefusal = false
    /// How long before its expiry the claim is handed over no more, so that its receiver has this time to redeem it.
    public var expiryMargin: Duration = .zero

    /// The name under which to remember the receiver after a bump with a code. Either both ends keep the key or neither
    /// does. The event `remembered` or `notRemembered` says which; `rememberingUnknown` says that the answer was lost.
    public var rememberAs: DisplayName?

    /// Makes settings with this name and the defaults.
    public init(name: DisplayName) {
      self.name = name
    }
  }

  /// A question to the person here about a receiver that accepted.
  public struct Question: Hashable, Sendable {
    /// The name that the receiver gives itself. Only the comparison of the digits authenticates it.
    public let name: DisplayName
    /// The digits that the receiver's screen shows too, unless somebody is in the middle.
    public let digits: VerificationDigits
  }

  private let store: ClaimStore
  private let end: SenderEnvironment

  private init(store: ClaimStore, end: SenderEnvironment) {
    (self.store, self.end) = (store, end)
  }

  /// Makes a sender. It does nothing before `send`.
  ///
  /// - Parameters:
  ///   - store: the store that has the claims to be sent.
  ///   - discovery: the service by which receivers find this sender. Without it, they must be told the port.
  ///   - transport: the transport that listens for receivers.
  ///   - clock: the clock for the time limits of the protocol.
  ///   - clocks: reads the time of day, by which the claim's expiry is judged, and the time since boot. Both decide
  ///     whether a receiver may still take the claim.
  ///   - random: the source of nonces, keys and names.
  ///   - logger: receives what happens; never a secret.
  public init(
    store: ClaimStore, discovery: (any Discovery)?, transport: any Transport = TCPTransport(),
    configuration: Configuration, clock: any Clock<Duration> = ContinuousClock(),
    clocks: @escaping @Sendable () -> ClockReading = ClockReading.now, random: RandomBytes = .system,
    logger: Logger = Logger(label: "bump", factory: { _ in SwiftLogNoOpLogHandler() })
  ) {
    self.store = store
    end = SenderEnvironment(
      discovery: discovery, transport: transport, configuration: configuration, clock: clock, clocks: clocks,
      random: random, logger: logger)
  }

  /// Sends a claim to a receiver that accepts it. If none does, releases the claim for its link.
  ///
  /// The claim must be as `ClaimStore.create`, `insert` or `outgoing` returned it, in a state that `isOfferable`, and its
  /// state in the store unchanged since. For `Recipient.approved`, this send reserves the attempts at the digits that
  /// the claim has left, and gives back the unused ones at its end.
  ///
  /// If the task is cancelled, the sessions are closed in order, and this returns `.interrupted` with the claim's
  /// state.
  ///
  /// The questions to the person here are asked one at a time. If a question is cancelled, its closure must return:
  /// only then is the next one asked, or does this method return.
  ///
  /// - Parameters:
  ///   - recipient: who gets the claim.
  ///   - onEvent: called with what happens, in order. It must return quickly.
  ///   - readmit: asks the person here whether to admit the receiver at this address once more, after the event
  ///     `turnedAway`. A yes lets it use the attempt that is kept for others. The question is cancelled when another
  ///     receiver is to be approved. Without this closure, no receiver is admitted again.
  /// - Throws: `StoreError.attemptsSpent` for `Recipient.approved` if no attempt is left; `StoreError.notNew` if the claim may
  ///   not be offered, or if its state has changed; `StoreError.failed`; `TransportError.cannotListen`;
  ///   `ClaimError.link` for a bad link base. Then nothing was sent.
  public func send(
    _ claim: OutgoingClaim, to recipient: Recipient, onEvent: @escaping @Sendable (SendEvent) -> Void = { _ in },
    readmit: (@Sendable (String) async -> Bool)? = nil
  ) async throws -> SendOutcome {
    try await Sender(store: store, end: end.accepting(recipient.credential)).send(
      claim, onEvent: onEvent, approve: recipient.approval, readmit: readmit)
  }

  /// Sends a claim, as the public method does, to a receiver that has the configuration's credential.
  ///
  /// - Parameter approve: asks the person here about a receiver; `nil` to send to the first that accepts.
  package func send(
    _ claim: OutgoingClaim, onEvent: @escaping @Sendable (SendEvent) -> Void = { _ in },
    approve: (@Sendable (Question) async -> Bool)? = nil, readmit: (@Sendable (String) async -> Bool)? = nil
  ) async throws -> SendOutcome {
    let state = try await store.outgoing(claim.claim.id, at: end.clocks())?.state
    guard claim.state.isOfferable, state == claim.state else { throw StoreError.notSent(claim.claim.id, in: state) }
    let link = try ClaimLink(base: end.configuration.linkBase, claim: claim.claim, expiry: claim.expiry)
    // The claim's attempts count where anybody can use them up. With a code or a key only those who have it can, and
    // where the person here is not asked, the claim goes to the first receiver that accepts: each bump counts its own
    // attempts.
    let areClaims = approve != nil && end.configuration.credential == .none
    let attempts = areClaims ? try await store.reserveAttempts(of: claim.claim.id) : nil
    guard attempts != 0 else {
      throw StoreError(
        .attemptsSpent,
        "this claim's three comparisons of digits are used up, or reserved by another send of it",
        remedy: "Send it with a code or a key, or by its link")
    }
    let configuration = end.configuration
    let handover = ClaimHandover(
      link: link, from: configuration.name, in: claim.state,
      lifetime: max(.zero, .seconds(link.expiry.unixSeconds - end.unixTime) - configuration.expiryMargin),
      fallsBack: configuration.fallsBack, remembers: configuration.rememberAs != nil)
    let bump = SenderBump(
      handover, policy: .init(configuration, asks: approve != nil, attempts: attempts ?? AttemptBudget.maximum))
    let run = SenderRun(
      end, bump, in: ClaimStorage(claim, in: store, reserved: attempts ?? 0, for: end), approve: approve,
      readmit: readmit, onEvent: onEvent)
    return try await run.run()
  }
}

extension SenderBump.Policy {
  init(_ configuration: Sender.Configuration, asks: Bool, attempts: Int = AttemptBudget.maximum) {
    self.init(
      credential: configuration.credential, asks: asks, discoveryTimeout: configuration.discoveryTimeout,
      sendTimeout: configuration.sendTimeout, endsAtRefusal: configuration.endsAtRefusal, attempts: attempts)
  }
}

extension StoreError {
  /// Returns the error for a claim that may not be sent in the state in which the store has it; `nil` if it has no such
  /// claim.
  static func notSent(_ id: ClaimID, in state: HandoverState?) -> StoreError {
    StoreError(
      .notNew,
      "the claim \(id) is not sent: " + (state.map { "its state is \($0.rawValue)" } ?? "it is not in the store"))
  }
}
