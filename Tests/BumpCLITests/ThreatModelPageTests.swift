import Foundation
import Testing

/// The tests that Docs/threat-model.md names, so that a reader can open the one behind each promise.
///
/// A promise is a line that begins with a hyphen. It ends with one code span that has the names of its tests.
@Suite struct ThreatModelPageTests {
  private let root = URL(filePath: #filePath).appending(path: "../../..").standardized
  private var page: String {
    get throws { try String(contentsOf: root.appending(path: "Docs/threat-model.md"), encoding: .utf8) }
  }
  private var promises: [Substring] {
    get throws { try page.split(separator: "\n").filter { $0.hasPrefix("- ") } }
  }

  /// Returns the names of a promise's tests, or none where it does not end with them.
  private func names(of promise: Substring) -> [Substring] {
    promise.firstMatch(of: /\. `([^`]+)`$/)?.1.split(separator: " ", omittingEmptySubsequences: false) ?? []
  }

  /// Returns a test's place as the page writes it, `/Loopback/Code` for LoopbackTests/CodeTests.swift, or a tool's path
  /// as it is. Returns `nil` for what is neither, such as a test's helper.
  private func place(_ path: String) -> String? {
    if path.hasPrefix("Tools/") { return "/\(path)" }
    guard path.split(separator: "/").last?.contains("Tests") == true else { return nil }
    let name = path.hasSuffix(".swift") ? path.dropLast(6) : path[...]
    return "/\(name.replacing("Tests", with: ""))"
  }

  @Test func `each promise of the threat model ends with its tests, and is made once`() throws {
    let promises = try promises
    #expect(promises.count > 100)
    for promise in promises { #expect(!names(of: promise).isEmpty, "\(promise)") }
    #expect(Set(promises).count == promises.count)
  }

  @Test func `each test that the threat model names is one file or folder of the tests`() throws {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "Tests").path)
    let places = paths.filter { !$0.contains("/.build/") }.compactMap(place)
    let named = Set(try promises.flatMap(names(of:)))
    #expect(named.count > 100)
    for name in named {
      let found = places.filter { $0.hasSuffix("/\(name)") }
      #expect(found.count == 1, "\(name): \(found)")
    }
  }

  @Test func `the threat model is short enough to be read`() throws {
    #expect(try page.utf8.count <= 20 * 1024)
  }
}
