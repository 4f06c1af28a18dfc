import ArgumentParser
import BumpChannel
import BumpKit
import BumpWire
import Glibc

struct ReceiveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "receive", abstract: "Receive a claim from a sender nearby, or from its link.")

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

  @Option(help: "Take the claim of this link, or of the link on stdin where it is `-`.")
  var link: String?

  // Text, since the parser repeats what it cannot transform, and a code is not to be repeated.
  @Option(help: "The sender's code, such as 27-482915 (or BUMP_CODE).")
  var code: String?

  @Option(help: "Only from who is remembered by this name, without asking.", transform: Arguments.name)
  var with: DisplayName?

  @Flag(help: "Insist on being asked before an offer is accepted.")
  var verify = false

  @Flag(help: "Show the claim's secret in the result.")
  var showSecret = false

  @OptionGroup var options: BumpOptions

  func validate() throws {
    if verify, options.yes { throw ValidationError("--verify and --yes contradict each other") }
    if let code { _ = try Arguments.code(code) }
    if [code != nil, options.key != nil, with != nil].count(where: \.self) > 1 {
      throw ValidationError("--code, --key and --with contradict each other")
    }
    if verify, !Console.canAsk { throw ValidationError("--verify needs a terminal to ask on") }
    if link != nil, code != nil { throw ValidationError("--link and --code contradict each other: a link has no code") }
    if link != nil, peer != nil { throw ValidationError("--link and --peer are two ways to one claim; name one") }
    if from?.isEmpty == true { throw ValidationError("--from is a sender's name or its number in the list") }
    if keep { try validateKeep() }
    if options.discovery == .none, peer == nil, link == nil {
      throw ValidationError("--discovery none needs --peer HOST:PORT")
    }
  }

  /// What is for one claim has no place where there are many.
  private func validateKeep() throws {
    let others = [
      "--code": code != nil, "--link": link != nil, "--peer": peer != nil, "--remember": options.remember != nil,
      "--discovery-timeout": options.discoveryTimeout != nil,
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
      if let peer {
        report.absence = "\(peer) was not reached in time; `bump doctor --peer \(peer)` tells why"
      }
      return if let link { try await take(link, report) } else { try await receive(report) }
    }
  }

  private func receive(_ report: ReceiveReport) async throws -> ExitStatus {
    var configuration = Receiver.Configuration(name: try options.displayName())
    // The question for senders goes out while the store opens. Nobody is answered before it is open.
    async let discovery = peer == nil ? options.makeDiscovery()?.browsingAhead(options.serviceType) : nil
    let store = try await options.store.open()
    try await Reminder.show(store, at: UnixTime.now(), report.console)
    configuration.serviceType = options.serviceType
    let known = try await options.credential(of: with, in: store)
    configuration.credential = try givenCode().map { .code($0) } ?? known
    configuration.rememberAs = options.remember
    configuration.discoveryTimeout = options.time(with: configuration.credential)
    configuration.sendTimeout = options.sendTimeout
    configuration.from = from
    configuration.peer = peer
    configuration.position = position
    let receiver = Receiver(
      store: store, discovery: await discovery, transport: TCPTransport(interface: options.interface),
      configuration: configuration, logger: options.output.logger)

    let isAsked = verify || (Console.canAsk && !options.yes && with == nil)
    if keep { return try await KeptReceive(receiver, report).run(asking: isAsked) }
    let countdown = Countdown("Waiting for a sender", configuration.discoveryTimeout, report.console)
    defer { countdown.stop() }
    let ask: @Sendable (Receiver.Question) async -> Bool = { await report.ask($0, countdown) }
    let decide = isAsked ? ask : nil
    let typeCode: @Sendable (String) async -> OneTimeCode? = { await report.enterCode(of: $0, countdown) }
    let enterCode = Console.canAsk ? typeCode : nil
    let pick: @Sendable ([Receiver.Candidate]) async -> Receiver.Candidate? = { await report.choose($0, countdown) }
    let choose = isAsked ? pick : nil
    let outcome = try await Interrupt.cancels {
      try await receiver.receive(
        onEvent: { event in
          switch event {
          case .connected: countdown.pause()
          case .sessionFailed, .declined: countdown.resume()
          default: break
          }
          report.event(event)
        }, decide: decide, enterCode: enterCode, choose: choose)
    }
    countdown.stop()
    return report.result(outcome)
  }

  /// The code that was given: an argument's comes before the environment's.
  private func givenCode() throws -> OneTimeCode? {
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

  /// The first line on stdin, as far as a link can be long.
  private static func line() -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < 4096, read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Takes a claim from its link.
  private func take(_ argument: String, _ report: ReceiveReport) async throws -> ExitStatus {
    let text = argument == "-" ? Self.line() : argument
    let key = try options.sharedKey()
    let verified: VerifiedClaim
    do {
      verified = try UnverifiedClaimLink(text.filter { !$0.isWhitespace }).verify(key: key)
    } catch {
      throw CommandError(.unauthenticated, "\(error)")
    }
    let now = UnixTime.now()
    guard !verified.expiry.hasPassed(at: now) else { return report.expired(verified.claim) }
    let status = try await options.store.open().store(verified, at: now)
    report.event(.stored(status))
    return report.result(ReceiveOutcome(verified, status))
  }
}
