import ArgumentParser
import BumpClaims
import BumpFaults
import BumpKit
import BumpTerminal
import BumpVaultClient
import BumpWallet
import BumpWire

struct SendCommand: AsyncParsableCommand, SectionedHelp {
  static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Send a claim to a receiver nearby, or show it as a QR code.",
    usage: """
      bump send <amount> [<options>]
      bump send --again [<claimid>] [<options>]
      bump send --card <file> [<options>]
      bump send --url <url> [<options>]
      """)

  static let helpSections = [
    HelpSection("What to send", ["--token", "--expires", "--again", "--card", "--url"]),
    HelpSection("The receiver", ["--code", "--to", "--key", "--remember", "--yes"]),
    HelpSection("If no receiver comes", ["--wait", "--link-only", "--qr-file"]),
    HelpSection("Money in a vault", ["--vault", "--until-claimed"]),
  ]

  @Argument(
    help: ArgumentHelp("The amount, as in 12.50, or a claim's id with --again.", valueName: "amount"),
    completion: Completions.sentClaims)
  var what: String?

  @Flag(help: "Send the last claim again, or the one with this id.")
  var again = false

  // Unconditional parsing of numbers, so that `--amount -1` is a wrong amount, not an unknown option.
  @Option(parsing: .unconditional, help: "The amount, such as 1.00.", transform: Arguments.amount)
  var amount: Amount?

  @Option(help: "The token's ticker (default: USDC).", transform: Arguments.token)
  var token: Token?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long the claim is valid: 90s, 7d (default: 24h).", valueName: "lifetime"),
    transform: Arguments.lifetime)
  var expires: Int64?

  @Option(
    help: ArgumentHelp("Send a contact card (vCard 3.0) instead of a claim.", valueName: "file"),
    completion: .file(extensions: ["vcf"]))
  var card: String?

  @Option(help: "Send an https link instead of a claim.")
  var url: String?

  @Flag(help: "Show a code, and send without asking to the receiver that types it.")
  var code = false

  @Option(
    help: ArgumentHelp("Send only to the receiver remembered by this name, without asking.", valueName: "name"),
    completion: Completions.names, transform: Arguments.name)
  var to: DisplayName?

  @Flag(help: "Ask before the claim is sent. This needs a terminal.")
  var verify = false

  @Option(
    parsing: .unconditional, help: "The TCP port to listen on, or 0 for one that is free (default: 0).",
    transform: Arguments.port)
  var port: UInt16 = 0

  @Option(help: LinkBase.help, transform: Arguments.linkBase)
  var linkBase: String?

  @Flag(help: "Show the link at once, without looking for a receiver.")
  var linkOnly = false

  @Option(help: "Whether to show a link if no receiver is found.")
  var qr = LinkDisplay.QR.auto

  @Option(
    help: ArgumentHelp("Also write the link's QR code to this new file.", valueName: "x.svg"),
    completion: .file(extensions: ["svg"]), transform: QRFile.init)
  var qrFile: QRFile?

  @Flag(help: "Wait until the vault pays the claim, or it expires.")
  var untilClaimed = false

  @Option(parsing: .unconditional, help: Arguments.marginHelp, transform: Arguments.margin)
  var expiryMargin = ExpiryMargin.standard

  @OptionGroup var options: BumpOptions

  var vault: VaultOptions { options.vault }

  func validate() throws {
    if card != nil || url != nil { try validateDocument() } else { _ = try subject() }
    try options.validate(verify: verify, asks: to == nil && !linkOnly && !code)
    if [code, options.key != nil, to != nil].count(where: \.self) > 1 {
      throw ValidationError("--code, --key and --to contradict each other")
    }
    if let to, PayoutAddress.isLike(to.text) {
      throw ValidationError("--to names a remembered receiver. --address, an option of claim, names an address")
    }
    if options.simulate != nil {
      if token != nil { throw ValidationError("--simulate sends a claim of TEST. Leave out --token") }
      if again || linkOnly { throw ValidationError("--simulate sends a new claim. Leave out --again and --link-only") }
    }
    if options.simulate == nil, let token, Simulation.isSimulated(token) {
      throw ValidationError("the token \(token) is for --simulate")
    }
    if vault.walletPath != nil, try vault.named() == nil { throw ValidationError("--wallet needs --vault") }
    if options.remember != nil, !code { throw ValidationError("--remember needs --code") }
    if linkOnly, code { throw ValidationError("--link-only and --code contradict each other") }
    if qrFile != nil, qr == .never { throw ValidationError("--qr-file and --qr never contradict each other") }
    if linkOnly, qr == .never { throw ValidationError("--link-only and --qr never contradict each other") }
  }

  func run() async throws {
    let json = JSONLines(options.output.json, isSimulated: options.simulate != nil)
    throw try await json.concluding {
      if let document = try document() { return try await send(document, json) }
      guard let plan = options.simulate else { return try await perform(json) }
      try vault.forbid(with: "--simulate")
      return try await Simulation(plan: plan).run(Console(quiet: false)) { store in
        var command = self
        command.options = try options.simulated(in: store)
        command.token = try Token(Simulation.token)
        return try await command.perform(json)
      }
    }
  }

  private func perform(_ json: JSONLines) async throws -> ExitStatus {
    let name = try options.displayName()
    try qrFile?.check()
    if try vault.named() != nil { HTTPTransport.prepare() }
    let console = Console(quiet: options.output.quiet)
    async let found = discovery(console)
    let store = try await options.store.open()
    let known = try await options.credential(of: to, for: .outgoing, in: store)
    let now = UnixTime.now()
    // A person who sends a claim again knows of it already.
    // With `--link-only`, they show links on purpose.
    if !again { try await Reminder.show(store, links: !linkOnly, at: now, console) }
    let vault = try await confirmedVault(in: store, console)
    var claim = try await subject().claim(
      in: store, asks: asks, at: vault, leaving: expiryMargin, now: now)
    var money = try await money(of: claim, at: vault, in: store, console)
    var transaction: Bytes32?
    if let named = money {
      let locked = try await locked(named, console)
      (claim, money, transaction) = (locked.money.claim, locked.money, locked.transaction)
    }
    let (discovery, search) = await found
    let credential = await drawnCode(search) ?? known
    let sender = linkOnly ? nil : sender(as: name, credential, store, discovery, money)
    var report = SendReport(
      claim: claim, credential: credential, keyFile: options.keyFile(besides: to != nil || code), to: to, qr: qr,
      qrFile: qrFile, interface: options.discovery.interface, discovery: options.discovery.backend,
      remembers: options.remember != nil, vault: money?.vault.url, name: name, console: console, json: json)
    if again { report.warnOfLink() }
    // A send that asks is refused instead.
    if again, !asks, credential.mode == .open, let note = try await OfferedElsewhere.note(of: claim.claim.id, in: store)
    {
      console.say(note)
    }
    if let money { report.locked(money, transaction) }

    guard let sender else {
      let link = try await shownLink(of: claim, money, store)
      return await concluded(report.conclude(linkOnly: link), money, report)
    }
    await Interrupt.handle()
    report.began()
    sayWhoGetsIt(credential.mode, report.events)
    options.discovery.warnOfNoNetwork(console)
    let others = OtherSenders(
      discovery, of: options.discovery.serviceType, during: options.time(with: credential), in: credential.mode)
    let other = try await options.otherEnd(.browser, credential, named: Simulation.otherName, console)
    let playing = other.map { other in Task { await other.receive() } }
    defer { playing?.cancel() }
    let outcome: SendOutcome
    do {
      outcome = try await send(claim, by: sender, report, others)
    } catch let error as TransportError where error.code == .cannotListen {
      return report.cannotListen(error)
    }
    if let playing {
      let isSent =
        switch outcome {
        case .delivered, .unknown: true
        default: false
        }
      try await Interrupt.cancels { await OtherEnd.finish(playing, isHandedOver: isSent) }
    }
    if let to {
      switch outcome {
      case .delivered: await options.confirm(to, credential, in: store)
      case .undelivered: report.remembering.missed(to)
      default: break
      }
    }
    if money != nil {
      report.isTakenBack = (try? await store.funding(of: claim.claim, .outgoing))?.forbidsHandover ?? false
    }
    let stored = await self.stored(of: claim.claim.id, after: outcome, store)
    let left = stored.map { claim in claim.deadline.map { max(0, $0 - UnixTime.now()) } ?? 0 }
    var senders = OtherSenders.Seen()
    if case .undelivered(let reason, _, let found) = outcome { senders = await others.near(reason, found) }
    return await concluded(
      report.conclude(outcome, in: stored?.state, inFlightFor: left, besides: senders),
      outcome.mayBeTaken ? money : nil, report)
  }

  /// Whether a person is asked before the claim goes out. A code or a remembered key says who the receiver is.
  var asks: Bool {
    !linkOnly && (options.decide || verify || (Console.canAsk && !options.yes && to == nil && !code))
  }

  /// Says before an open send that nobody is asked, unless the user named --yes: the first receiver gets what is sent.
  func sayWhoGetsIt(_ mode: Mode, _ events: SendEvents) {
    guard mode == .open, !asks, !options.yes else { return }
    events.console.say(
      "There is no terminal to ask on, so the first receiver that accepts gets it. With --code only the right one does."
    )
  }

  /// Whether a no of the person here ends the send: without discovery only one receiver knows the address.
  var endsAtRefusal: Bool { options.discovery.backend == .none && !options.wait }

  /// Releases a new claim for its link, if the user asked for a link instead of a bump.
  private func shownLink(
    of claim: OutgoingClaim, _ money: OutgoingFunding?, _ store: ClaimStore
  ) async throws -> ClaimLink {
    let now = UnixTime.now()
    switch try await store.showLink(of: claim.claim.id, base: LinkBase.of(linkBase, at: money?.vault.url)) {
    case .shown(let link, _): return link
    // Another process was quicker.
    case .shownToReceiver(_, let claim), .withheld(let claim): throw CommandError.notOfferable(claim, at: now)
    case .missing: throw CommandError.missing(claim.claim.id)
    }
  }

  /// Returns the claim as it is in the store after a send, since another process may have sent the claim meanwhile,
  /// shown its link or settled it. `nil` if the store cannot be read. Reads the store only if the outcome does not say.
  private func stored(of id: ClaimID, after outcome: SendOutcome, _ store: ClaimStore) async -> OutgoingClaim? {
    switch outcome {
    case .unknown, .interrupted, .declinedHere, .codeBurnt: try? await store.outgoing(id)
    default: nil
    }
  }

  /// Returns the discovery of the send and, with a code, the search for a free channel. It begins at the start: storing
  /// the claim takes some 12 ms anyway. bump browses by itself even if an avahi-daemon is there.
  func discovery(_ console: Console) async -> ((any Discovery)?, search: CodeSearch?) {
    guard !linkOnly, options.discovery.backend != .none else { return (nil, nil) }
    guard code else { return (await options.makeDiscovery(of: .advertiser, console), nil) }
    let search = CodeSearch(
      EmbeddedDiscovery(interface: options.discovery.interface?.index ?? 0), of: options.discovery.serviceType,
      logger: options.output.logger)
    return (await options.makeDiscovery(of: .advertiser, console), search)
  }

  /// Draws a code, if one was asked for, on a channel that no sender nearby was found to have.
  ///
  /// If others have the channel nevertheless, `SenderRun` reports it. A receiver then goes on to the next sender, and a
  /// code allows two wrong tries. So a send is at risk only if four senders share a channel.
  func drawnCode(_ search: CodeSearch?) async -> Credential? {
    if let search { return .code(await search.code) }
    return code ? .code(OneTimeCode(random: RandomBytes.system.draw)) : nil
  }

  private func sender(
    as name: DisplayName, _ credential: Credential, _ store: ClaimStore, _ discovery: (any Discovery)?,
    _ money: OutgoingFunding?
  ) -> Sender {
    var configuration = Sender.Configuration(name: name)
    configuration.serviceType = options.discovery.serviceType
    configuration.credential = credential
    configuration.rememberAs = options.remember
    configuration.discoveryTimeout = options.time(with: credential) ?? BumpOptions.forever
    configuration.sendTimeout = options.sendTimeout
    configuration.port = port
    configuration.linkBase = LinkBase.of(linkBase, at: money?.vault.url)
    configuration.fallsBack = qr != .never
    configuration.endsAtRefusal = endsAtRefusal
    if money != nil { configuration.expiryMargin = .seconds(expiryMargin.seconds) }
    return Sender(
      store: store, discovery: discovery, transport: options.transport,
      configuration: configuration, logger: options.output.logger)
  }

  private func send(
    _ claim: OutgoingClaim, by sender: Sender, _ report: SendReport, _ others: OtherSenders
  ) async throws -> SendOutcome {
    let progress = Progress(
      options.status("Waiting for a receiver"), options.time(with: report.credential), report.console)
    defer { progress.stop() }
    do {
      let (approve, readmit) = (approval(report.events, of: report.money, report.pairs), readmission(report.events))
      return try await Interrupt.cancels {
        try await sender.send(
          claim,
          onEvent: {
            others.event($0)
            report.event($0, progress)
          }, approve: approve, readmit: readmit)
      }
    } catch let error as StoreError where error.code == .attemptsSpent {
      throw report.attemptsSpent
    }
  }

  /// Returns the closure that approves a receiver before anything is sent, by a program or a person; `nil` to approve
  /// all.
  ///
  /// - Parameters:
  ///   - what: what is sent, in words.
  ///   - pairs: what is sent, for a program.
  func approval(
    _ events: SendEvents, of what: String, _ pairs: [String: JSONLines.Value?]
  ) -> (@Sendable (Sender.Question) async -> Bool)? {
    if options.decide {
      let decisions = Decisions(events.json)
      return { question in
        let asked: [String: JSONLines.Value?] = [
          "digits": .init(question.digits), "peerName": .string(question.name.text),
        ]
        return await decisions.ask(asked.merging(pairs) { $1 })
      }
    }
    guard asks else { return nil }
    return { question in
      await Prompt.comparison(
        of: question.digits, with: "receiver", to: "Send \(what)", about: "\(question.name.quoted) accepts \(what).",
        events.console) ?? false
    }
  }

  /// Returns the closure that asks a person whether to admit a receiver once more; `nil` if no person is asked.
  func readmission(_ events: SendEvents) -> (@Sendable (String) async -> Bool)? {
    guard asks, !options.decide else { return nil }
    return { peer in
      let line =
        "The receiver at \(PeerHost.of(peer)) connected again. It has seen the digits as often as this send allows."
      return await Prompt.readmission(line, events.console)
    }
  }
}

extension LinkDisplay.QR: ArgumentChoice {
  /// The description of the value, for the help and the manual page.
  var defaultValueDescription: String {
    switch self {
    case .auto: "Show the link, and its QR code where it fits the terminal (default)."
    case .never: "Show no link and no QR code. The claim's state does not change."
    }
  }
}
