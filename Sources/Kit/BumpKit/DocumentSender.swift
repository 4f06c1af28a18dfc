public import BumpClaims
public import BumpDiscovery
import BumpSession
import BumpWire
public import Logging

/// Hands a card or a link to a receiver nearby, in the same sessions as a claim, with the same digits, codes and keys.
/// A document has no store, and no claim link replaces an undelivered one.
///
///     let card = try Document(.card, bytes)
///     let sender = DocumentSender(discovery: DNSSDDiscovery(), configuration: .init(name: DisplayName(own: "alice")))
///     if case .delivered(let name, _) = try await sender.send(card, to: .code(code)) { … }
public struct DocumentSender: Sendable {
  private let end: SenderEnvironment

  private init(end: SenderEnvironment) { self.end = end }

  /// Makes a sender. It does nothing before `send`.
  ///
  /// - Parameters:
  ///   - discovery: the service by which receivers find this sender. Without it, they must be told the port.
  ///   - configuration: the sender's settings. `linkBase`, `fallsBack` and `rememberAs` have no effect.
  ///   - clock: the clock for the time limits of the protocol.
  ///   - random: the source of nonces, keys and names.
  ///   - logger: receives what happens.
  public init(
    discovery: (any Discovery)?, transport: any Transport = TCPTransport(), configuration: Sender.Configuration,
    clock: any Clock<Duration> = ContinuousClock(), random: RandomBytes = .system,
    logger: Logger = Logger(label: "bump", factory: { _ in SwiftLogNoOpLogHandler() })
  ) {
    end = SenderEnvironment(
      discovery: discovery, transport: transport, configuration: configuration, clock: clock, clocks: ClockReading.now,
      random: random, logger: logger)
  }

  /// Sends a document to a receiver that accepts it and saves all of it. If the task is cancelled, the sessions are
  /// closed in order, and this returns `.interrupted`.
  ///
  /// - Parameters:
  ///   - recipient: who gets the document.
  ///   - onEvent: called with what happens, in order. It must return quickly.
  ///   - readmit: asks the person here, as in `Sender.send`.
  /// - Throws: `TransportError.cannotListen`.
  public func send(
    _ document: Document, to recipient: Sender.Recipient, onEvent: @escaping @Sendable (SendEvent) -> Void = { _ in },
    readmit: (@Sendable (String) async -> Bool)? = nil
  ) async throws -> DocumentOutcome {
    try await DocumentSender(end: end.accepting(recipient.credential)).send(
      document, onEvent: onEvent, approve: recipient.approval, readmit: readmit)
  }

  /// Sends a document, as the public method does, to a receiver that has the configuration's credential.
  ///
  /// - Parameter approve: asks the person here about a receiver; `nil` to send to the first that accepts.
  package func send(
    _ document: Document, onEvent: @escaping @Sendable (SendEvent) -> Void = { _ in },
    approve: (@Sendable (Sender.Question) async -> Bool)? = nil,
    readmit: (@Sendable (String) async -> Bool)? = nil
  ) async throws -> DocumentOutcome {
    let offered = try OfferedDocument(document, from: end.configuration.name)
    let bump = SenderBump(DocumentHandover(offered), policy: .init(end.configuration, asks: approve != nil))
    let run = SenderRun(end, bump, in: NoStorage(), approve: approve, readmit: readmit, onEvent: onEvent)
    return try await run.run()
  }
}
