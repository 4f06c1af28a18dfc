import BumpText

/// A message in lines that fit a narrow terminal, which would break words.
package enum WrappedText {
  /// From this width on, lines stay as they were written: most fit, and a terminal breaks the others.
  package static let wide = 80

  /// Returns the message in lines of at most so many columns. A command is not broken, so that it can be copied; if it is
  /// too long for a line, the terminal breaks it. A table, which has columns of its own, stays as it is.
  package static func of(_ message: String, columns: Int) -> String {
    guard columns < wide, !message.contains("  "), !message.hasPrefix(" ") else { return message }
    var lines: [String] = []
    for unit in units(of: message) {
      let line = lines.last.map { "\($0) \(unit)" } ?? unit
      if lines.isEmpty || TextWidth.columns(of: line) > columns {
        lines.append(unit)
      } else {
        lines[lines.count - 1] = line
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the words, and each command as one: between backticks, or from `bump` behind a colon to the end.
  private static func units(of message: String) -> [String] {
    var units: [String] = []
    var isOpen = false
    for word in message.split(separator: " ") {
      let isCommand = isOpen || isAtEnd(units, before: word)
      if isCommand, !units.isEmpty { units[units.count - 1] += " " + word } else { units.append(String(word)) }
      if word.count(where: { $0 == "`" }) % 2 == 1 { isOpen.toggle() }
    }
    return units
  }

  /// Returns whether a word continues a command that runs to the end of the message.
  private static func isAtEnd(_ units: [String], before word: Substring) -> Bool {
    guard units.count > 1, let last = units.last else { return false }
    return units[units.count - 2].hasSuffix(":") && (last == "bump" || last.hasPrefix("bump "))
  }
}
