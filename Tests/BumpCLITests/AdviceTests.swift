import ArgumentParser
import BumpKit
import Foundation
import Lab
import Testing

@testable import BumpCLI

/// Commands that messages tell people to type.
@Suite struct AdviceTests {
  /// A command of bump in a string literal of the sources, with something in place of what is put in or to be filled in.
  struct Advice {
    let place: String
    let command: String
  }

  /// All of them. Behind a colon a command goes on to the end of the literal, and between backticks to the second.
  static func all() throws -> [Advice] {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources").standardized
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
    return try files.flatMap { file in
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      return zip(1..., text.split(separator: "\n", omittingEmptySubsequences: false)).flatMap { number, line in
        commands(in: String(line)).map { Advice(place: "\(file):\(number)", command: $0) }
      }
    }
  }

  private static func commands(in line: String) -> [String] {
    let code = line.drop { $0 == " " }
    let isUsage = code.hasPrefix("usage:") || code.contains("[<options>]")
    guard !code.hasPrefix("//"), !isUsage else { return [] }
    let words =
      #/bump (?:send|receive|browse|history|show|link|settle|key|claim|refund|wallet|clip|lint|aasa|entitlements|doctor|simulate|help|--)\b/#
    return line.ranges(of: words).map { range in
      let before = line[..<range.lowerBound].replacing(#/sudo $/#, with: "")
      let rest = filled(line[range.lowerBound...])
      let end = before.hasSuffix("`") ? rest.firstIndex(of: "`") : rest.firstIndex(of: "\"")
      return String(rest[..<(end ?? rest.endIndex)])
    }
  }

  /// A line with its interpolations and what a person is to fill in replaced.
  private static func filled(_ line: Substring) -> String {
    var text = line.replacing(#/\\\((?:word|claim\.claim\.amount)\)/#, with: "12.50").replacing(
      #/\\\(peer\)|\\\(endpoint\)|HOST:PORT|ITS-ADDRESS:4000/#, with: "192.0.2.7:4000")
    text = text.replacing(#/\\\(plan\.profile\.name\)|\bPROFILE\b/#, with: "replay")
    text = text.replacing(#/\\\((?:access\.)?url\)|\\\(vault\)/#, with: "https://vault.example").replacing(
      #/\\\(address\)/#, with: "192.0.2.7"
    )
    .replacing(#/\\\(port\)|\bPORT\b/#, with: "4000")
    text = text.replacing(#/\\\((?:[^()]|\([^()]*\))*\)|\b(?:NAME|FILE|CLAIMID)\b/#, with: "y1h2")
    return String(text)
  }

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

  @Test func `every command that a message names is one that can be typed`() throws {
    let all = try Self.all()
    #expect(all.count > 40)
    for advice in all {
      let words = advice.command.split(separator: " ").dropFirst().map(String.init)
      // Help and the version are answers; they are thrown.
      if ["--help", "--version", "help"].contains(words[0]) { continue }
      #expect((try? BumpCommand.parseAsRoot(words)) != nil, "\(advice.place): \(advice.command)")
    }
  }
}
