import ArgumentParser
import BumpChannel
import BumpKit
import BumpWire
import Glibc

struct ReceiveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "receive", abstract: "Receive a claim from a sender nearby, or from its link.")

  // Text, since the parser repeats what it cannot transform, and neither a code nor a link is to be repeated.
  @Argument(
    help: ArgumentHelp(
      "The sender's code, such as 27-482915, or a claim link, or `-` for a link on stdin.", valueName: "code|link"))
  var what: [String] = []

  @Option(
    help: ArgumentHelp(
      "Take offers of this sender only, by the name as it is shown, or by the number in the list of senders by name.",
      valueName: "name|number"))
  var from: String?

  @Flag(help: "Go on receiving until Ctrl-C.")
  var keep = false

  @Option(
    help: ArgumentHelp("Connect to this sender, without discovery.", valueName: "host:port"), transform: Arguments.peer)
  var peer: Endpoint?

  @Option(help: "Take the claim of a link: `-` reads it from stdin, and asks for it on a terminal.")
  var link: String?

  // Text, since the parser repeats what it cannot transform, and a code is not to be repeated.
  @Option(help: "The sender's code, such as 27-482915 (or BUMP_CODE).")
  var code: String?

  @Option(
    help: "Only from who is remembered by this name, without asking.", completion: Completions.names,
    transform: Arguments.name)
  var with: DisplayName?

  @Flag(help: "Insist on being asked before an offer is accepted.")
  var verify = false

  @Flag(help: "Show the claim's secret in the result.")
  var showSecret = false

  @OptionGroup var options: BumpOptions

  func validate() throws {
    try options.validate(verify: verify)
    let (code, link) = try named()
    if let code { _ = try Arguments.code(code) }
    if [code != nil, options.key != nil, with != nil].count(where: \.self) > 1 {
      throw ValidationError("--code, --key and --with contradict each other")
    }
    if verify, !Console.canAsk { throw ValidationError("--verify needs a terminal to ask on") }
    if link != nil, code != nil { throw ValidationError("--link and --code contradict each other: a link has no code") }
    if options.remember != nil, options.key != nil || with != nil || link != nil {
      throw ValidationError("--remember is for a bump with a code")
    }
    if link != nil, peer != nil { throw ValidationError("--link and --peer are two ways to one claim; name one") }
    if link != nil, options.wait || options.decide {
      throw ValidationError(
        "--link and \(options.wait ? "--wait" : "--decide") contradict each other: nobody is waited for")
    }
    try validateFrom()
    if keep { try validateKeep(hasCode: code != nil, hasLink: link != nil) }
    if options.discovery == .none, peer == nil, link == nil {
      throw ValidationError("--discovery none needs --peer HOST:PORT")
    }
  }

  /// The code and the link that were given, by option or alone.
  private func named() throws -> (code: String?, link: String?) {
    guard !what.isEmpty else { return (code, link) }
    guard code == nil, link == nil else { throw ValidationError("name one code or one link") }
    // A code may be typed with a space in it, and a terminal may have broken a link.
    let text = what.joined(separator: " ")
    if text == "-" || text.contains("#") || text.contains("://") { return (nil, text) }
    guard (try? OneTimeCode(text)) != nil else {
      throw ValidationError("that is neither a code, such as 27-482915, nor a whole claim link")
    }
    return (text, nil)
  }

  private func validateFrom() throws {
    guard let from else { return }
    if from.isEmpty { throw ValidationError("--from is a sender's name or its number in the list") }
    guard from.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return }
    if position == nil {
      throw ValidationError(#"--from counts the list from 1 to 99; a name of digits alone is quoted, as in '"007"'"#)
    }
    if keep {
      throw ValidationError("--keep asks nobody to choose from a list: --from takes a name with it, no number")
    }
  }

  /// What is for one claim has no place where there are many.
  private func validateKeep(hasCode: Bool, hasLink: Bool) throws {
    let others = [
      "--code": hasCode, "--link": hasLink, "--peer": peer != nil, "--remember": options.remember != nil,
      "--discovery-timeout": options.discoveryTimeout != nil, "--wait": options.wait,
    ]
    for (other, isGiven) in others.sorted(by: { $0.key < $1.key }) where isGiven {
      throw ValidationError("--keep and \(other) contradict each other")
    }
    if options.discovery == .none { throw ValidationError("--keep needs discovery") }
  }

  /// The place in the list of senders that `--from` gives, where it is a number.
  private var position: Int? {
    guard let from, from.wholeMatch(of: /[1-9][0-9]?/) != nil else { return nil }
    return Int(from)
  }

  func run() async throws {
    let json = JSONLines(options.output.json)
    throw try await json.concluding {
      var report = ReceiveReport(
        console: Console(quiet: options.output.quiet), json: json, showSecret: showSecret)
      if let wanted = position.map({ "sender \($0)" }) ?? from.map({ VisibleText.of($0) }) {
        report.absence = "\(wanted) was not found in time; `bump browse` tells who is near"
      }
      report.isDirect = peer != nil
      if let peer {
        report.absence = "\(peer) was not reached in time; `bump doctor --peer \(peer)` tells why"
      }
      let (code, link) = try named()
      return if let link { try await take(link, report) } else { try await receive(code, report) }
    }
  }

  private func receive(_ code: String?, _ report: ReceiveReport) async throws -> ExitStatus {
    var configuration = Receiver.Configuration(name: try options.displayName())
    // The question for senders goes out while the store opens. Nobody is answered before it is open.
    async let discovery = peer == nil ? options.makeDiscovery()?.browsingAhead(options.serviceType) : nil
    let store = try await options.store.open()
    try await Reminder.show(store, at: UnixTime.now(), report.console)
    configuration.serviceType = options.serviceType
    let known = try await options.credential(of: with, in: store)
    configuration.credential = try given(code).map { .code($0) } ?? known
    configuration.rememberAs = options.remember
    let time = options.time(with: configuration.credential)
    configuration.discoveryTimeout = time ?? BumpOptions.forever
    configuration.sendTimeout = options.sendTimeout
    configuration.from = from
    configuration.peer = peer
    configuration.position = position
    var report = report
    prepare(&report, for: configuration.credential)
    let receiver = Receiver(
      store: store, discovery: await discovery, transport: TCPTransport(interface: options.interface),
      configuration: configuration, logger: options.output.logger)

    let decide = decision(report)
    if keep { return try await KeptReceive(receiver, report).run(decide) }
    return try await Interrupt.cancels { [report, configuration] in
      var outcome = try await receive(by: receiver, time, decide, report)
      // A slip of the person's is put right at once, as long as it has not burnt the code.
      for left in [2, 1] where outcome == .wrongCode && Console.canAsk && !options.decide {
        guard let code = await report.enterCodeAgain(left: left) else { break }
        outcome = try await receive(again: .code(code), configuration, store, decide, report)
      }
      if peer != nil, with == nil, configuration.credential == .none, outcome.wantsKey {
        outcome = try await tryRemembered(outcome, configuration, store, decide, report)
      }
      if let with { await concluded(outcome, with, configuration.credential, store, report) }
      return report.result(Task.isCancelled && outcome == .wrongCode ? .interrupted : outcome)
    }
  }

  private func prepare(_ report: inout ReceiveReport, for credential: Credential) {
    report.mode = credential.mode
    report.wanted = wanted(credential)
    if case .code(let code) = credential { report.code = code }
  }

  /// Receives once more, with what the sender must know too.
  private func receive(
    again credential: Credential, _ configuration: Receiver.Configuration, _ store: ClaimStore,
    _ decide: (@Sendable (Receiver.Question) async -> Bool)?, _ report: ReceiveReport
  ) async throws -> ReceiveOutcome {
    var (configuration, report) = (configuration, report)
    configuration.credential = credential
    prepare(&report, for: credential)
    let receiver = Receiver(
      store: store, discovery: peer == nil ? await options.makeDiscovery() : nil,
      transport: TCPTransport(interface: options.interface), configuration: configuration, logger: options.output.logger
    )
    return try await receive(by: receiver, options.time(with: credential), decide, report)
  }

  /// Receives from the one sender there is, which wants a key, with those that are remembered: the sender does not know by
  /// what name it is remembered here. The person is asked all the same, since they did not name anybody.
  private func tryRemembered(
    _ outcome: ReceiveOutcome, _ configuration: Receiver.Configuration, _ store: ClaimStore,
    _ decide: (@Sendable (Receiver.Question) async -> Bool)?, _ report: ReceiveReport
  ) async throws -> ReceiveOutcome {
    var outcome = outcome
    for name in try await store.rememberedNames() {
      guard let key = try await store.key(of: name), !Task.isCancelled else { continue }
      outcome = try await receive(again: .key(key), configuration, store, decide, report)
      guard outcome == .wrongKey else {
        await concluded(outcome, name, .key(key), store, report)
        return outcome
      }
    }
    return outcome
  }

  /// Receives one claim, and shows what is waited for meanwhile.
  private func receive(
    by receiver: Receiver, _ time: Duration?, _ decide: (@Sendable (Receiver.Question) async -> Bool)?,
    _ report: ReceiveReport
  ) async throws -> ReceiveOutcome {
    let progress = Progress("Waiting for a sender", time, report.console)
    defer { progress.stop() }
    let typeCode: @Sendable (String) async -> OneTimeCode? = { await report.enterCode(of: $0, progress) }
    let enterCode = Console.canAsk && !options.decide ? typeCode : nil
    let pick: @Sendable ([Receiver.Candidate]) async -> Receiver.Candidate? = { await report.choose($0) }
    let choose = decide != nil && !options.decide ? pick : nil
    return try await receiver.receive(
      onEvent: { report.event($0, progress) }, decide: decide, enterCode: enterCode, choose: choose)
  }

  /// The sender that is looked for, in words, where not anybody will do.
  private func wanted(_ credential: Credential) -> String? {
    switch credential {
    case .code(let code): "a sender on channel \(code.channel)"
    case .key: with.map(\.quoted) ?? "a sender with this key"
    default: nil
    }
  }

  /// What decides about an offer: a program, a person, or nobody, and then each is accepted.
  private func decision(_ report: ReceiveReport) -> (@Sendable (Receiver.Question) async -> Bool)? {
    if options.decide {
      let decisions = Decisions(report.json)
      return { await report.ask($0, decisions) }
    }
    guard verify || (Console.canAsk && !options.yes && with == nil) else { return nil }
    return { await report.ask($0) }
  }

  /// A receive from who is remembered: what its end says of the key.
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

  /// The code that was given: an argument's comes before the environment's.
  private func given(_ code: String?) throws -> OneTimeCode? {
    if let code { return try Arguments.code(code) }
    guard options.key == nil, with == nil, let code = Environment.value("BUMP_CODE") else { return nil }
    // To leave it out would be to take claims of those who do not know it.
    if keep { throw CommandError(.usage, "BUMP_CODE and --keep contradict each other: a code is for one claim") }
    do {
      return try OneTimeCode(code)
    } catch {
      throw CommandError(.usage, "BUMP_CODE: \(error)")
    }
  }

  /// The claim of the link that was given, or is read from stdin: of the first line, or of what a person types or pastes.
  ///
  /// - Returns: The claim, and the name that its key is remembered by.
  private func checked(_ link: String, _ console: Console) async throws -> (VerifiedClaim, DisplayName?) {
    if link == "-", Console.canAsk {
      let claim = try await Prompt.link(
        "The link:", console, isWhole: { Self.isWhole($0) || !$0.hasPrefix("https://") },
        read: { try await check(UnverifiedClaimLink($0)) }, isObjection: Self.isOfLink)
      guard let claim else { throw CommandError(.unauthenticated, "no link was entered; nothing was received") }
      return claim
    }
    if link != "-" {
      console.say("A link on the command line can be seen by others here (ps); `bump receive --link -` asks for it.")
    }
    do {
      return try await check(UnverifiedClaimLink((link == "-" ? readLine() ?? "" : link).filter { !$0.isWhitespace }))
    } catch let error where Self.isOfLink(error) {
      throw CommandError(.unauthenticated, "\(error)")
    }
  }

  private static func isOfLink(_ error: any Error) -> Bool { error is WireError || error is SecureChannelError }

  /// Whether the text of a link goes on to its mac's end, so that nothing of it is in a line that is still to come.
  private static func isWhole(_ text: String) -> Bool { text.contains(/&m=[A-Za-z0-9_-]{22}/) }

  /// Takes a claim from its link.
  private func take(_ link: String, _ report: ReceiveReport) async throws -> ExitStatus {
    let (verified, maker) = try await checked(link, report.console)
    let now = UnixTime.now()
    guard !verified.expiry.hasPassed(at: now) else { return report.expired(verified.claim) }
    let status = try await options.store.open().store(verified, at: now)
    report.event(.stored(status), nil)
    return report.result(ReceiveOutcome(verified, status), madeBy: maker)
  }

  /// Checks a link: with the key that was named; or else without one, and then with those that are remembered, since the
  /// sender does not know by what name it is remembered here.
  ///
  /// - Returns: The claim, and the name that its key is remembered by.
  private func check(_ link: UnverifiedClaimLink) async throws -> (VerifiedClaim, DisplayName?) {
    if with == nil, let key = try options.sharedKey() { return (try link.verify(key: key), nil) }
    let store = try await options.store.openForReading()
    if let with { return (try link.verify(key: try await options.key(of: with, in: store)), with) }
    if let verified = try? link.verify() { return (verified, nil) }
    for name in try await store?.rememberedNames() ?? [] {
      if let key = try await store?.key(of: name), let verified = try? link.verify(key: key) { return (verified, name) }
    }
    return (try link.verify(), nil)
  }
}

extension ReceiveOutcome {
  /// Whether the only sender there is wants a key, and none was named.
  fileprivate var wantsKey: Bool {
    if case .nobody(_, let found) = self { found.first?.reason == .failed(.dismissed(.mode)) } else { false }
  }
}
