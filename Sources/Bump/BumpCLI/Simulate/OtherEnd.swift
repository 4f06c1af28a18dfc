import BumpClaims
import BumpFaults
import BumpKit
import BumpTerminal
import BumpWire
import Synchronization

/// The other end of a simulated bump, which this process plays too (`--both-ends`), so that one terminal shows the whole
/// handover. Its store is in memory, and its person accepts what comes.
struct OtherEnd: Sendable {
  /// The amount that it sends.
  private static let amount = "1.00"
  /// How long it may go on once this end has handed over or received: it may still wait for a receipt that the plan
  /// loses.
  private static let rest: Duration = .seconds(10)

  let simulation: Simulation
  let name: DisplayName
  /// The name under which it remembers this end; `nil` not to remember it.
  let rememberAs: DisplayName?
  let credential: Credential
  let serviceType: ServiceType
  let discovery: (any Discovery)?
  let transport: any Transport
  let console: Console

  /// Plays a receiver, until it has a claim or the task is cancelled.
  func receive() async {
    var configuration = Receiver.Configuration(name: name)
    (configuration.serviceType, configuration.credential) = (serviceType, credential)
    (configuration.rememberAs, configuration.discoveryTimeout) = (rememberAs, BumpOptions.forever)
    do {
      let receiver = Receiver(
        store: try ClaimStore.inMemory(), discovery: discovery, transport: transport, configuration: configuration)
      let outcome = try await receiver.receive(
        onEvent: { say(Self.words(of: $0, in: credential.mode)) },
        decide: { _ in
          // If the task is cancelled, the answer does not count.
          if let slowness = simulation.slowness { try? await Task.sleep(for: slowness) }
          return true
        })
      say(Self.words(of: outcome))
    } catch {
      say("it failed: \(CommandError(error).reason)")
    }
  }

  /// Plays a sender of a claim of TEST, until the claim is handed over or the task is cancelled.
  func send() async {
    var configuration = Sender.Configuration(name: name)
    (configuration.serviceType, configuration.credential) = (serviceType, credential)
    (configuration.rememberAs, configuration.discoveryTimeout) = (rememberAs, BumpOptions.forever)
    do {
      let store = try ClaimStore.inMemory()
      let now = UnixTime.now()
      let claim = try await store.create(
        amount: Amount(Self.amount), token: Token(Simulation.token), expiry: Expiry(secondsFromNow: 3600, now: now),
        at: now)
      let sender = Sender(store: store, discovery: discovery, transport: transport, configuration: configuration)
      let hasMet = Mutex(false)
      let outcome = try await sender.send(
        claim,
        onEvent: { event in
          if event.isOfReceiver { hasMet.withLock { $0 = true } }
          say(Self.words(of: event, in: credential.mode))
        })
      say(Self.words(of: outcome, hasMet: hasMet.withLock(\.self)))
    } catch {
      say("it failed: \(CommandError(error).reason)")
    }
  }

  private func say(_ words: String?) {
    if let words { console.say("Other end: \(words).") }
  }

  /// Waits for the other end once this end is done.
  ///
  /// - Parameter isHandedOver: whether this end has handed over a claim, perhaps, or received one. Otherwise the other
  ///   end is stopped at once.
  static func finish(_ playing: Task<Void, Never>, isHandedOver: Bool) async {
    let limit = Task<Void, Never> {
      if isHandedOver { try? await Task<Never, Never>.sleep(for: rest) }
      if !Task<Never, Never>.isCancelled { playing.cancel() }
    }
    await withTaskCancellationHandler {
      await playing.value
    } onCancel: {
      playing.cancel()
    }
    limit.cancel()
  }
}

/// What the other end does, in words.
extension OtherEnd {
  static func words(of event: ReceiveEvent, in mode: Mode) -> String? {
    switch event {
    case .found(let name): "it found \(QuotedName.ofInstance(name))"
    case .digits(let digits, _): "its screen shows \(digits)"
    case .offer(let offer): "\(offer.from.quoted) offers it \(offer.amount) \(offer.token), and it accepts"
    case .declined: "the sender declined"
    case .sessionFailed(let failure, let peer):
      "the transfer failed: \(FailureSentence.of(failure, with: peer, in: mode))"
    case .remembered(let name): "it remembers \(name.quoted)"
    default: nil
    }
  }

  static func words(of event: SendEvent, in mode: Mode) -> String? {
    switch event {
    case .advertising(let name, _, _): "it is announced as \(InstanceName.shown(name).distinct)"
    case .digits(let digits, _): "its screen shows \(digits)"
    case .accepted(let name): "\(name.quoted) accepts"
    case .sent: "it has sent the claim"
    case .declined, .declinedAtOnce: "the receiver declined"
    case .wrongGuess: "somebody tried a wrong code"
    case .sessionFailed(let failure, let peer):
      "the transfer failed: \(FailureSentence.of(failure, with: peer, in: mode))"
    case .remembered(let name): "it remembers \(name.quoted)"
    default: nil
    }
  }

  static func words(of outcome: ReceiveOutcome) -> String {
    switch outcome {
    case .received(let claim): "it has received \(claim.claim.amount) \(claim.claim.token)"
    case .duplicate: "it had this claim before"
    case .conflicting: "it has two claims with this id"
    case .unauthenticated: "it rejected what came, which was not authentic"
    default: "it has received nothing"
    }
  }

  /// - Parameter hasMet: whether a receiver came.
  static func words(of outcome: SendOutcome, hasMet: Bool) -> String {
    switch outcome {
    case .delivered(let name, _): "it has the answer of \(name.quoted): the claim is delivered"
    case .unknown: "no answer came, so it does not know whether its claim arrived"
    case .interrupted(.released), .interrupted(.unknown): "it was stopped before an answer came"
    default: hasMet ? "its claim was not handed over" : "no receiver came to it"
    }
  }
}

extension SendEvent {
  /// Whether the event is about a receiver that came.
  fileprivate var isOfReceiver: Bool {
    switch self {
    case .connected, .wrongGuess, .sessionFailed: true
    default: false
    }
  }
}

extension BumpOptions {
  /// Returns the other end of a simulated bump, if this process plays it too.
  ///
  /// - Parameters:
  ///   - side: the other end's side.
  ///   - credential: this end's code or key, which the other end has too.
  ///   - name: the other end's name.
  func otherEnd(
    _ side: FaultSide, _ credential: Credential, named name: DisplayName, _ console: Console
  ) async throws -> OtherEnd? {
    guard bothEnds, let plan = simulate else { return nil }
    return OtherEnd(
      simulation: Simulation(plan: plan), name: name, rememberAs: remember == nil ? nil : try displayName(),
      credential: credential, serviceType: discovery.serviceType,
      discovery: await makeDiscovery(of: side, Console(quiet: true)), transport: transport, console: console)
  }
}
