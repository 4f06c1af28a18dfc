import BumpClaims
import BumpKit
import BumpWire
import Foundation
import Lab
import Testing

/// Somebody with a claim store of their own, who runs the built binary. All of it goes with the last reference.
final class Person: Sendable {
  let home = FileManager.default.temporaryDirectory.appending(path: "bump-person-\(UUID().uuidString)").path
  var store: String { "\(home)/bump.sqlite" }

  init() throws { try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: home) }

  var environment: [String: String] {
    ["HOME": home, "BUMP_STORE": store, "BUMP_NAME": "alice", "LC_ALL": "C.UTF-8", "TERM": "xterm"]
  }

  func run(_ arguments: String..., input: String = "") async throws -> Finished {
    try await run(arguments, input: input)
  }

  /// Takes the claim of a link, which comes in by stdin.
  func take(_ link: String, _ arguments: String...) async throws -> Finished {
    try await run(["receive", "--link", "-"] + arguments, input: link + "\n")
  }

  /// Runs it to its end. A sender whose address is given is waited for a minute, where nothing else is said.
  ///
  /// - Parameter changes: to the environment; an empty variable is as good as none.
  func run(
    _ arguments: [String], input: String = "", changes: [String: String] = [:], streams: Streams = .pipes
  ) async throws -> Finished {
    let process = try await Running.start(
      [BumpCommand.binary] + BumpCommand.patient(arguments), environment: environment.merging(changes) { $1 },
      streams: streams)
    if case .pipes = streams {
      process.type(input)
      process.closeInput()
    }
    return try await process.finish()
  }

  /// Has a shell run a script in their home, in which `"$bump"` is the binary.
  func shell(_ script: String, changes: [String: String] = [:]) async throws -> Finished {
    let environment = environment.merging(["bump": BumpCommand.binary]) { $1 }.merging(changes) { $1 }
    let process = try await Running.start(["sh", "-c", "cd \"$HOME\"; \(script)"], environment: environment)
    process.closeInput()
    return try await process.finish()
  }

  /// A claim of theirs, by its link, which has released it.
  func link() async throws -> String {
    let sent = try await run("send", "--amount", "1.00", "--link-only")
    try #require(sent.status == 0, "\(sent)")
    return try #require(sent.lines.last)
  }

  /// A claim of theirs that stands so, as bumps left it: to be released it was sent to bob just now.
  func claim(_ state: HandoverState, expiry: Int64 = 4_000_000_000) async throws -> ClaimID {
    let store = try await ClaimStore.open(at: store)
    let id = try await store.create(
      amount: Amount("1.00"), token: .usdc, expiry: #require(Expiry(unixSeconds: expiry))
    ).claim.id
    switch state {
    case .new: break
    case .linkShown: _ = try await store.showLink(of: id)
    case .released, .unknown, .delivered, .lost:
      let now = ClockReading.now()
      // A claim that has expired was sent before.
      let age = state == .released ? 0 : max(3600, now.unix - expiry + 1)
      let then = ClockReading(unix: now.unix - age, sinceBoot: now.sinceBoot - age, bootID: now.bootID)
      #expect(
        try await store.release(id, to: DisplayName("bob"), answerWithin: .seconds(60), at: { then })
          == .released(until: then.unix + 65))
      if state == .delivered || state == .lost { _ = try await store.settle(id, as: state) }
    }
    return id
  }

  /// What their history says.
  func history() async throws -> [JSONObject] { try await run("history", "--json").events }
}

/// The link of a claim that a stranger made.
func strangersLink(
  id: String = "stranger", secret: UInt8 = 7, token: String = "USDC", amount: String = "1.00",
  expiry: Int64 = 4_000_000_000
) throws -> String {
  let claim = Claim(
    id: try ClaimID(id), secret: try ClaimSecret([UInt8](repeating: secret, count: 16)), token: try Token(token),
    amount: try Amount(amount))
  return try ClaimLink(claim: claim, expiry: #require(Expiry(unixSeconds: expiry))).text
}

/// The secret of sevens, as `--show-secret` and as a link write it.
let sevens = "BwcHBwcHBwcHBwcHBwcHBw"

extension Finished {
  /// What a person reads of a failure: one line, which begins as all do, and no more.
  var error: String? { standardError.wholeMatch(of: /bump: ([^\n]+)\n/).map { String($0.1) } }
}
