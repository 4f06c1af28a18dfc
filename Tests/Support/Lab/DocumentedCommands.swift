import Foundation

/// Returns the arguments of each call of a program in the code blocks of a document, where it begins a line or something is
/// piped into it: up to a comment, a pipe or a redirection.
public func documentedCommands(of program: String, in document: String) throws -> [String] {
  let file = URL(filePath: #filePath).appending(path: "../../../../\(document)").standardized
  let call = try Regex("^ {4}(?:\\$ )?(?:sudo |zbarcam [^|]*\\| )?\(program) (.*)")
  return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
    guard let match = line.firstMatch(of: call), let words = match[1].substring else { return nil }
    return words.split(separator: /\s+#|\s*\||\s+[<>]/, maxSplits: 1, omittingEmptySubsequences: false).first.map(
      String.init)
  }
}
