import ArgumentParser
import BumpClaims
import BumpKit
import BumpTerminal
import BumpWire

/// The sending of a card or a link: the same bump as a claim's, without a store, a vault and a claim link.
extension SendCommand {
  /// Returns the card or link to send; `nil` for a claim.
  ///
  /// - Throws: `CommandError`.
  func document() throws -> Document? {
    if let card { return try CardFile.card(card) }
    return try url.map(DocumentArgument.link)
  }

  /// Rejects the options for a claim in combination with `--card` and `--url`.
  func validateDocument() throws {
    if card != nil, url != nil { throw ValidationError("--card and --url contradict each other") }
    let option = card == nil ? "--url" : "--card"
    let others = [
      "the amount": what != nil || amount != nil, "--token": token != nil, "--expires": expires != nil,
      "--again": again, "--link-only": linkOnly, "--qr-file": qrFile != nil, "--qr": qr != .auto,
      "--until-claimed": untilClaimed, "--remember": options.remember != nil, "--simulate": options.simulate != nil,
    ]
    for (other, isGiven) in others.sorted(by: { $0.key < $1.key }) where isGiven {
      throw ValidationError("\(option) sends no claim. Leave out \(other)")
    }
  }

  func send(_ document: Document, _ json: JSONLines) async throws -> ExitStatus {
    try vault.forbid(with: card == nil ? "--url" : "--card")
    var configuration = Sender.Configuration(name: try options.displayName())
    let console = Console(quiet: options.output.quiet)
    async let found = discovery(console)
    let key = try await key()
    let (discovery, search) = await found
    configuration.credential = await drawnCode(search) ?? key
    configuration.serviceType = options.discovery.serviceType
    let time = options.time(with: configuration.credential)
    configuration.discoveryTimeout = time ?? BumpOptions.forever
    configuration.sendTimeout = options.sendTimeout
    configuration.port = port
    configuration.endsAtRefusal = endsAtRefusal
    let mode = configuration.credential.mode
    let report = DocumentReport(
      document: document, mode: mode,
      events: SendEvents(
        mode: mode, keyFile: options.keyFile(besides: to != nil || code), interface: options.discovery.interface,
        isDocument: true, name: configuration.name, console: console, json: json),
      discovery: options.discovery.backend)
    let sender = DocumentSender(
      discovery: discovery, transport: options.transport, configuration: configuration,
      logger: options.output.logger)
    await Interrupt.handle()
    report.began(configuration.credential)
    sayWhoGetsIt(mode, report.events)
    options.discovery.warnOfNoNetwork(report.console)
    let progress = Progress("Waiting for a receiver", time, report.console)
    defer { progress.stop() }
    let (approve, readmit) = (approval(report.events, of: report.what, report.pairs), readmission(report.events))
    let others = OtherSenders(discovery, of: options.discovery.serviceType, during: time, in: mode)
    let outcome = try await Interrupt.cancels {
      try await sender.send(
        document,
        onEvent: {
          others.event($0)
          report.events.tell($0, progress)
        }, approve: approve, readmit: readmit)
    }
    progress.stop()
    var senders = OtherSenders.Seen()
    if case .undelivered(let reason, let found) = outcome { senders = await others.near(reason, found) }
    return report.conclude(outcome, besides: senders)
  }

  /// Returns the named key as a credential.
  private func key() async throws -> Credential {
    guard let to else { return try options.sharedKey().map { .key($0) } ?? .none }
    return .key(try await BumpOptions.key(of: to, for: .outgoing, in: options.store.openForReading()))
  }
}
