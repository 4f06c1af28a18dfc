import Foundation
import Lab

/// `bump` as one person uses it on this machine itself, with a directory of their own.
struct BumpUser: Sendable {
  let name: String
  var directory: String
  /// What stands before the command: a way into a mount namespace, say.
  var prefix: [String] = []
  /// The program that runs: `bump`, or `bump-clip`.
  var program = BumpCommand.binary
  /// Whether the store's directory is still to be made, as bump makes that of the default place: its name is `bump` then.
  var makesDirectory = false

  private var environment: [String: String] {
    let store =
      makesDirectory
      ? ["XDG_DATA_HOME": URL(filePath: directory).deletingLastPathComponent().path]
      : ["BUMP_STORE": "\(directory)/bump.sqlite"]
    return ["HOME": directory, "BUMP_NAME": name, "LC_ALL": "C.UTF-8", "TERM": "xterm"].merging(store) { $1 }
  }

  /// The same person with `bump-clip`.
  var clip: BumpUser {
    var other = self
    other.program = BumpCommand.clip
    return other
  }

  /// Starts it. With pipes its input has ended. A sender whose address is given is waited for a minute, where nothing else is
  /// said.
  func start(_ arguments: [String], streams: Streams = .pipes) async throws -> RunningProcess {
    let process = try await RunningProcess.start(
      prefix + [program] + BumpCommand.patient(arguments), environment: environment, streams: streams)
    if case .pipes = streams { process.closeInput() }
    return process
  }

  func run(_ arguments: String...) async throws -> ProcessResult { try await start(arguments).finish() }

  /// The claims of its store.
  func history() async throws -> [JSONObject] { try await events("history", "--json") }

  /// The claims of its store, each with its secret.
  func claims() async throws -> [JSONObject] {
    let ids = Set(try await history().map { $0.string("claimId") ?? "" })
    var claims: [JSONObject] = []
    for id in ids { claims += try await events("show", id, "--show-secret", "--json") }
    return claims
  }

  /// Puts the deadline of a claim in flight into the past, as if the time had passed.
  func passDeadline() async throws { try await setDeadline("1, bootDeadline = 1") }

  /// Puts it off by an hour: on a busy machine it may be over before the next command has begun.
  func putOffDeadline() async throws { try await setDeadline("deadline + 3600") }

  private func setDeadline(_ value: String) async throws {
    let script =
      "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('UPDATE outgoing SET deadline = \(value) "
      + "WHERE deadline IS NOT NULL'); c.commit()"
    let done = try await RunningProcess.start(prefix + ["python3", "-c", script, "\(directory)/bump.sqlite"]).finish()
    guard done.status == 0 else { throw CommandFailed(finished: done) }
  }

  private func events(_ arguments: String...) async throws -> [JSONObject] {
    let finished = try await start(arguments).finish()
    guard finished.status == 0 else { throw CommandFailed(finished: finished) }
    return try finished.events
  }
}

/// Lab's own error for a command that should have succeeded is made inside Lab alone.
struct CommandFailed: Error, CustomStringConvertible {
  let finished: ProcessResult
  var description: String { "failed: \(finished)" }
}

extension JSONObject {
  /// What a claim is: the same at both ends.
  var payload: [String?] { ["claimId", "amount", "token", "secret"].map { string($0) } }
}

/// A sender and a receiver, each with a directory that goes when the body is done.
func withUsers<Result>(_ body: (_ sender: BumpUser, _ receiver: BumpUser) async throws -> Result) async throws -> Result
{
  let place = FileManager.default.temporaryDirectory.appending(path: "bump-hostile-\(UUID().uuidString)").path
  let users = ["alice", "bob"].map { BumpUser(name: $0, directory: "\(place)/\($0)") }
  defer { try? FileManager.default.removeItem(atPath: place) }
  for user in users {
    try FileManager.default.createDirectory(atPath: user.directory, withIntermediateDirectories: true)
  }
  return try await body(users[0], users[1])
}
