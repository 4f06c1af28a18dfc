import ArgumentParser
import BumpClaims
import BumpFaults
import BumpKit
import BumpTerminal
import BumpVaultClient
import BumpWire
import Glibc

struct ReceiveCommand: AsyncParsableCommand, SectionedHelp {
  static let configuration = CommandConfiguration(
    commandName: "receive", abstract: "Receive a claim from a sender nearby, or from its link.")

  static let helpSections = [
    HelpSection("What to receive", ["--keep", "--save", "--link"]),
    HelpSection("The sender", ["--from", "--with", "--peer", "--key", "--remember", "--yes"]),
    HelpSection("If no sender comes", ["--wait"]),
    HelpSection("Money in a vault", ["--vault", "--claim"]),
  ]

  // Parsed later: the parser's errors repeat the argument, and no error may repeat a code or a link.
  @Argument(
    help: ArgumentHelp(
      "The sender's code, such as 27-482915, or a claim link, or `-` for a link on stdin.", valueName: "code|link"))
  var what: [String] = []

  @Option(help: ArgumentHelp("Take offers of a sender of this name only.", valueName: "name"))
  var from: String?

  @Flag(help: "Go on receiving until Ctrl-C.")
  var keep = false

  @Option(
    help: ArgumentHelp("Connect to this sender, without discovery.", valueName: "host:port"), transform: Arguments.peer)
  var peer: Endpoint?

  @Option(help: "Receive the claim of this link. `-` asks for the link.")
  var link: String?

  // Parsed later: the parser's errors repeat the argument, and no error may repeat a code.
  @Option(help: "The sender's code, such as 27-482915 (or BUMP_CODE).")
  var code: String?

  @Option(
    help: ArgumentHelp("Receive only from the sender remembered by this name, without asking.", valueName: "name"),
    completion: Completions.names, transform: Arguments.name)
  var with: DisplayName?

  @Flag(help: "Ask before an offer is accepted, even with a code. This needs a terminal.")
  var verify = false

  @Option(
    help: ArgumentHelp("Take contact cards and links too, and save them here.", valueName: "dir"),
    completion: .directory)
  var save: String?

  @Flag(help: "Show the claim's secret in the result.")
  var showSecret = false

  @Flag(
    name: .customLong("claim"),
    help: "Have each claim's money paid into your wallet at once.")
  var claimsAtOnce = false

  @Option(help: PayoutAddress.help, transform: PayoutAddress.init)
  var address: PayoutAddress?

  @Option(parsing: .unconditional, help: Arguments.marginHelp, transform: Arguments.margin)
  var expiryMargin = ExpiryMargin.standard

  @OptionGroup var options: BumpOptions

  var vault: VaultOptions { options.vault }

  func validate() throws {
    let (code, link) = try named()
    try options.validate(verify: verify, asks: with == nil && link == nil)
    if let code { _ = try Arguments.code(code) }
    if [code != nil, options.key != nil, with != nil].count(where: \.self) > 1 {
      throw ValidationError("a code, --key and --with contradict each other")
    }
    if link != nil, code != nil { throw ValidationError("--link and --code contradict each other: a link has no code") }
    if options.remember != nil, options.key != nil || with != nil || link != nil {
      throw ValidationError("--remember is for a bump with a code")
    }
    if let name = options.remember, !keep, code == nil, !canEnterCode, Environment.value("BUMP_CODE") == nil {
      let command = ["bump", "receive", "27-482915"] + ShellCommand.option("--remember", name.text)
      throw ValidationError("--remember needs the sender's code, such as `\(ShellCommand.text(command))`")
    }
    if link != nil, peer != nil { throw ValidationError("--link and --peer are two ways to one claim. Name one") }
    if link != nil, options.wait || options.decide {
      let other = options.wait ? "--wait" : "--decide"
      throw ValidationError("\(typedLink) and \(other) contradict each other: a link needs no sender")
    }
    if options.simulate != nil, link != nil || peer != nil {
      throw ValidationError("--simulate takes no claim of a link or of --peer, which may be real")
    }
    if save != nil, link != nil || options.simulate != nil {
      throw ValidationError("--save is for a bump. Leave out --link and --simulate")
    }
    if keep, options.bothEnds {
      throw ValidationError("--keep and --both-ends contradict each other: the other end hands over one claim")
    }
    if address != nil, !claimsAtOnce { throw ValidationError("--address needs --claim") }
    try address?.check(asks: Console.canAsk && !options.yes)
    if from == "" { throw ValidationError("--from is the name of a sender. Name one, or leave it out") }
    if keep { try validateKeep(hasCode: code != nil, hasLink: link != nil) }
    if options.discovery.backend == .none, peer == nil, link == nil {
      throw ValidationError("--discovery none needs --peer HOST:PORT")
    }
  }

