/// A command to be printed, and pasted into a shell.
package enum ShellCommand {
  /// Returns words quoted for a POSIX shell. The text is safe to show: words with characters that
  /// `VisibleText.ofMessage` would escape, in a form that no shell reads, are in dollar-single-quotes.
  package static func text(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

  /// Returns an option with its value. A value that begins with `-`, as a name may, is joined to it by `=`: the parser
  /// would take it for an option.
  package static func option(_ name: String, _ value: String) -> [String] {
    value.hasPrefix("-") ? ["\(name)=\(value)"] : [name, value]
  }

  /// Returns an argument, behind `--` if it begins with `-`.
  package static func argument(_ value: String) -> [String] { value.hasPrefix("-") ? ["--", value] : [value] }

  private static func quoted(_ word: String) -> String {
    if !word.isEmpty, word.utf8.allSatisfy({ ASCII.isURLSafe($0) || "%+,./:=@".utf8.contains($0) }) { return word }
    guard VisibleText.ofMessage(word) == word else { return escaped(word) }
    return "'\(word.replacing("'", with: "'\\''"))'"
  }

  /// Returns a word in dollar-single-quotes (POSIX.1-2024, 2.2.4), with all bytes but printable ASCII in octal.
  private static func escaped(_ word: String) -> String {
    let bytes = word.utf8.map { byte -> String in
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\\(Unicode.Scalar(byte))"
      case 0x20..<0x7F: "\(Unicode.Scalar(byte))"
      default: "\\\(byte >> 6)\(byte >> 3 & 7)\(byte & 7)"
      }
    }
    return "$'\(bytes.joined())'"
  }
}
