import Foundation

/// Somebody with a claim store of their own, who runs the built binary. All of it goes with the last reference.
public final class LocalUser: Sendable {
  public let home = FileManager.default.temporaryDirectory.appending(path: "bump-person-\(UUID().uuidString)").path
  public var store: String { "\(home)/bump.sqlite" }

  public init() throws { try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: home) }

  public var environment: [String: String] {
    ["HOME": home, "BUMP_STORE": store, "BUMP_NAME": "alice", "LC_ALL": "C.UTF-8", "TERM": "xterm"]
  }

  public func run(_ arguments: String..., input: String = "") async throws -> ProcessResult {
    try await run(arguments, input: input)
  }

  /// Runs `bump-clip`.
  public func clip(_ arguments: String..., input: String = "") async throws -> ProcessResult {
    try await run(arguments, input: input, of: BumpCommand.clip)
  }

  /// Runs it to its end. A sender whose address is given is waited for a minute, where nothing else is said.
  ///
  /// - Parameters:
  ///   - changes: to the environment; an empty variable is as good as none.
  ///   - program: `bump`, or another one.
  public func run(
    _ arguments: [String], input: String = "", changes: [String: String] = [:], streams: Streams = .pipes,
    of program: String = BumpCommand.binary
  ) async throws -> ProcessResult {
    let process = try await RunningProcess.start(
      [program] + BumpCommand.patient(arguments), environment: environment.merging(changes) { $1 },
      streams: streams)
    if case .pipes = streams {
      process.type(input)
      process.closeInput()
    }
    return try await process.finish()
  }

  /// Has a shell run a script in their home, in which `"$bump"` and `"$clip"` are the programs.
  public func shell(_ script: String, changes: [String: String] = [:]) async throws -> ProcessResult {
    let environment = environment.merging(["bump": BumpCommand.binary, "clip": BumpCommand.clip]) { $1 }.merging(
      changes
    ) { $1 }
    let process = try await RunningProcess.start(["sh", "-c", "cd \"$HOME\"; \(script)"], environment: environment)
    process.closeInput()
    return try await process.finish()
  }
}

extension ProcessResult {
  /// What a person reads of a failure: one line, which begins as all do, and no more.
  public var error: String? { standardError.wholeMatch(of: /bump(?:-clip)?: ([^\n]+)\n/).map { String($0.1) } }
}