  /// Returns the given code or link, from an option or the argument.
  private func named() throws -> (code: String?, link: String?) {
    guard !what.isEmpty else { return (code, link) }
    guard code == nil, link == nil else { throw ValidationError("name one code or one link") }
    // A code may contain a space, and a terminal may have broken a link.
    let text = what.joined(separator: " ")
    if text == "-" || ArgumentText.isLikeLink(text) { return (nil, text) }
    guard (try? OneTimeCode(text)) != nil else {
      let name = ArgumentText.isLikeName(text) ? ShellCommand.text([text]) : "NAME"
      throw ValidationError(
        "that is neither a code, such as 27-482915, nor a whole claim link. "
          + "For a sender's name: bump receive --from \(name)")
    }
    return (text, nil)
  }

  /// How the person named a link.
  private var typedLink: String { link == nil ? "a link" : "--link" }

  /// Rejects the options for a single claim in combination with `--keep`.
  private func validateKeep(hasCode: Bool, hasLink: Bool) throws {
    let typedCode = code == nil ? "a code" : "--code"
    let others = [
      typedCode: hasCode, typedLink: hasLink, "--peer": peer != nil, "--remember": options.remember != nil,
      "--discovery-timeout": options.discoveryTimeout != nil, "--wait": options.wait,
    ]
    for (other, isGiven) in others.sorted(by: { $0.key < $1.key }) where isGiven {
      let reason = other == typedCode ? ": a code is for one claim" : ""
      throw ValidationError("--keep and \(other) contradict each other\(reason)")
    }
    if options.discovery.backend == .none { throw ValidationError("--keep needs discovery") }
  }

  func run() async throws {
    let json = JSONLines(options.output.json, isSimulated: options.simulate != nil)
    // Errors after the first claim are reported by `ContinuousReceive`.
    throw try await json.concluding(adding: keep ? ["received": 0] : [:]) {
      guard let plan = options.simulate else { return try await perform(json) }
      try vault.forbid(with: "--simulate")
      return try await Simulation(plan: plan).run(Console(quiet: false)) { store in
        var command = self
        command.options = try options.simulated(in: store)
        return try await command.perform(json)
      }
    }
  }

  private func perform(_ json: JSONLines) async throws -> ExitStatus {
    var report = ReceiveReport(
      console: Console(quiet: options.output.quiet), json: json, showSecret: showSecret)
    report.from = from
    report.peer = peer
    report.discovery = options.discovery.backend
    let (code, link) = try named()
    guard let link else { return try await receive(code, report) }
    let receiver = LinkReceiver(
      store: options.store, keyFile: options.key, with: with, vault: vaultCheck, report: report)
    return try await receiver.take(link)
  }

  /// Returns the discovery, which browses already if it is known for what: a key may be in the store. `nil` if none is
  /// used.
  private func browsingAhead(_ code: String?, _ console: Console) async -> (any Discovery)? {
    guard peer == nil, let discovery = await options.makeDiscovery(of: .browser, console) else { return nil }
    guard options.key == nil, with == nil else { return discovery }
    // If the code is not valid, the receive ends soon.
    let code = try? given(code)
    return discovery.browsingAhead(options.discovery.serviceType, subtype: code.map { .ofChannel($0.channel) })
  }

  private var vaultCheck: VaultCheck {
    VaultCheck(vault: vault, paysAtOnce: claimsAtOnce, address: address, margin: expiryMargin, yes: options.yes)
  }

