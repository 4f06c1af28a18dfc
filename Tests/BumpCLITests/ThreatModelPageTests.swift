import Foundation
import Testing

/// The tests that Docs/threat-model.md names, so that a reader can open the one behind each promise.
@Suite struct ThreatModelPageTests {
  private let root = URL(filePath: #filePath).appending(path: "../../..").standardized
  private var page: String {
    get throws { try String(contentsOf: root.appending(path: "Docs/threat-model.md"), encoding: .utf8) }
  }

  @Test func `each test that the threat model names is one file or folder of the tests`() throws {
    let tests = root.appending(path: "Tests")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: tests.path).filter { !$0.hasPrefix("Tools/") }
    let names = try page.matches(of: /`([A-Za-z\/]+Tests[A-Za-z\/+]*)`/).map { String($0.1) }
    #expect(names.count > 100)
    for name in Set(names) {
      let found = paths.filter { "/\($0)".hasSuffix("/\(name).swift") || "/\($0)".hasSuffix("/\(name)") }
      #expect(found.count == 1, "\(name): \(found)")
    }
  }

  @Test func `each promise of the threat model names a test`() throws {
    let promises = try page.split(separator: "\n").filter { $0.hasPrefix("- ") && !$0.hasPrefix("- **The ") }
    #expect(promises.count > 60)
    for promise in promises { #expect(promise.contains("Tests"), "\(promise)") }
  }
}
