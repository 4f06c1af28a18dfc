import Foundation
import Testing

/// The Swift in the libraries' articles is code that is compiled and run: a part of an example or of its tests.
@Suite struct ArticleTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

  /// The lines of a text without the indentation that all of them share, and without empty lines at its ends.
  private static func block(_ lines: some Sequence<Substring>) -> [Substring] {
    let lines = lines.filter { !$0.allSatisfy(\.isWhitespace) }
    let shared = lines.map { $0.prefix(while: { $0 == " " }).count }.min() ?? 0
    return lines.map { $0.dropFirst(shared) }
  }

  private static func files(in folder: String, withExtension type: String) throws -> [URL] {
    let all = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
    return try #require(all).compactMap { $0 as? URL }.filter { $0.pathExtension == type }
  }

  @Test func `the Swift of every article is in an example`() throws {
    let examples = try Self.files(in: "Examples", withExtension: "swift").map {
      try String(contentsOf: $0, encoding: .utf8).split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
    }
    var count = 0
    for article in try Self.files(in: "Sources", withExtension: "md") {
      for code in try String(contentsOf: article, encoding: .utf8).matches(of: /(?ms)^```swift\n(.*?)^```/) {
        let wanted = Self.block(code.1.split(separator: "\n"))
        count += 1
        #expect(
          examples.contains { example in
            example.indices.dropLast(wanted.count - 1).contains {
              Self.block(example[$0..<($0 + wanted.count)]) == wanted
            }
          }, "\(article.lastPathComponent) shows code that no example has:\n\(code.1)")
      }
    }
    #expect(count >= 10, "the articles have code")
  }
}
