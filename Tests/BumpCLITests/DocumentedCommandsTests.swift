import ArgumentParser
import Lab
import Testing

@testable import BumpCLI

/// The command lines in the code blocks of the documents.
@Suite struct DocumentedCommandsTests {
  private static let documents = [
    "README.md", "Docs/using.md", "Docs/programs.md", "Docs/simulating.md", "Docs/store.md",
    "Docs/chain.md", "Docs/claim-page.md", "Docs/web-wallet.md",
  ]

  @Test(arguments: documents) func `each command of a document is one that bump takes`(document: String) async throws {
    let commands = try documentedCommands(of: "bump", in: document)
    #expect(!commands.isEmpty)
    for command in commands {
      let words = command.split(separator: " ").map(String.init)
      await #expect(throws: Never.self, "bump \(command)") {
        _ = try await BumpCommand.asyncParseAsRoot(words)
      }
    }
  }
}
