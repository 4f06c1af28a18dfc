public import BumpChannel
public import BumpClaims
public import BumpDiscovery
public import Logging

/// Hands a claim to a receiver nearby.
///
///     let store = try await ClaimStore.open(at: path)
///     let claim = try await store.create(amount: Amount("1.00"), token: .usdc, expiry: expiry, at: now)
///     let sender = Sender(store: store, discovery: DNSSDDiscovery(), configuration: .init(name: DisplayName(own: "alice")))
///     switch try await sender.send(claim) {
///     case .delivered(let name, _): …
///     case .undelivered(_, let link, _), .unknown(_, let link): …
public struct Sender: Sendable {
  public struct Configuration: Sendable {
    /// What receivers are shown. Nothing proves it to them.
    public var name: DisplayName
    public var serviceType = ServiceType.irlBump
    /// What a receiver must know too, and with it the mode.
    public var credential = Credential.none
    /// How long receivers are waited for, from when they can find the sender. Give more where a person has to type a code:
    /// the protocol has 60 s.
    public var discoveryTimeout: Duration = Times.discovery
    /// How long one session waits for the receiver in all, its person's time not counted. In mode open it waits for ACCEPT
    /// 65 s at most.
    public var sendTimeout: Duration = Times.sending
    /// The TCP port, or 0 for one that is free.
    public var port: UInt16 = 0
    /// What the claim link begins with.
    public var linkBase = ClaimLink.defaultBase
    /// Whether the claim is released for its link where no receiver takes it. Otherwise it stays in its state.
    public var fallsBack = true
    /// Whether a no of the person here ends the send, unless another receiver has accepted: where the address was told to
    /// one receiver, nobody else comes.
    public var endsAtRefusal = false

    /// The name under which the other end is remembered after a bump with a code. Both ends keep the key, or neither
    /// does; one of the events `remembered` and `notRemembered`, or at the sender `rememberingUnknown`, says which.
    public var rememberAs: DisplayName?

    public init(name: DisplayName) {
      self.name = name
    }
  }

  /// Whom the person here is asked about.
  public struct Question: Hashable, Sendable {
    /// What the receiver calls itself. Nothing proves it, but for the digits.
    public let name: DisplayName
    /// What the receiver's screen shows too, unless somebody is in the middle.
    public let digits: VerificationDigits
  }

  private let store: ClaimStore
  private let end: SendingEnd

  /// - Parameters:
  ///   - discovery: how receivers find us; without it they must be told the port.
  ///   - clock: what the times of the protocol are measured by.
  ///   - clocks: the time of day, by which the claim's expiry is judged, and the time since the boot, by which it is judged
  ///     too whether a receiver may still take the claim.
  ///   - random: what nonces, keys and names are drawn from.
  ///   - logger: told what happens; never a secret.
  public init(
    store: ClaimStore, discovery: (any Discovery)?, transport: any Transport = TCPTransport(),
    configuration: Configuration, clock: any Clock<Duration> = ContinuousClock(),
    clocks: @escaping @Sendable () -> ClockReading = ClockReading.now, random: RandomBytes = .system,
    logger: Logger = Logger(label: "bump", factory: { _ in SwiftLogNoOpLogHandler() })
  ) {
    self.store = store
    end = SendingEnd(
      discovery: discovery, transport: transport, configuration: configuration, clock: clock, clocks: clocks,
      random: random, logger: logger)
  }

  /// Sends a claim: to the first receiver that accepts it, or, where none does, by its link.
  ///
  /// The claim is one that `ClaimStore.create` or `ClaimStore.offerAgain` made ready, and in the state it had then. The
  /// draws that were reserved with it are good for one send: for another, make it ready again.
  ///
  /// Where the task is cancelled it ends cleanly and returns the claim's state: `.interrupted`.
  ///
  /// - Parameters:
  ///   - onEvent: told what happens, in order. It must return quickly.
  ///   - approve: asks the person here, who has 60 s, and whose question is cancelled where the receiver goes away. It
  ///     must return then: the next is asked, and this returns, only once it has. The next question may come in the moment in
  ///     which the person answers this one. So let it take no answer for two seconds, and have its digits typed: a yes to
  ///     the one is no yes to the other. Without it the first receiver that accepts gets the claim.
  ///   - readmit: asks the person here whether to let the receiver at this address in once more, after the event
  ///     `turnedAway`: it may then have the draw that is kept for others. Its question is cancelled, and returns then, where
  ///     another receiver is to be approved. Without it nobody is let in.
  /// - Throws: `StoreError.drawsSpent` where digits would be compared and no draw was left to be reserved;
  ///   `StoreError.notNew` where the claim may not be offered, is in another state by now, or its draws were given to
  ///   another send; `StoreError.failed`;
  ///   `TransportError.cannotListen`; `ClaimError.link` for a bad link base. Nothing was sent then.
  public func send(
    _ claim: OutgoingClaim, onEvent: @escaping @Sendable (SendEvent) -> Void = { _ in },
    approve: (@Sendable (Question) async -> Bool)? = nil, readmit: (@Sendable (String) async -> Bool)? = nil
  ) async throws -> SendOutcome {
    let state = try await store.outgoing(claim.claim.id, at: end.clocks())?.state
    guard claim.state.isOfferable, state == claim.state else {
      throw StoreError(
        .notNew,
        "the claim \(claim.claim.id) is not sent: "
          + (state.map { "its state is \($0.rawValue)" } ?? "it is not in the store"))
    }
    guard approve == nil || !end.configuration.credential.drawsDigits || claim.reservedDraws > 0 else {
      throw StoreError(
        .drawsSpent,
        "no digits are left for this claim: three were drawn, or are reserved by another send of it",
        remedy: "Send it with a code or a key, or by its link")
    }
    let link = try ClaimLink(base: end.configuration.linkBase, claim: claim.claim, expiry: claim.expiry)
    if claim.reservedDraws > 0, try await store.takeReservation(of: claim) == .gone {
      throw StoreError(
        .notNew,
        "the claim \(claim.claim.id) was sent as this value before",
        remedy: "`ClaimStore.offerAgain` makes it ready anew")
    }
    let run = SenderRun(end, claim, in: store, link: link, approve: approve, readmit: readmit, onEvent: onEvent)
    return try await run.run()
  }
}
