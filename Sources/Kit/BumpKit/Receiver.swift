public import BumpClaims
public import BumpDiscovery
public import BumpWire
public import Logging

/// Receives a claim, a card or a link from a sender nearby.
///
///     let store = try await ClaimStore.open(at: path)
///     let receiver = Receiver(store: store, discovery: DNSSDDiscovery(), configuration: .init(name: DisplayName(own: "bob")))
///     if case .received(let verified) = try await receiver.receive(decide: { $0.offer.amount < limit }) { … }
public struct Receiver: Sendable {
  /// The settings of a receiver.
  public struct Configuration: Sendable {
    /// The name that the sender's screen shows. It is not authenticated.
    public var name: DisplayName
    /// The DNS-SD type of the senders to look for.
    public var serviceType = ServiceType.irlBump
    /// The code or key that the sender must know too. It decides the one mode that is accepted.
    public var credential = Credential.none
    /// The senders that are remembered here (`ClaimStore.rememberedSenders`). Without a credential, one of them that
    /// sends with its key is recognized, whatever it calls itself; the event `recognized` says which.
    public var remembered: [RememberedSender] = []
    /// How long senders are looked for.
    public var discoveryTimeout: Duration = Times.discovery
    /// How long one session waits for the sender in total, not counting the time of the person there.
    public var sendTimeout: Duration = Times.sending
    /// The display name of the sender whose offers are wanted, as it is or made visible; `nil` for any sender.
    ///
    /// Several senders may have the same name: the person here chooses one of them if `receive` can ask for that.
    /// Otherwise their offers are decided in the order in which they come, unless `refusesNamesakes`.
    public var from: String?
    /// Whether a receive with a `from` fails, and tries none, where several senders have that name and the person here
    /// cannot be asked to choose.
    public var refusesNamesakes = false
    /// The sender's address, if it is known. Then nothing is looked for.
    public var peer: Endpoint?

    /// The folder in which cards and links are saved; `nil` to accept none.
    public var folder: DocumentFolder?

    /// The name under which to remember the sender after a bump with a code. Either both ends keep the key or neither
    /// does. The event `remembered` or `notRemembered` says which.
    public var rememberAs: DisplayName?

    /// Makes settings with this name and the defaults.
    public init(name: DisplayName) {
      self.name = name
    }
  }

  /// A sender that the person here may choose.
  public typealias Candidate = SenderCandidate

  /// A question to the person here about an offered claim.
  public struct Question: Hashable, Sendable {
    /// The claim that the sender offers.
    public let offer: Offer
    /// The digits that the sender's screen shows too, unless somebody is in the middle.
    public let digits: VerificationDigits
    /// The remembered name whose key the sender has proved to have; `nil` for a sender that was not recognized so.
    public let remembered: DisplayName?
    /// The sender's instance name; `nil` if its address was given. It is not authenticated: show it through
    /// `InstanceName.shown`.
    public let instance: String?
  }

  /// A question to the person here about an offered card or link.
  public struct DocumentQuestion: Hashable, Sendable {
    /// The document that the sender offers.
    public let offer: DocumentOffer
    /// The digits that the sender's screen shows too, unless somebody is in the middle.
    public let digits: VerificationDigits
    /// The remembered name whose key the sender has proved to have; `nil` for a sender that was not recognized so.
    public let remembered: DisplayName?
    /// The sender's instance name; `nil` if its address was given. It is not authenticated: show it through
    /// `InstanceName.shown`.
    public let instance: String?
  }

  let store: ClaimStore
  let discovery: (any Discovery)?
  let transport: any Transport
  let configuration: Configuration
  let clock: any Clock<Duration>
  let unixTime: @Sendable () -> Int64
  let random: RandomBytes
  let logger: Logger

  /// Makes a receiver. It does nothing before `receive` or `keepReceiving`.
  ///
  /// - Parameters:
  ///   - store: the store in which received claims are kept.
  ///   - discovery: the service that finds senders. Without it, set the configuration's `peer`.
  ///   - transport: the transport that connects to senders.
  ///   - clock: the clock for the time limits of the protocol.
  ///   - unixTime: returns the time of day, in seconds since 1970, by which the expiry of claims is judged.
  ///   - random: the source of nonces and keys.
  ///   - logger: receives what happens; never a secret.
  public init(
    store: ClaimStore, discovery: (any Discovery)?, transport: any Transport = TCPTransport(),
    configuration: Configuration, clock: any Clock<Duration> = ContinuousClock(),
    unixTime: @escaping @Sendable () -> Int64 = UnixTime.now, random: RandomBytes = .system,
    logger: Logger = Logger(label: "bump", factory: { _ in SwiftLogNoOpLogHandler() })
  ) {
    self.store = store
    self.discovery = discovery
    self.transport = transport
    self.configuration = configuration
    self.clock = clock
    self.unixTime = unixTime
    self.random = random
    self.logger = logger
  }

