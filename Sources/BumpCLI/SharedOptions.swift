import ArgumentParser
import BumpDiscovery
import BumpKit
import BumpWire
import Glibc
import Logging

/// How much is said, and in which form.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Write one JSON object a line to stdout, and nothing else.")
  var json = false

  @Flag(help: "Say nothing on stderr but errors and questions.")
  var quiet = false

  @Flag(help: "Log what happens to stderr; never a secret.")
  var verbose = false

  var logger: Logger {
    guard verbose else { return Logger(label: "bump", factory: { _ in SwiftLogNoOpLogHandler() }) }
    var logger = Logger(label: "bump", factory: { StreamLogHandler.standardError(label: $0) })
    logger.logLevel = .debug
    return logger
  }
}

/// Where the claims are kept.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file the claims are kept in (or BUMP_STORE; by default $XDG_DATA_HOME/bump/bump.sqlite).", valueName: "path"),
    completion: .file(), transform: Arguments.storePath)
  var store: String?

  /// Where the person wants the store; `nil` where they did not say.
  private var named: String? { store ?? Environment.value("BUMP_STORE") }
  private var path: String { named ?? Environment.defaultStore }

  /// Opens the store, and makes it where there is none. Its directories are made at the default place alone: elsewhere
  /// one that is missing is a slip, and claims would lie where nobody looks for them.
  ///
  /// - Throws: `CommandError`, `StoreError.unusable`.
  func open() async throws -> ClaimStore {
    if let named, access(Directories.folder(of: named), F_OK) != 0, errno == ENOENT {
      throw CommandError(
        .failure,
        "the store \(named) cannot be made: its directory is not there; make that, or name another with --store")
    }
    return try await ClaimStore.open(at: path)
  }

  /// The store as it is; `nil` where there is none yet.
  func openForReading() async throws -> ClaimStore? { try await ClaimStore.openForReading(at: path) }
}

/// What send and receive share.
struct BumpOptions: ParsableArguments {
  enum Backend: String, ExpressibleByArgument, CaseIterable {
    case auto, daemon, embedded, none

    /// - Parameter interface: the index of the one network interface to use; 0 for all of them.
    func discovery(on interface: UInt32) async -> (any Discovery)? {
      switch self {
      case .auto: await automaticDiscovery(interface: interface)
      case .daemon: DNSSDDiscovery(interface: interface)
      case .embedded: EmbeddedDiscovery(interface: interface)
      case .none: nil
      }
    }
  }

  @Option(help: "What the other side is shown (or BUMP_NAME; by default your login name).", transform: Arguments.name)
  var name: DisplayName?

  @Option(
    help: ArgumentHelp(
      "How long the other side is waited for (default: 10, with a code 60, without discovery 120).",
      valueName: "seconds"),
    transform: Arguments.seconds)
  var discoveryTimeout: Duration?

  @Option(
    help: ArgumentHelp("How long an answer is waited for, in all (default: 5).", valueName: "seconds"),
    transform: Arguments.seconds)
  var sendTimeout: Duration = .seconds(5)

  @Flag(help: "Wait for the other side until Ctrl-C.")
  var wait = false

  @Option(help: "The DNS-SD service name, without underscore (default: irl-bump).", transform: Arguments.serviceType)
  var serviceType = ServiceType.irlBump

  @Option(help: "How the two find each other: by the avahi-daemon, by mDNS of our own, or what is there.")
  var discovery = Backend.auto

  @Option(
    help: ArgumentHelp("Use this network interface only.", valueName: "if"), completion: Completions.interfaces,
    transform: Arguments.interface)
  var interface: NetworkInterface?

  @Option(
    help: ArgumentHelp(
      "Only with who holds the key in this file too (or BUMP_KEY_FILE); `bump key new FILE` makes one.",
      valueName: "file"),
    completion: .file())
  var key: String?

  @Option(
    help: "After a bump with a code, remember the other side by this name; both sides must.", transform: Arguments.name)
  var remember: DisplayName?

  @Flag(help: "Accept the first peer without asking.")
  var yes = false

  @Flag(help: "With --json, ask the program that reads it: it answers `y 1` or `n 1` to question 1, on stdin.")
  var decide = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  /// - Parameter verify: Whether a person insists on being asked.
  func validate(verify: Bool) throws {
    if verify, yes { throw ValidationError("--verify and --yes contradict each other") }
    if decide, verify { throw ValidationError("--decide and --verify contradict each other") }
    if decide, yes { throw ValidationError("--decide and --yes contradict each other") }
    if decide, !output.json { throw ValidationError("--decide needs --json") }
    if wait, discoveryTimeout != nil { throw ValidationError("--wait and --discovery-timeout contradict each other") }
  }

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

  /// The shared key that is named, where one is.
  func sharedKey() throws -> SharedKey? { try KeyFile.named(key) }

  /// What is known of the other side beforehand: a remembered name, else a key file.
  func credential(of name: DisplayName?, in store: ClaimStore) async throws -> Credential {
    if let remember, try await store.key(of: remember) != nil {
      throw CommandError(
        .failure,
        "\(remember.quoted) is remembered already; take another name, or forget the key: "
          + Counterpart.words(["bump", "key", "forget", remember.text]))
    }
    guard let name else { return try sharedKey().map { .key($0) } ?? .none }
    let key = try await key(of: name, in: store)
    if try await store.isConfirmed(name) == false {
      Console(quiet: output.quiet).say("It is not known whether \(name.quoted) remembers you.")
    }
    return .key(key)
  }

  /// Notes that the other end, which may not have remembered us, did: it held the key.
  func confirm(_ name: DisplayName, _ credential: Credential, in store: ClaimStore) async {
    guard case .key(let key) = credential else { return }
    // Where that fails nothing is lost but a note.
    try? await store.confirm(key, of: name)
  }

  /// - Parameter store: `nil` where there is none yet.
  func key(of name: DisplayName, in store: ClaimStore?) async throws -> SharedKey {
    guard let key = try await store?.key(of: name) else {
      throw CommandError(.failure, "nobody is remembered as \(name.quoted); `bump key list` tells who is")
    }
    return key
  }

  /// The path of the key file, where it is what the other side must know.
  ///
  /// - Parameter other: Whether something else is.
  func keyFile(besides other: Bool) -> String? { other ? nil : key ?? Environment.value("BUMP_KEY_FILE") }

  /// What until Ctrl-C comes to where a time is asked for.
  static let forever: Duration = .seconds(100 * 365 * 86400)

  /// How long the other side is waited for: longer where a person has to type. `nil` is until Ctrl-C.
  func time(with credential: Credential) -> Duration? {
    if wait { return nil }
    return discoveryTimeout
      ?? (discovery == .none ? .seconds(120) : credential.mode == .code ? .seconds(60) : .seconds(10))
  }

  func makeDiscovery() async -> (any Discovery)? {
    await discovery.discovery(on: interface?.index ?? 0)
  }
}
