import Foundation

/// `bump` as one person uses it: with a name and a claim store of their own.
///
/// The store lies in the host's /run and goes with it.
public struct BumpCommand: Sendable {
  public let name: String
  public let host: Host
  public var environment: [String: String]
  /// The program that runs: `bump`, or `bump-clip`.
  public var program = Self.binary
  /// Whether it waits for a minute where its arguments do not say how long.
  public var isPatient = true

  /// The binary beside the tests, or the one that BUMP_BINARY names.
  public static let binary: String =
    ProcessInfo.processInfo.environment["BUMP_BINARY"] ?? program("bump")

  /// The program `bump-clip`.
  public static let clip = program("bump-clip")

  /// A program of this package, beside the tests.
  public static func program(_ name: String) -> String {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name).path
  }

  public init(_ name: String, on host: Host) throws {
    (self.name, self.host) = (name, host)
    let home = "/run/home/\(name)"
    try FileManager.default.createDirectory(atPath: host.path(home), withIntermediateDirectories: true)
    environment = [
      "HOME": home, "BUMP_STORE": "\(home)/bump.sqlite", "BUMP_NAME": name, "LC_ALL": "C.UTF-8", "TERM": "xterm",
    ]
  }

  /// The same person with `bump-clip`.
  public var clip: BumpCommand {
    var other = self
    other.program = Self.clip
    return other
  }

  public func start(_ arguments: String..., streams: Streams = .pipes) async throws -> RunningProcess {
    try await start(arguments, streams: streams)
  }

  /// Starts it. With pipes its input has ended, as that of a background job has.
  public func start(_ arguments: [String], streams: Streams = .pipes) async throws -> RunningProcess {
    let process = try await host.spawn(line(arguments), environment: environment, streams: streams)
    if case .pipes = streams { process.closeInput() }
    return process
  }

  public func run(
    _ arguments: String..., input: String = "", within limit: Duration = .hang
  ) async throws -> ProcessResult {
    try await host.run(line(arguments), environment: environment, input: input, within: limit)
  }

  /// Runs it until its time is over, in which it is to see somebody whom it does not meet. Where a busy machine kept it from
  /// that for those seconds, it has a minute.
  ///
  /// - Parameter hasSeen: whether one that has ended has seen them.
  public func runOut(
    _ arguments: [String], seconds: Int, streams: Streams = .pipes, where hasSeen: (ProcessResult) -> Bool
  ) async throws -> ProcessResult {
    let time = ["--discovery-timeout", "\(seconds)"]
    let finished = try await start(arguments + time, streams: streams).finish()
    if hasSeen(finished) { return finished }
    return try await start(arguments, streams: streams).finish()
  }

  /// The whole command, with the backend that the tests are run with where none is named, and a minute for whoever is to
  /// be met, however busy the machine is: the ten seconds that it takes by itself are for tests in which nobody comes.
  private func line(_ arguments: [String]) -> [String] {
    guard let command = arguments.first, ["send", "receive", "browse"].contains(command) else {
      return [program] + arguments
    }
    var options: [String] = []
    if !arguments.contains("--discovery") { options += ["--discovery", Backend.current.rawValue] }
    if isPatient, command != "browse" { options += Self.minute(for: arguments) }
    return [program, command] + options + arguments.dropFirst()
  }

  /// A command's arguments as they are, but for those of `bump receive --peer`: the sender has a minute to answer.
  public static func patient(_ arguments: [String]) -> [String] {
    guard arguments.first == "receive", arguments.contains("--peer") else { return arguments }
    return ["receive"] + minute(for: arguments) + arguments.dropFirst()
  }

  /// The option for a minute, where a command's arguments do not say how long it waits.
  private static func minute(for arguments: [String]) -> [String] {
    let saysHowLong = ["--discovery-timeout", "--wait", "--keep", "--link", "--link-only", "--simulate"]
    return saysHowLong.contains(where: arguments.contains) ? [] : ["--discovery-timeout", "60"]
  }

  /// The claims of its store, sent and received.
  public func history() async throws -> [JSONObject] {
    let finished = try await run("history", "--json", "--limit", "1000")
    guard finished.status == 0 else { throw CommandFailed(finished: finished) }
    return try finished.events
  }

  /// The states of the claims of its store.
  public func states() async throws -> [String?] { try await history().map { $0.string("state") } }

  /// The secret of a claim of its store.
  public func secret(of claimID: String) async throws -> String? {
    let finished = try await run("show", claimID, "--show-secret", "--json")
    guard finished.status == 0, let claim = try finished.events.first else { throw CommandFailed(finished: finished) }
    return claim.string("secret")
  }
}
