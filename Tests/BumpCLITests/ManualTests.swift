import Foundation
import Lab
import Testing

/// The manual pages in the repository, `Docs/man`, one for each command. `Examples/manual.sh` makes them.
@Suite(.processes()) struct ManualTests {
  private struct Command: Decodable {
    let commandName: String
    let arguments: [Argument]?
    let subcommands: [Command]?

    /// The commands by the names of their pages.
    func pages(below parent: String = "") -> [(name: String, command: Command)] {
      let name = parent + commandName
      let below = (subcommands ?? []).filter { $0.commandName != "help" }.flatMap { $0.pages(below: name + "-") }
      return [(name, self)] + below
    }
  }

  private struct Argument: Decodable {
    let valueName: String?
    let allValues: [String]?
  }

  private struct Dump: Decodable { let command: Command }

  private static let folder = URL(filePath: #filePath).appending(path: "../../../Docs/man").standardized

  private func text(_ page: String) throws -> String {
    try String(contentsOf: Self.folder.appending(path: "\(page).1"), encoding: .utf8)
  }

  private func pages(of program: String) async throws -> [(name: String, command: Command)] {
    let dump = try await LocalUser().run(["--experimental-dump-help"], of: program)
    return try JSONDecoder().decode(Dump.self, from: Data(dump.standardOutput.utf8)).command.pages()
  }

  @Test func `each command has a page, and no page is of another command`() async throws {
    let commands = try await pages(of: BumpCommand.binary) + pages(of: BumpCommand.clip)
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(files) == Set(commands.map { "\($0.name).1" }))
  }

  @Test func `the page of a command lists every value of an option, as the help does`() async throws {
    var names: Set<String> = []
    for (page, command) in try await pages(of: BumpCommand.binary) {
      for option in command.arguments ?? [] {
        guard let name = option.valueName, let values = option.allValues else { continue }
        names.insert(name)
        let list = values.map { "\\.It Ar \($0)\n[^\n]+\n" }.joined()
        let pattern = try Regex("\\.It Fl -\(name) Ar \(name)\n[^\n]+\n\\.Pp\n\\.Bl[^\n]*\n\(list)\\.El\n")
        #expect(try text(page).contains(pattern), "\(page): --\(name)")
      }
    }
    #expect(names.isSuperset(of: ["qr", "discovery"]))
  }

  @Test(arguments: ["bump", "bump-send", "bump-wallet-new", "bump-clip-card-share"])
  func `a page begins with examples`(page: String) throws {
    let sections = try text(page).matches(of: /(?m)^\.Sh ([A-Z]+)/).map { String($0.1) }
    #expect(sections.starts(with: ["NAME", "EXAMPLES", "SYNOPSIS", "DESCRIPTION"]), "\(sections)")
  }
}
