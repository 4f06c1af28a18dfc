import ArgumentParser
import BumpClaims
import BumpFaults
import BumpKit
import BumpNet
import BumpSimulation
import BumpTerminal
import BumpVaultAPI

/// The options of send and receive.
///
/// They have the options for the vault, discovery, output and the store themselves, where other commands have groups of
/// them: the parser asks Swift's runtime five questions about each group, which are 2 % of what a bump computes.
struct BumpOptions: ParsableArguments {
  @Option(name: .customLong("vault"), help: VaultOptions.help, transform: Arguments.vault)
  var vaultURL: VaultURL?

  @Option(name: .customLong("wallet"), help: Wallet.help, completion: .file(), transform: Arguments.walletPath)
  var walletPath: String?

  @Option(
    help: "Your name on the other side's screen (or BUMP_NAME, by default your login name).", transform: Arguments.name
  )
  var name: DisplayName?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long to wait for the other side (default: 10, with a code 60, without discovery 120).",
      valueName: "seconds"),
    transform: Arguments.discoveryTimeout)
  var discoveryTimeout: Duration?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long to wait for answers in one handover, in total (default: 5).", valueName: "seconds"),
    transform: Arguments.seconds)
  var sendTimeout: Duration = Times.sending

  @Flag(help: "Wait for the other side until Ctrl-C.")
  var wait = false

  @Option(help: DiscoveryOptions.serviceTypeHelp, transform: Arguments.serviceType)
  var serviceType = ServiceType.irlBump

  @Option(name: .customLong("discovery"), help: DiscoveryOptions.backendHelp)
  var backend = DiscoveryOptions.Backend.auto

  @Option(help: DiscoveryOptions.interfaceHelp, completion: Completions.interfaces, transform: Arguments.interface)
  var interface: NetworkInterface?

  @Option(
    help: ArgumentHelp("Require this key on the other side (or BUMP_KEY_FILE).", valueName: "file"),
    completion: .file())
  var key: String?

  @Option(
    help: ArgumentHelp("With a code, remember the other side by this name.", valueName: "name"),
    transform: Arguments.name)
  var remember: DisplayName?

  @Option(
    help: ArgumentHelp(
      "Simulate a failure, with a claim of TEST and simulated peers only: `bump simulate list`.",
      valueName: "profile[:seed]"),
    completion: .list(FaultProfile.all.filter { $0.wire == .bump }.map(\.name)), transform: Arguments.plan)
  var simulate: FaultPlan?

  @Flag(help: "With --simulate, play the other end too: no second terminal is needed.")
  var bothEnds = false

  @Flag(help: "Accept the first receiver or sender without asking.")
  var yes = false

  @Flag(help: "With --json, ask the program that reads the events. On stdin it answers question 1 by `y 1` or `n 1`.")
  var decide = false

  @Flag(help: OutputOptions.jsonHelp)
  var json = false

  @Flag(help: OutputOptions.quietHelp)
  var quiet = false

  @Flag(help: OutputOptions.verboseHelp)
  var verbose = false

  @Option(
    name: .customLong("store"), help: StoreOptions.help, completion: .file(), transform: Arguments.storePath)
  var storePath: String?

  var vault: VaultOptions {
    var options = VaultOptions()
    (options.vault, options.walletPath) = (vaultURL, walletPath)
    return options
  }

  var discovery: DiscoveryOptions {
    var options = DiscoveryOptions()
    (options.serviceType, options.backend, options.interface) = (serviceType, backend, interface)
    return options
  }

  var output: OutputOptions {
    var options = OutputOptions()
    (options.json, options.quiet, options.verbose) = (json, quiet, verbose)
    return options
  }

  var store: StoreOptions {
    var options = StoreOptions()
    options.store = storePath
    return options
  }

  /// - Parameters:
  ///   - verify: whether the user insists on being asked.
  ///   - asks: whether a person, if there is one, is asked before money moves.
  func validate(verify: Bool, asks: Bool) throws {
    if verify, yes { throw ValidationError("--verify and --yes contradict each other") }
    if decide, verify { throw ValidationError("--decide and --verify contradict each other") }
    if decide, yes { throw ValidationError("--decide and --yes contradict each other") }
    if decide, !json { throw ValidationError("--decide needs --json") }
    if verify, !Console.canAsk { throw ValidationError("--verify needs a terminal to ask on") }
    // A person at a terminal expects to be asked.
    if asks, !yes, !decide, Console.cannotShowQuestions {
      throw ValidationError(
        "the question cannot be shown: stderr is not a terminal, and no other is open. Do not redirect stderr, or name "
          + "--yes to go on unasked")
    }
    if simulate != nil, storePath != nil || serviceType != .irlBump {
      throw ValidationError(
        "--simulate has a store and a service type of its own. Leave out --store and --service-type")
    }
    if simulate != nil, backend == .none {
      throw ValidationError("--simulate meets others by discovery. Leave out --discovery none")
    }
    if simulate == nil, serviceType.name == Simulation.serviceType {
      throw ValidationError("the service type \(Simulation.serviceType) is for --simulate")
    }
    if bothEnds, simulate == nil { throw ValidationError("--both-ends needs --simulate PROFILE") }
    if wait, discoveryTimeout != nil { throw ValidationError("--wait and --discovery-timeout contradict each other") }
  }

  /// Returns the chosen discovery, with the faults of the plan; `nil` for none.
  func makeDiscovery(of side: FaultSide, _ console: Console) async -> (any Discovery)? {
    guard let simulate else { return await discovery.make(console) }
    return await discovery.make(console).map { FaultyDiscovery($0, simulate, of: side) }
  }

  /// TCP, with the faults of the plan.
  var transport: any Transport {
    let transport = TCPTransport(interface: interface)
    return simulate.map { FaultyTransport(transport, $0) } ?? transport
  }

  /// Returns these options for a simulation with this store. Where this process plays both ends, they have a service
  /// type of their own, so that they meet each other alone.
  func simulated(in store: String) throws -> BumpOptions {
    var options = self
    options.storePath = store
    options.serviceType = try ServiceType(bothEnds ? Simulation.ownServiceType() : Simulation.serviceType)
    return options
  }

  /// Returns a status, marked as simulated in a simulation.
  func status(_ text: String) -> String { simulate == nil ? text : "SIMULATED: \(text)" }

  func displayName() throws -> DisplayName {
    if let name { return name }
    if let name = Environment.value("BUMP_NAME") {
      do {
        return try Arguments.name(name)
      } catch {
        throw CommandError(.usage, "BUMP_NAME: \(error)")
      }
    }
    return Environment.loginName
  }

  /// Returns the key in the given key file; `nil` without one.
  func sharedKey() throws -> SharedKey? { try KeyFile.named(key) }

  /// Returns the key of a remembered name for claims of a direction, or otherwise that of the key file, as a credential.
  func credential(
    of name: DisplayName?, for direction: ClaimStore.Direction, in store: ClaimStore
  ) async throws -> Credential {
    if let remember, try await store.agreedKey(of: remember) != nil {
      throw CommandError(
        .failure,
        "\(remember.quoted) is remembered already",
        remedy: "Take another name, or forget the key: "
          + ShellCommand.text(["bump", "key", "forget"] + ShellCommand.argument(remember.text)))
    }
    guard let name else { return try sharedKey().map { .key($0) } ?? .none }
    let key = try await Self.key(of: name, for: direction, in: store)
    if try await store.isConfirmed(name) == false {
      Console(quiet: quiet).say("It is not known whether \(name.quoted) remembers you.")
    }
    return .key(key)
  }

  /// Confirms that the other end remembers this one: it had the key.
  func confirm(_ name: DisplayName, _ credential: Credential, in store: ClaimStore) async {
    guard case .key(let key) = credential else { return }
    // A failure costs only the note in `bump key list`.
    try? await store.confirm(key, of: name)
  }

  /// Returns the key of a remembered name for claims, cards and links of a direction.
  ///
  /// - Parameter store: the store; `nil` if there is none yet.
  static func key(
    of name: DisplayName, for direction: ClaimStore.Direction, in store: ClaimStore?
  ) async throws -> SharedKey {
    guard let key = try await store?.key(of: name, for: direction) else {
      throw CommandError(
        .failure, "nobody is remembered as \(name.quoted)", remedy: "`bump key list` lists the names that are")
    }
    return key
  }

  /// Returns the path of the key file, if it is the credential.
  ///
  /// - Parameter other: whether there is another credential.
  func keyFile(besides other: Bool) -> String? { other ? nil : key ?? Environment.value("BUMP_KEY_FILE") }

  /// The time limit that means "until Ctrl-C".
  static let forever: Duration = .seconds(100 * 365 * 86400)

  /// Returns how long to wait for the other side: longer if a person has to type; `nil` for until Ctrl-C.
  func time(with credential: Credential) -> Duration? {
    if wait { return nil }
    if let discoveryTimeout { return discoveryTimeout }
    if backend == .none { return Times.withoutDiscovery }
    return credential.mode == .code ? Times.withCode : Times.discovery
  }
}
