import ArgumentParser
import Foundation
import Testing

@testable import BumpCLI

/// The command lines in the code blocks of the documents.
@Suite struct DocumentedCommandsTests {
  private static let documents = [
    "README.md", "Docs/programs.md", "Docs/simulating.md", "Docs/store.md", "Docs/app-clips.md",
  ]

  /// Returns the arguments of each `bump` that begins a line of a code block, or that something is piped into, up to a
  /// comment, a pipe or a redirection.
  private static func commands(of document: String) throws -> [String] {
    let file = URL(filePath: #filePath).appending(path: "../../../\(document)").standardized
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
      guard let match = line.firstMatch(of: /^ {4}(?:\$ )?(?:sudo |zbarcam [^|]*\| )?bump (.*)/) else { return nil }
      return match.1.split(separator: /\s+#|\s*\||\s+[<>]/, maxSplits: 1, omittingEmptySubsequences: false).first.map(
        String.init)
    }
  }

  @Test(arguments: documents) func `each command of a document is one that bump takes`(document: String) async throws {
    let commands = try Self.commands(of: document)
    #expect(!commands.isEmpty)
    for command in commands {
      let words = command.split(separator: " ").map(String.init)
      await #expect(throws: Never.self, "bump \(command)") {
        _ = try await BumpCommand.asyncParseAsRoot(words)
      }
    }
  }
}
