import ArgumentParser
import BumpText
import Lab
import Testing

@testable import BumpClipCLI

/// Help and mistakes, and the commands that messages and documents name.
@Suite(.processes()) struct ClipHelpTests {
  @Test(arguments: [
    ["--help"], ["help"], ["help", "lint"], ["help", "card", "share"], ["card", "--help"], ["aasa", "-h"],
  ])
  func `help is an answer`(arguments: [String]) async throws {
    let finished = try await LocalUser().run(arguments, of: BumpCommand.clip)
    #expect(finished.status == 0 && finished.standardError.isEmpty, "\(finished)")
    #expect(finished.standardOutput.contains("USAGE: bump-clip"), "\(finished)")
    #expect(finished.lines.allSatisfy { $0.count <= 80 }, "\(finished)")
  }

  @Test(arguments: [["consume", "--", "positional@0"], ["lint", "--", "--product"]])
  func `products are completed`(completion: [String]) async throws {
    let asked = try await LocalUser().run(
      ["---completion"] + completion + ["2", "0", "bump-clip", "x", ""], of: BumpCommand.clip)
    #expect(
      asked.lines.filter { !$0.isEmpty } == ["bluesky", "businesscard", "irl", "orbiting", "roadflare"], "\(asked)")
  }

  @Test func `bump-clip has the version of bump`() {
    #expect(BumpClipCommand.configuration.version == Version.current)
  }

  @Test(arguments: [
    "open", "resolve", "profile", "handover", "consume", "evict", "install", "status", "lint", "aasa show",
    "aasa write", "aasa serve", "entitlements show", "entitlements write", "card share", "card fetch",
  ])
  func `help in the place of a link or a file is no success`(command: String) async throws {
    let words = command.split(separator: " ").map(String.init)
    let finished = try await LocalUser().run(words + ["-h"], of: BumpCommand.clip)
    #expect(finished.status == 64 && finished.standardError.contains("`bump-clip help \(command)`"), "\(finished)")
  }

  /// A mistake, and what its line must say: what was wrong, and where to look.
  @Test(
    arguments: [
      (["nonsense"], "'nonsense' is not a command. Name one: open, resolve,"), ([], "name a command: open, resolve,"),
      (["opne"], "'opne' is not a command. Did you mean `bump-clip open`? See `bump-clip --help`"),
      (["card", "shere"], "'shere' is not a command of card. Did you mean `bump-clip card share`?"),
      (["https://irl.app/claim/x#s=y"], "a link is not a command. `bump-clip open -` asks for it"),
      (["card", "fetch"], "give the link, or - for one on stdin"),
      (["handover"], "name a product: `bump-clip status` lists them"),
      (["card", "share"], "name the file, such as `bump-clip card share card.vcf`. See `bump-clip card share --help`"),
      (["lint", "--explain", "x"], "no rule has that name. `bump-clip lint --rules` lists them"),
      (["lint", "--rules", "--explain", "aasa-json"], "--rules and --explain contradict each other"),
      (["aasa"], "name a command: show, write or serve. See `bump-clip aasa --help`"),
      (["aasa", "serve", "--port", "-1"], "'-1' is invalid for '--port <port>': a port is"),
      (["entitlements"], "name a command: show or write. See `bump-clip entitlements --help`"),
      (["lint", "--hlep"], "unknown option '--hlep'. Did you mean '--help'? See `bump-clip lint --help`"),
      (["entitlements", "show"], "missing expected argument '--target <target>'"),
    ] as [([String], String)])
  func `a mistake is one line that says what and where`(arguments: [String], words: String) async throws {
    let finished = try await LocalUser().run(arguments, of: BumpCommand.clip)
    #expect(finished.status == 64 && finished.standardOutput.isEmpty, "\(finished)")
    #expect(finished.standardError.hasPrefix("bump-clip: ") && finished.standardError.contains(words), "\(finished)")
  }

  @Test func `every command that a message names is one that can be typed`() throws {
    let all = try SuggestedCommand.all(
      of: "bump-clip", BumpClipCommand.configuration.subcommands.map { $0._commandName })
    #expect(all.count > 10)
    for advice in all {
      let words = advice.command.split(separator: " ").dropFirst().map(String.init)
      if ["--help", "--version", "help"].contains(words[0]) { continue }
      #expect((try? BumpClipCommand.parseAsRoot(words)) != nil, "\(advice.place): \(advice.command)")
    }
  }

  @Test func `each command of the page is one that bump-clip takes`() async throws {
    let commands = try documentedCommands(of: "bump-clip", in: "Docs/app-clips.md")
    #expect(commands.count > 10)
    for command in commands {
      await #expect(throws: Never.self, "bump-clip \(command)") {
        _ = try await BumpClipCommand.asyncParseAsRoot(command.split(separator: " ").map(String.init))
      }
    }
  }
}
