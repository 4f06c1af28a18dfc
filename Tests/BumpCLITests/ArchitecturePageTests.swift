import Foundation
import Testing

/// The modules and source files that Docs/architecture.md names, so that a reader finds each step of the way of one claim.
@Suite struct ArchitecturePageTests {
  private let root = URL(filePath: #filePath).appending(path: "../../..").standardized
  private var page: String {
    get throws { try String(contentsOf: root.appending(path: "Docs/architecture.md"), encoding: .utf8) }
  }

  @Test func `each step of the way of one claim names functions that are in the files named beside them`() throws {
    let sources = root.appending(path: "Sources")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    let steps = try page.split(separator: "\n").filter { $0.contains(/^[0-9]+\. \*\*/) }
    #expect(steps.count == 10)
    for step in steps {
      let functions = step.matches(of: /`([A-Za-z]+)\.([A-Za-z]+)` \(`([A-Za-z0-9+\/]+\.swift)`\)/)
      #expect(!functions.isEmpty, "\(step)")
      for (_, type, function, file) in functions.map(\.output) {
        let path = try #require(paths.first { $0.hasSuffix("/\(file)") }, "\(file)")
        let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
        #expect(text.contains(try Regex("(struct|enum|actor|class|extension) \(type)\\b")), "\(type) in \(file)")
        #expect(text.contains("func \(function)("), "\(type).\(function) in \(file)")
      }
    }
  }

  @Test func `each module stands on the map, and nothing else does`() throws {
    let below = try page.split(separator: "\n").drop { $0 != "    Sources/" }.dropFirst()
    let map = below.prefix { $0.hasPrefix("      ") }
    // Below each room stand its modules; what goes on from a line is indented further.
    var room = ""
    var modules: [String] = []
    for line in map where !line.hasPrefix("         ") {
      if line.hasPrefix("        ") {
        let names = line.dropFirst(8).split(separator: "  ").first ?? ""
        modules += names.split(separator: ", ").map { room + $0.dropLast() }
      } else {
        room = String(line.dropFirst(6).prefix { $0 != " " })
      }
    }
    let sources = root.appending(path: "Sources").path
    let folders = try FileManager.default.contentsOfDirectory(atPath: sources).flatMap { room in
      try FileManager.default.contentsOfDirectory(atPath: "\(sources)/\(room)").map { "\(room)/\($0)" }
    }
    #expect(modules.sorted() == folders.sorted())
  }

  @Test func `the page lists the types that the compiler takes on trust to be Sendable, and no others`() throws {
    let sources = root.appending(path: "Sources")
    var types: Set<String> = []
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    for path in paths where path.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      for line in text.split(separator: "\n") where line.contains("@unchecked Sendable") {
        types.insert(String(try #require(line.firstMatch(of: /(?:class|struct) ([A-Za-z]+)/), "\(line)").1))
      }
      #expect(!text.contains("nonisolated(unsafe)"), "\(path)")
    }
    let rows = try page.split(separator: "\n").drop { !$0.hasPrefix("| what makes it safe") }
    let listed = rows.prefix { $0.hasPrefix("|") }.flatMap { row in
      row.matches(of: /`([A-Za-z]+)`/).map { String($0.1) }
    }
    #expect(types == Set(listed) && listed.count == types.count)
  }

  @Test func `each source file that the page on the architecture names exists`() throws {
    let page = try page
    let named = Set(page.matches(of: /`(?:[A-Za-z0-9]+\/)*([A-Za-z0-9+]+\.swift)`/).map { String($0.1) })
    let files = FileManager.default.enumerator(at: root.appending(path: "Sources"), includingPropertiesForKeys: nil)
    let tests = FileManager.default.enumerator(at: root.appending(path: "Tests"), includingPropertiesForKeys: nil)
    let existing = Set([files, tests].compactMap { $0?.compactMap { ($0 as? URL)?.lastPathComponent } }.joined())
    #expect(named.count > 10)
    #expect(named.subtracting(existing).isEmpty)
  }
}
