import ArgumentParser
import BumpText
import Foundation
import Testing

@testable import BumpCLI

/// What states the version beside the constant. The Debian package is compared in Tests/Tools/Package/run.sh.
@Suite struct VersionTests {
  /// The text of a file of the repository.
  private func text(_ path: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  @Test func `bump --version prints the version`() {
    #expect(BumpCommand.configuration.version == Version.current)
  }

  @Test func `the newest numbered entry of the changelog is the version`() throws {
    let entries = try text("CHANGELOG.md").matches(of: /(?m)^## \[(\d+\.\d+\.\d+)\]/)
    #expect(entries.first.map { String($0.1) } == Version.current)
  }

  @Test(arguments: [("bump", "bump"), ("bump-send", "bump"), ("bump-clip", "bump-clip")])
  func `a manual page names the version`(page: String, program: String) throws {
    #expect(try text("Docs/man/\(page).1").contains("\n.Os \(program) \(Version.current)\n"))
  }
}
