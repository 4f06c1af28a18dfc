import Foundation

/// A command in a string literal of the sources, with something in place of what is put in or to be filled in.
public struct SuggestedCommand: Sendable {
  /// Where it stands: the file below Sources, and the line.
  public let place: String
  public let command: String

  /// Returns all that name one of a program's commands. Behind a colon a command goes on to the end of the literal, and
  /// between backticks to the second.
  public static func all(of program: String, _ names: [String]) throws -> [SuggestedCommand] {
    let sources = URL(filePath: #filePath).appending(path: "../../../../Sources").standardized
    let words = try Regex("\\b\(program) (?:\(names.joined(separator: "|"))|help|--)(?![a-z-])")
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
    return try files.flatMap { file in
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      return zip(1..., text.split(separator: "\n", omittingEmptySubsequences: false)).flatMap { number, line in
        commands(in: String(line), words).map { SuggestedCommand(place: "\(file):\(number)", command: $0) }
      }
    }
  }

  private static func commands(in line: String, _ words: Regex<AnyRegexOutput>) -> [String] {
    let code = line.drop { $0 == " " }
    let isUsage = code.hasPrefix("usage:") || code.contains("[<options>]")
    guard !code.hasPrefix("//"), !isUsage else { return [] }
    return line.ranges(of: words).map { range in
      let before = line[..<range.lowerBound].replacing(#/sudo $/#, with: "")
      let rest = filled(line[range.lowerBound...])
      let end = before.hasSuffix("`") ? rest.firstIndex(of: "`") : rest.firstIndex(of: "\"")
      return String(rest[..<(end ?? rest.endIndex)])
    }
  }

  /// A line with its interpolations and what a person is to fill in replaced.
  private static func filled(_ line: Substring) -> String {
    var text = line.replacing(#/\\\((?:word|sum)\)/#, with: "12.50").replacing(
      #/\\\(peer\)|\\\(endpoint\)|HOST:PORT|ITS-ADDRESS:4000/#, with: "192.0.2.7:4000")
    text = text.replacing(#/\\\(plan\.profile\.name\)|\bPROFILE\b/#, with: "replay")
    text = text.replacing(#/\\\((?:access\.)?url\)|\\\(vault\)|\bURL\b/#, with: "https://vault.example").replacing(
      #/\\\(address\)/#, with: "192.0.2.7"
    )
    .replacing(#/\\\(port\)|\bPORT\b/#, with: "4000")
    text = text.replacing(#/\\\((?:[^()]|\([^()]*\))*\)|\b(?:NAME|FILE|CLAIMID)\b/#, with: "y1h2")
    return String(text)
  }
}
