import ArgumentParser
import BumpChannel
import BumpKit
import BumpWire

struct SendCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Send a claim to a receiver nearby, or show it as a QR code.",
    usage: "bump send <amount> [<options>]\nbump send --again [<claimid>] [<options>]")

  @Argument(
    help: ArgumentHelp("How much, such as 12.50; or with --again which claim.", valueName: "amount"),
    completion: Completions.sentClaims)
  var what: String?

  @Flag(
    help: """
      Offer the same claim again: the one of this id, or of an id that begins so, or the last. No unknown claim is \
      offered before it was settled with `bump settle CLAIMID`.
      """)
  var again = false

  // Unconditional: `--amount -1` is a bad amount, not an unknown option.
  @Option(parsing: .unconditional, help: "How much, such as 1.00.", transform: Arguments.amount)
  var amount: Amount?

  @Option(help: "Of which token (default: USDC).", transform: Arguments.token)
  var token: Token?

  @Option(
    help: ArgumentHelp("How long the claim can be taken, such as 90s or 7d (default: 24h).", valueName: "lifetime"),
    transform: Arguments.lifetime)
  var expires: Int64?

  @Flag(help: "Only to who types the code that is shown.")
  var code = false

  @Option(
    help: "Only to who is remembered by this name, without asking.", completion: Completions.names,
    transform: Arguments.name)
  var to: DisplayName?

  @Flag(help: "Insist on being asked before the claim goes out.")
  var verify = false

  @Option(help: "The TCP port to listen on, or 0 for one that is free (default: 0).", transform: Arguments.port)
  var port: UInt16 = 0

  @Option(help: "What the claim link begins with (default: \(ClaimLink.defaultBase)).", transform: Arguments.linkBase)
  var linkBase = ClaimLink.defaultBase

  @Flag(help: "Look for nobody: show the link at once.")
  var linkOnly = false

  @Option(help: "Whether a link may be shown where nobody is found.")
  var qr = LinkDisplay.QR.auto

  @Option(
    help: ArgumentHelp("Where a link is shown, write its QR code to this new file too.", valueName: "x.svg"),
    completion: .file(extensions: ["svg"]), transform: QRFile.init)
  var qrFile: QRFile?

  @OptionGroup var options: BumpOptions

  func validate() throws {
    _ = try subject()
    try options.validate(verify: verify)
    if [code, options.key != nil, to != nil].count(where: \.self) > 1 {
      throw ValidationError("--code, --key and --to contradict each other")
    }
    if options.remember != nil, !code { throw ValidationError("--remember needs --code") }
    if verify, !Console.canAsk { throw ValidationError("--verify needs a terminal to ask on") }
    if linkOnly, code { throw ValidationError("--link-only and --code contradict each other") }
    if qrFile != nil, qr == .never { throw ValidationError("--qr-file and --qr never contradict each other") }
    if linkOnly, qr == .never { throw ValidationError("--link-only and --qr never contradict each other") }
  }

  func run() async throws {
    let json = JSONLines(options.output.json)
    throw try await json.concluding { try await perform(json) }
  }

  private func perform(_ json: JSONLines) async throws -> ExitStatus {
    let name = try options.displayName()
    try qrFile?.check()
    let store = try await options.store.open()
    let known = try await options.credential(of: to, in: store)
    let credential = code ? .code(OneTimeCode(random: RandomBytes.system.draw)) : known
    let sender = linkOnly ? nil : await sender(as: name, credential, store)
    let now = UnixTime.now()
    let console = Console(quiet: options.output.quiet)
    // Whoever sends again has one in mind.
    if !again { try await Reminder.show(store, at: now, console) }
    // Only where digits are compared are they the claim's, over all its bumps.
    let draws = asks && credential.mode == .open ? OutgoingClaim.draws : 0
    let claim = try await subject().claim(in: store, reserving: draws, at: now)
    let report = SendReport(
      claim: claim, credential: credential, keyFile: options.keyFile(besides: to != nil || code), to: to, qr: qr,
      qrFile: qrFile, interface: options.interface, remembers: options.remember != nil, name: name,
      waitsOn: !endsAtRefusal, console: console, json: json)
    if again { report.warnOfLink() }

    guard let sender else { return report.linkOnly(try await showLink(of: claim, store)) }
    report.began()
    let outcome = try await send(claim, by: sender, report)
    if let to {
      switch outcome {
      case .delivered: await options.confirm(to, credential, in: store)
      case .undelivered: report.remembering.missed(to)
      default: break
      }
    }
    return report.result(outcome, inFlightFor: await secondsInFlight(claim.claim.id, after: outcome, store))
  }

  /// Whether a person is asked before the claim goes out.
  private var asks: Bool {
    !linkOnly && (options.decide || verify || (Console.canAsk && !options.yes && to == nil))
  }

  /// Whether a no of the person here ends it: where the address was told to one receiver, nobody else comes.
  private var endsAtRefusal: Bool { options.discovery == .none && !options.wait }

  private func showLink(of claim: OutgoingClaim, _ store: ClaimStore) async throws -> SendOutcome {
    let link = try ClaimLink(base: linkBase, claim: claim.claim, expiry: claim.expiry)
    _ = try await store.showLink(of: claim.claim.id)
    return .undelivered(.discoveryTimeout, link: link, [])
  }

  /// For how many seconds a receiver may still take the claim. The store is asked only where the outcome leaves that open.
  private func secondsInFlight(_ id: ClaimID, after outcome: SendOutcome, _ store: ClaimStore) async -> Int64 {
    switch outcome {
    case .unknown, .interrupted: break
    default: return 0
    }
    let now = UnixTime.now()
    let claim = try? await store.outgoing(id, at: now)
    return claim?.deadline.map { max(0, $0 - now) } ?? 0
  }

  private func sender(as name: DisplayName, _ credential: Credential, _ store: ClaimStore) async -> Sender {
    var configuration = Sender.Configuration(name: name)
    configuration.serviceType = options.serviceType
    configuration.credential = credential
    configuration.rememberAs = options.remember
    configuration.discoveryTimeout = options.time(with: credential) ?? BumpOptions.forever
    configuration.sendTimeout = options.sendTimeout
    configuration.port = port
    configuration.linkBase = linkBase
    configuration.fallsBack = qr != .never
    configuration.endsAtRefusal = endsAtRefusal
    return Sender(
      store: store, discovery: await options.makeDiscovery(), transport: TCPTransport(interface: options.interface),
      configuration: configuration, logger: options.output.logger)
  }

  private func send(_ claim: OutgoingClaim, by sender: Sender, _ report: SendReport) async throws -> SendOutcome {
    let progress = Progress("Waiting for a receiver", options.time(with: report.credential), report.console)
    defer { progress.stop() }
    return try await Interrupt.cancels { [approve = approval(report)] in
      try await sender.send(claim, onEvent: { report.event($0, progress) }, approve: approve)
    }
  }

  /// What asks before the claim goes out: a program, a person, or nobody.
  private func approval(_ report: SendReport) -> (@Sendable (Sender.Question) async -> Bool)? {
    if options.decide {
      let decisions = Decisions(report.json)
      return { await report.ask($0, decisions) }
    }
    guard asks else { return nil }
    return { await report.ask($0) }
  }
}

extension LinkDisplay.QR: ExpressibleByArgument {}
