import BumpClaims
import BumpKit
import Foundation
import Lab
import Testing

/// What a shell completes behind `bump`, in the shells themselves.
@Suite(.serialized, .processes()) struct CompletionTests {
  static let shells = [
    "bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"], "fish": ["fish", "--no-config", "-i"],
  ]
  /// What a shell is told first: where bump is, and its completions.
  private static let preludes = [
    "bash": #"bind 'set show-all-if-ambiguous on'; source "$HOME/completions""#,
    "zsh": #"autoload -U compinit && compinit -D && source "$HOME/completions" && compdef _bump bump"#,
    "fish": #"source "$HOME/completions""#,
  ]

  /// Types the beginning of a command, presses the tabulator, and waits for what it must become.
  private func complete(_ shell: String, _ beginning: String, _ end: String, as alice: Person) async throws {
    let script = try await alice.run("--generate-completion-script", shell)
    try script.standardOutput.write(toFile: "\(alice.home)/completions", atomically: true, encoding: .utf8)
    let folder = URL(filePath: BumpCommand.binary).deletingLastPathComponent().path
    let environment = alice.environment.merging(["PATH": "\(folder):/usr/bin:/bin", "PS1": "> "]) { $1 }
    let process = try await RunningProcess.start(
      ["env", "--chdir", alice.home] + #require(Self.shells[shell]), environment: environment, streams: .terminal)
    defer { process.signal(9) }
    process.type(try #require(Self.preludes[shell]) + "; echo rea''dy\n")
    try await process.text("ready", on: .output)
    let count = process.standardOutput.bytes.count
    process.type(beginning + "\t")
    try await process.text(end, on: .output, after: count)
  }

  @Test(arguments: shells.keys.sorted())
  func `claim ids, remembered names, interfaces and files are completed`(shell: String) async throws {
    let alice = try Person()
    _ = try await alice.take(strangersLink(id: "xClaimOfAStranger"))
    let store = try await ClaimStore.open(at: alice.store)
    let key = try #require(SharedKey([UInt8](repeating: 7, count: 32)))
    _ = try await store.remember(key, as: DisplayName("bobby"))
    _ = FileManager.default.createFile(atPath: "\(alice.home)/till.key", contents: nil)
    try await complete(shell, "bump show xC", "xClaimOfAStranger", as: alice)
    try await complete(shell, "bump claim xC", "xClaimOfAStranger", as: alice)
    try await complete(shell, "bump send --amount 1 --to bo", "bobby", as: alice)
    try await complete(shell, "bump receive --interface l", "lo", as: alice)
    try await complete(shell, "bump receive --key til", "till.key", as: alice)
  }

  @Test func `bump claim completes received claims alone, of the store that the line names in either spelling`()
    async throws
  {
    let alice = try Person()
    _ = try await alice.take(strangersLink(id: "xClaimOfAStranger"))
    let id = try await alice.claim(.new).description
    func completions(_ command: String, _ options: String...) async throws -> Set<String> {
      let words = ["bump", command] + options + [""]
      let asked = try await alice.run(
        ["---completion", command, "--", "positional@0", "\(words.count - 1)", "0"] + words)
      return Set(asked.lines.filter { !$0.isEmpty })
    }
    #expect(try await completions("claim") == ["xClaimOfAStranger"])
    #expect(try await completions("show") == ["xClaimOfAStranger", id])
    #expect(try await completions("link") == [id])
    let none = "\(alice.home)/none.sqlite"
    #expect(try await completions("show", "--store=\(none)").isEmpty)
    #expect(try await completions("show", "--store", none).isEmpty)
  }

  @Test func `what is asked for while typing makes no store`() async throws {
    let alice = try Person()
    for arguments in [
      ["show", "--", "positional@0"], ["send", "--", "--to"], ["link", "--", "positional@0"],
      ["claim", "--", "positional@0"],
    ] {
      let asked = try await alice.run(["---completion"] + arguments + ["2", "0", "bump", "x", ""])
      #expect(asked.status == 0 && asked.standardOutput.split(separator: "\n").isEmpty, "\(asked)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: alice.home).isEmpty)
  }
}
