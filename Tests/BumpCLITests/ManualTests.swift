import Foundation
import Lab
import Testing

/// The manual page in the repository, `Docs/bump.1`. `Examples/manual.sh` makes it.
@Suite(.processes()) struct ManualTests {
  private struct Command: Decodable {
    let arguments: [Argument]?
    let subcommands: [Command]?

    var all: [Argument] { (arguments ?? []) + (subcommands ?? []).flatMap(\.all) }
  }

  private struct Argument: Decodable {
    let valueName: String?
    let allValues: [String]?
  }

  private struct Dump: Decodable { let command: Command }

  @Test func `the manual page lists every value of an option, as the help does`() async throws {
    let page = URL(filePath: #filePath).appending(path: "../../../Docs/bump.1").standardized
    let text = try String(contentsOf: page, encoding: .utf8)
    let dump = try await Person().run("--experimental-dump-help")
    let options = try JSONDecoder().decode(Dump.self, from: Data(dump.standardOutput.utf8)).command.all
      .filter { $0.allValues != nil }
    #expect(Set(options.compactMap(\.valueName)).isSuperset(of: ["qr", "discovery"]))
    for option in options {
      let name = try #require(option.valueName)
      let values = try #require(option.allValues)
      let list = values.map { "\\.It Ar \($0)\n[^\n]+\n" }.joined()
      let pattern = try Regex("\\.It Fl -\(name) Ar \(name)\n[^\n]+\n\\.Pp\n\\.Bl[^\n]*\n\(list)\\.El\n")
      #expect(text.contains(pattern), "--\(name)")
    }
  }
}