  /// Receives one claim or document. If this returns `.received`, the claim is stored, and was not in the store before.
  ///
  /// If the task is cancelled, the sessions are closed in order, and this returns `.interrupted`, unless a claim was
  /// received before.
  ///
  /// Where people compare digits and there is no code, at most three senders get to show theirs, the third only if its
  /// host had none before. If none of the three hands over its claim, this returns `.nobody` with the reason
  /// `.interference`.
  ///
  /// The questions to the person here are asked one at a time. If a question is cancelled, its closure must return:
  /// only then is the next one asked, or does this method return.
  ///
  /// - Parameters:
  ///   - onEvent: called with what happens, in order. It must return quickly.
  ///   - decide: asks the person here whether to accept a claim. The person has 60 s. The question is cancelled if the
  ///     sender goes away. Without this closure, the first claim is accepted.
  ///   - enterCode: asks the person here for the code of the sender of this name, which is safe to show; `nil` for no
  ///     code, which ends the receive. The time for the first answer does not count. After a wrong code, which the
  ///     event before reports, it asks for another, two more times at most. Meanwhile other senders on the channel are
  ///     tried with the code entered before, and the question is cancelled if one of them has it. It also asks for
  ///     another code, while the time limit runs, if for two seconds after an answer no sender has proved or rejected
  ///     the code. If the same code is entered again, the receiver waits for its sender, and asks in the same way.
  ///     Without this closure, a sender that wants a code is passed over.
  ///   - choose: asks the person here which sender to try, if several are found within 300 ms; `nil` for none of them.
  ///     The time for the answer does not count. The question is cancelled if a sender of the list goes away. Without
  ///     this closure, or with a credential or a `peer`, all senders are tried.
  ///   - decideDocument: as `decide`, for cards and links, if the configuration has a folder for them. Without it,
  ///     documents are declined if there is a `decide`, and accepted if there is none.
  /// - Throws: `StoreError` if a claim was received and could not be stored. Its sender then does not know whether the
  ///   claim was received.
  public func receive(
    onEvent: @escaping @Sendable (ReceiveEvent) -> Void = { _ in },
    decide: (@Sendable (Question) async -> Bool)? = nil,
    enterCode: (@Sendable (_ sender: String) async -> OneTimeCode?)? = nil,
    choose: (@Sendable ([Candidate]) async -> Candidate?)? = nil,
    decideDocument: (@Sendable (DocumentQuestion) async -> Bool)? = nil
  ) async throws -> ReceiveOutcome {
    let prompts = ReceiverRun.Prompts(
      decide: decide, enterCode: enterCode, choose: choose, decideDocument: decideDocument)
    return try await ReceiverRun(self, prompts, keeps: false, onEvent: onEvent).run()
  }

  /// Receives claims and documents one after the other until the task is cancelled. The event `.concluded` reports the
  /// result of each, and a bump without a claim does not end the receive. The discovery time-out and `peer`
  /// have no effect. Set no code, since a code is good for one bump.
  ///
  /// - Parameters:
  ///   - onEvent: called with what happens, in order. It must return quickly.
  ///   - decide: as in `receive`. Where people compare digits, the receiver pauses after three comparisons without a
  ///     claim; the event `.paused` says for how long.
  ///   - decideDocument: as in `receive`.
  /// - Returns: `.interrupted`, or `.nobody` if discovery is not available or stops working.
  /// - Throws: `StoreError.failed` if a claim was received and could not be stored, for instance on a full disk. If
  ///   another process held the store for too long, only that claim fails.
  public func keepReceiving(
    onEvent: @escaping @Sendable (ReceiveEvent) -> Void = { _ in },
    decide: (@Sendable (Question) async -> Bool)? = nil,
    decideDocument: (@Sendable (DocumentQuestion) async -> Bool)? = nil
  ) async throws -> ReceiveOutcome {
    try await keepReceiving(onEvent: onEvent, decide: decide, decideDocument: decideDocument, onStored: { _, _ in })
  }

  /// As `keepReceiving`.
  ///
  /// - Parameter onStored: called with each claim that is stored, and the host of its sender; `nil` for this host. The
  ///   claim's `.concluded` follows.
  package func keepReceiving(
    onEvent: @escaping @Sendable (ReceiveEvent) -> Void, decide: (@Sendable (Question) async -> Bool)?,
    decideDocument: (@Sendable (DocumentQuestion) async -> Bool)?,
    onStored: @escaping @Sendable (VerifiedClaim, RemoteHost?) -> Void
  ) async throws -> ReceiveOutcome {
    let prompts = ReceiverRun.Prompts(decide: decide, decideDocument: decideDocument)
    return try await ReceiverRun(self, prompts, keeps: true, onStored: onStored, onEvent: onEvent).run()
  }
}