  private func receive(_ code: String?, _ report: ReceiveReport) async throws -> ExitStatus {
    var configuration = Receiver.Configuration(name: try options.displayName())
    // Browses while the store opens. Connects to no sender before the store is open.
    async let discovery = browsingAhead(code, report.console)
    let store = try await options.store.open()
    try await Reminder.show(store, links: false, at: UnixTime.now(), report.console)
    let money = try await vaultCheck.money(in: store, report.console)
    configuration.serviceType = options.discovery.serviceType
    let known = try await options.credential(of: with, for: .incoming, in: store)
    configuration.credential = try given(code).map { .code($0) } ?? known
    configuration.rememberAs = options.remember
    let time = options.time(with: configuration.credential)
    configuration.discoveryTimeout = time ?? BumpOptions.forever
    configuration.sendTimeout = options.sendTimeout
    configuration.from = from
    // With --yes the first one is taken, and a program decides about each offer.
    configuration.refusesNamesakes = !asks && !options.decide && !options.yes
    configuration.peer = peer
    configuration.folder = try save.map(Self.folder)
    var report = report
    report.hasVault = money != nil
    if configuration.credential == .none {
      configuration.remembered = try await store.rememberedSenders(limit: Self.mostRemembered).map {
        RememberedSender(name: $0.name, key: $0.key)
      }
    }
    report.remembered = configuration.remembered.map(\.name)
    report.decisions = options.decide ? Decisions(report.json) : nil
    prepare(&report, for: configuration.credential)
    // A sender without a code is received from too, but not remembered.
    if let name = options.remember, configuration.credential == .none {
      report.console.say("Waiting for a sender with a code, to remember it as \(name.quoted).")
    }
    report.sayWhatIsAccepted(keeps: keep)
    if peer == nil { options.discovery.warnOfNoNetwork(report.console) }
    let receiver = Receiver(
      store: store, discovery: await discovery, transport: options.transport, configuration: configuration,
      logger: options.output.logger)

    let other = try await options.otherEnd(
      .advertiser, configuration.credential, named: from.flatMap { try? DisplayName(own: $0) } ?? Simulation.otherName,
      report.console)
    let playing = other.map { other in Task { await other.send() } }
    defer { playing?.cancel() }
    let decide = decision(report)
    if keep { return await ContinuousReceive(receiver, report, money).run(decide, documents(report)) }
    return try await Interrupt.cancels { [report, configuration] in
      var outcome = try await receive(by: receiver, time, decide, report)
      // The keys of those who are remembered were tried.
      if peer != nil, !configuration.remembered.isEmpty, outcome.wantsKey { outcome = .wrongKey }
      if let playing { await OtherEnd.finish(playing, isHandedOver: outcome.stored != nil) }
      if let with { await concluded(outcome, with, configuration.credential, store, report) }
      var report = report
      report.since = await outcome.since(in: store)
      return await vaultCheck.reported(outcome, money, report)
    }
  }

  /// The greatest number of remembered senders that are recognized without being named. Each costs some microseconds for
  /// each sender with a key.
  private static let mostRemembered = 64

  /// Opens the directory for cards and links. Makes it if there is none, for its owner alone.
  private static func folder(_ path: String) throws -> DocumentFolder {
    // If it cannot be made, opening it says why.
    _ = mkdir(path, 0o700)
    return try DocumentFolder(path)
  }

  private func prepare(_ report: inout ReceiveReport, for credential: Credential) {
    report.mode = credential.mode
    report.asksForCodes = canEnterCode
    report.wanted = wanted(credential)
    // A code, a key or a remembered name says whose offer is accepted.
    report.isUnasked = !asks && !options.decide && !options.yes && credential.mode == .open
    if case .code(let code) = credential { report.code = code }
  }

  /// Whether a person can be asked for a code.
  private var canEnterCode: Bool { Console.canAsk && !options.decide }

