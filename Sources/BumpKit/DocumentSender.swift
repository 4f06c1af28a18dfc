public import BumpClaims
public import BumpDiscovery
import BumpSession
import BumpWire
public import Logging

/// Hands a card or a link to a receiver nearby: in the same sessions as a claim, with the same digits, codes and keys. It
/// has no store, and no link takes its place.
///
///     let card = try Document(.card, bytes)
///     let sender = DocumentSender(discovery: DNSSDDiscovery(), configuration: .init(name: DisplayName(own: "alice")))
///     if case .delivered(let name, _) = try await sender.send(card) { … }
public struct DocumentSender: Sendable {
  private let end: SendingEnd

  /// - Parameters:
  ///   - discovery: how receivers find us; without it they must be told the port.
  ///   - configuration: of which `linkBase`, `fallsBack` and `rememberAs` mean nothing here.
  ///   - clock: what the times of the protocol are measured by.
  ///   - random: what nonces, keys and names are drawn from.
  ///   - logger: told what happens.
  public init(
    discovery: (any Discovery)?, transport: any Transport = TCPTransport(), configuration: Sender.Configuration,
    clock: any Clock<Duration> = ContinuousClock(), random: RandomBytes = .system,
    logger: Logger = Logger(label: "bump", factory: { _ in SwiftLogNoOpLogHandler() })
  ) {
    var configuration = configuration
    (configuration.fallsBack, configuration.rememberAs) = (false, nil)
    end = SendingEnd(
      discovery: discovery, transport: transport, configuration: configuration, clock: clock, clocks: ClockReading.now,
      random: random, logger: logger)
  }

  /// Sends a document to the first receiver that accepts it, and has it whole. Where the task is cancelled it ends cleanly:
  /// `.interrupted`.
  ///
  /// - Parameters:
  ///   - onEvent: told what happens, in order. It must return quickly.
  ///   - approve: asks the person here, as in `Sender.send`; `readmit` too.
  /// - Throws: `TransportError.cannotListen`.
  public func send(
    _ document: Document, onEvent: @escaping @Sendable (SendEvent) -> Void = { _ in },
    approve: (@Sendable (Sender.Question) async -> Bool)? = nil,
    readmit: (@Sendable (String) async -> Bool)? = nil
  ) async throws -> DocumentOutcome {
    let offered = try OfferedDocument(document, from: end.configuration.name)
    let run = SenderRun(end, offered, approve: approve, readmit: readmit, onEvent: onEvent)
    return DocumentOutcome(try await run.run())
  }
}

/// How sending a document ended.
public enum DocumentOutcome: Hashable, Sendable {
  /// The receiver has it for good. `wasThere` is whether it had it before.
  case delivered(to: DisplayName, wasThere: Bool)
  /// No receiver took it: these came, those that came furthest first.
  case undelivered(FallbackReason, [FailedPeer])
  /// All of it was sent to this receiver, and no answer came: it may be there.
  case unknown(DisplayName)
  /// Three wrong guesses burnt the code.
  case codeBurnt
  /// The person here said no to this receiver, and yes to no other in time.
  case declinedHere(DisplayName)
  /// The task was cancelled. `mayBeThere` is whether all of it had been sent.
  case interrupted(mayBeThere: Bool)

  /// The outcome of a bump with a document, which is never released, shown as a link or expired.
  init(_ outcome: SendOutcome) {
    switch outcome {
    case .delivered(let name, let result): self = .delivered(to: name, wasThere: result == .duplicate)
    case .undelivered(let reason, _, let found): self = .undelivered(reason, found)
    case .unknown(let name, _): self = .unknown(name)
    case .codeBurnt: self = .codeBurnt
    case .declinedHere(let name): self = .declinedHere(name)
    case .interrupted(let state): self = .interrupted(mayBeThere: state == .unknown)
    case .expired, .changedElsewhere: self = .undelivered(.discoveryTimeout, [])
    }
  }
}
