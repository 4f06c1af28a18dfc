import ArgumentParser
import BumpKit
import Foundation
import Lab
import Testing

@testable import BumpCLI

/// Commands that messages tell people to type.
@Suite struct AdviceTests {
  /// Swift needs no semicolon: in the code of these modules they are in texts.
  @Test(arguments: ["BumpCLI", "BumpClaims", "BumpDiscovery", "BumpSystem", "BumpWire"])
  func `no message and no help joins two sentences with a semicolon`(module: String) throws {
    let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardized
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter {
      $0.contains("/\(module)/") && $0.hasSuffix(".swift")
    }
    #expect(!files.isEmpty)
    for file in files {
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      let code = text.split(separator: "\n").filter { !$0.contains(/^ *\/\//) }
      let joined = code.filter { $0.contains(/[A-Za-z0-9)`]; [^"]/) && !$0.contains(#/ \/\/ [^"]*$/#) }
      #expect(joined.isEmpty, "\(file): \(joined)")
    }
  }

  private static let commands = BumpCommand.configuration.subcommands.map { $0._commandName }

  @Test func `every command that a message names is one that can be typed`() throws {
    let all = try SuggestedCommand.all(of: "bump", Self.commands)
    #expect(all.count > 40)
    for suggestion in all {
      let words = suggestion.command.split(separator: " ").dropFirst().map(String.init)
      // Help and the version are answers; they are thrown.
      if ["--help", "--version", "help"].contains(words[0]) { continue }
      #expect((try? BumpCommand.parseAsRoot(words)) != nil, "\(suggestion.place): \(suggestion.command)")
    }
  }
}
