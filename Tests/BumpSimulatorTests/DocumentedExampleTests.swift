import Foundation
import Testing

/// The test that Docs/simulating.md shows is one that runs.
@Suite struct DocumentedExampleTests {
  private static func text(of file: String) throws -> String {
    try String(contentsOf: URL(filePath: #filePath).appending(path: "../../../\(file)").standardized, encoding: .utf8)
  }

  @Test func `the test of the page is that of the example, line by line`() throws {
    let page = try Self.text(of: "Docs/simulating.md")
    let example = try Self.text(of: "Examples/NearbyPlayersTests/HangsInConnectingTests.swift")
    let block = example.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined()
    #expect(!example.isEmpty && page.contains(block))
  }
}
