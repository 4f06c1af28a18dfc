public import BumpChannel
public import BumpClaims
public import BumpDiscovery
public import BumpWire
public import Logging

/// Takes a claim from a sender nearby.
///
///     let store = try await ClaimStore.open(at: path)
///     let receiver = Receiver(store: store, discovery: DNSSDDiscovery(), configuration: .init(name: DisplayName(own: "bob")))
///     if case .received(let verified) = try await receiver.receive(decide: { $0.offer.amount < limit }) { … }
public struct Receiver: Sendable {
  public struct Configuration: Sendable {
    /// What the sender is shown. Nothing proves it there.
    public var name: DisplayName
    public var serviceType = ServiceType.irlBump
    /// What the sender must know too: the one mode that is accepted.
    public var credential = Credential.none
    /// How long senders are looked for.
    public var discoveryTimeout: Duration = Times.discovery
    /// How long one session waits for the sender in all, its person's time not counted.
    public var sendTimeout: Duration = Times.sending
    /// Whose offers are wanted, by the display name: as it is, made visible, or as it is shown, with or without the quotes.
    /// Several may call themselves so: the first offer is decided first. One that ends in `…` was cut, and means the one
    /// sender whose name begins so; where there are several 300 ms after the first, a receive ends with `.ambiguous`.
    /// One that goes on takes no name that was cut. `nil` for anybody's.
    public var from: String?
    /// Which sender to take of those found, sorted by name and counted from 1, whatever `from` says. It waits until there
    /// are as many, and 300 ms from the first. `nil` for whoever is first.
    public var position: Int?
    /// A sender that needs no discovery.
    public var peer: Endpoint?

    /// Where cards and links are saved; `nil` to take none.
    public var folder: DocumentFolder?

    /// The name under which the other end is remembered after a bump with a code. Both ends keep the key, or neither
    /// does; one of the events `remembered` and `notRemembered` says which.
    public var rememberAs: DisplayName?

    public init(name: DisplayName) {
      self.name = name
    }
  }

  /// A sender that the person here may choose.
  public typealias Candidate = SenderCandidate

  /// What the person here is asked.
  public struct Question: Hashable, Sendable {
    public let offer: Offer
    /// What the sender's screen shows too, unless somebody is in the middle.
    public let digits: VerificationDigits
  }

  /// What the person here is asked about a card or a link.
  public struct DocumentQuestion: Hashable, Sendable {
    public let offer: DocumentOffer
    /// What the sender's screen shows too, unless somebody is in the middle.
    public let digits: VerificationDigits
  }

  let store: ClaimStore
  let discovery: (any Discovery)?
  let transport: any Transport
  let configuration: Configuration
  let clock: any Clock<Duration>
  let unixTime: @Sendable () -> Int64
  let random: RandomBytes
  let logger: Logger

  /// - Parameters:
  ///   - discovery: how senders are found; without it, set the configuration's `peer`.
  ///   - clock: what the times of the protocol are measured by.
  ///   - unixTime: the time of day, in seconds since 1970, by which claims expire.
  ///   - random: what nonces and keys are drawn from.
  ///   - logger: told what happens; never a secret.
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

  /// Receives one claim. When it returns `.received`, the claim is in the store and was not before.
  ///
  /// Where the task is cancelled it ends cleanly: `.interrupted`, unless a claim had come already.
  ///
  /// - Parameters:
  ///   - onEvent: told what happens, in order. It must return quickly.
  ///   - decide: asks the person here, who has 60 s, and whose question is cancelled where the sender goes away. It must
  ///     return then, as the other two must: the next is asked, and this returns, only once it has. Without it the first
  ///     offer is accepted.
  ///   - enterCode: asks the person here for the code of the sender of this name, which is shown safely already; `nil` for
  ///     none, which ends it. The time it takes does not count. Where a code was wrong, which is the event before, it asks
  ///     again, for two other codes at most, while other senders of the channel are tried with that code; it is cancelled
  ///     where one has it. Where for two seconds nobody has proved or rejected a code, it asks for another too, and the time
  ///     runs on; so it does where the same code was entered again, to wait for its sender. Without it a sender that wants a
  ///     code is passed over.
  ///   - choose: asks the person here which sender to try, where several are found within 300 ms; `nil` for none of them.
  ///     The time it takes does not count, and the question is cancelled where a sender of the list goes away. Without it,
  ///     or with a `from`, a `position` or a `peer`, all are tried.
  ///   - decideDocument: as `decide`, about cards and links, where the configuration has a folder for them. Without it none
  ///     is accepted where there is a `decide`.
  /// - Throws: `StoreError` where a claim came and could not be stored. Its sender counts it as unknown.
  public func receive(
    onEvent: @escaping @Sendable (ReceiveEvent) -> Void = { _ in },
    decide: (@Sendable (Question) async -> Bool)? = nil,
    enterCode: (@Sendable (_ sender: String) async -> OneTimeCode?)? = nil,
    choose: (@Sendable ([Candidate]) async -> Candidate?)? = nil,
    decideDocument: (@Sendable (DocumentQuestion) async -> Bool)? = nil
  ) async throws -> ReceiveOutcome {
    let person = ReceiverRun.Person(
      decide: decide, enterCode: enterCode, choose: choose, decideDocument: decideDocument)
    return try await ReceiverRun(self, person, keeps: false, onEvent: onEvent).run()
  }

  /// Receives claim after claim until the task is cancelled, each offer in its turn. The result of each is the event
  /// `.concluded`, and a bump without a claim ends nothing else. The discovery time-out, `position` and `peer` mean
  /// nothing here, and a code would serve one bump alone: set none.
  ///
  /// - Parameters:
  ///   - onEvent: told what happens, in order. It must return quickly.
  ///   - decide: as in `receive`. Where digits are compared, nobody is met for a while once three comparisons came to no
  ///     claim: the event `.paused` tells for how long.
  /// - Returns: why it ended: `.interrupted`, or `.nobody` where nobody can be found any more.
  /// - Throws: `StoreError.failed` where a claim came and could not be stored, as on a full disk. A store that another
  ///   process held for too long fails that claim alone.
  public func keepReceiving(
    onEvent: @escaping @Sendable (ReceiveEvent) -> Void = { _ in },
    decide: (@Sendable (Question) async -> Bool)? = nil,
    decideDocument: (@Sendable (DocumentQuestion) async -> Bool)? = nil
  ) async throws -> ReceiveOutcome {
    let person = ReceiverRun.Person(decide: decide, decideDocument: decideDocument)
    return try await ReceiverRun(self, person, keeps: true, onEvent: onEvent).run()
  }
}