  /// Receives one claim, with a status line.
  private func receive(
    by receiver: Receiver, _ time: Duration?, _ decide: (@Sendable (Receiver.Question) async -> Bool)?,
    _ report: ReceiveReport
  ) async throws -> ReceiveOutcome {
    let progress = Progress(options.status("Waiting for a sender"), ofPeer: "has yet to decide", time, report.console)
    defer { progress.stop() }
    let typeCode: @Sendable (String) async -> OneTimeCode? = { await report.enterCode(of: $0, progress) }
    let enterCode = report.asksForCodes ? typeCode : nil
    let pick: @Sendable ([Receiver.Candidate]) async -> Receiver.Candidate? = { await report.choose($0) }
    let choose = asks && !options.decide ? pick : nil
    return try await receiver.receive(
      onEvent: { report.event($0, progress) }, decide: decide, enterCode: enterCode, choose: choose,
      decideDocument: documents(report))
  }

  /// Returns the wanted sender in words; `nil` for any sender.
  private func wanted(_ credential: Credential) -> String? {
    switch credential {
    case .key: with.map(\.quoted) ?? "a sender with this key"
    default: nil
    }
  }

  /// Returns the closure that decides about an offer, by a program or a person; `nil` to accept all.
  private func decision(_ report: ReceiveReport) -> (@Sendable (Receiver.Question) async -> Bool)? {
    let decide = answer(report)
    guard let simulation = options.simulate.map(Simulation.init) else { return decide }
    return { question in
      // A real claim would be lost with this store.
      guard Simulation.isSimulated(question.offer.token) else { return false }
      // If the task is cancelled, the answer does not count.
      if let slowness = simulation.slowness { try? await Task.sleep(for: slowness) }
      return await decide?(question) ?? true
    }
  }

  /// Whether a person may be asked before an offer is accepted.
  private var asks: Bool { verify || (Console.canAsk && !options.yes && with == nil) }

  /// Whether no digits are compared: the code that the person has typed, or the key of somebody whom they remember,
  /// shows who the sender is.
  ///
  /// - Parameter remembered: the remembered name of the sender, proved by its key. With `--keep` the person is asked, who
  ///   may wait for somebody else.
  private func isProved(_ report: ReceiveReport, _ remembered: DisplayName?) -> Bool {
    !verify && (report.code != nil || remembered != nil && !keep)
  }

  /// Returns the closure that decides about a card or a link; `nil` to accept all.
  private func documents(_ report: ReceiveReport) -> (@Sendable (Receiver.DocumentQuestion) async -> Bool)? {
    if let decisions = report.decisions { return { await report.ask($0, decisions) } }
    guard asks else { return nil }
    return { isProved(report, $0.remembered) ? true : await report.ask($0) }
  }

  private func answer(_ report: ReceiveReport) -> (@Sendable (Receiver.Question) async -> Bool)? {
    if let decisions = report.decisions { return { await report.ask($0, decisions) } }
    guard asks else { return nil }
    return { isProved(report, $0.remembered) ? true : await report.ask($0) }
  }

  /// Concludes a receive from a remembered sender: confirms the key, or hints at forgetting it.
  private func concluded(
    _ outcome: ReceiveOutcome, _ name: DisplayName, _ credential: Credential, _ store: ClaimStore,
    _ report: ReceiveReport
  ) async {
    switch outcome {
    case .received, .duplicate, .conflicting: await options.confirm(name, credential, in: store)
    case .wrongKey, .nobody: report.remembering.missed(name)
    default: break
    }
  }

  /// Returns the code from the argument, or otherwise from BUMP_CODE.
  private func given(_ code: String?) throws -> OneTimeCode? {
    if let code { return try Arguments.code(code) }
    guard options.key == nil, with == nil, let code = Environment.value("BUMP_CODE") else { return nil }
    // Ignoring BUMP_CODE would accept claims from senders without the code.
    if keep { throw CommandError(.usage, "BUMP_CODE and --keep contradict each other: a code is for one claim") }
    do {
      return try OneTimeCode(code)
    } catch {
      throw CommandError(.usage, "BUMP_CODE: \(error)")
    }
  }
}

extension ReceiveOutcome {
  /// Whether the only sender requires a key, and none was given.
  fileprivate var wantsKey: Bool {
    if case .nobody(_, let found) = self { found.first?.reason == .failed(.otherMode(.key)) } else { false }
  }
}
