import BumpText

/// A message in lines that fit a terminal, which would break words.
package enum WrappedText {
  /// Returns the message in lines that are shorter than so many columns. All but the last end in a space, so that who
  /// copies them, and a program that reads a terminal, can join them again (as RFC 3676 has it).
  ///
  /// An amount with its token, digits to compare and a command are not broken, so that they can be read and copied; the
  /// terminal breaks what is too long for a line. A table, which has columns of its own, stays as it is.
  package static func of(_ message: String, columns: Int) -> String {
    message.split(separator: "\n", omittingEmptySubsequences: false).map { ofLine(String($0), columns: columns) }
      .joined(separator: "\n")
  }

  private static func ofLine(_ message: String, columns: Int) -> String {
    guard !message.contains("  "), !message.hasPrefix(" "), TextWidth.columns(of: message) > columns else {
      return message
    }
    var lines: [String] = []
    for unit in units(of: message) {
      let line = lines.last.map { "\($0) \(unit)" } ?? unit
      if lines.isEmpty || TextWidth.columns(of: line) >= columns {
        lines.append(unit)
      } else {
        lines[lines.count - 1] = line
      }
    }
    return lines.joined(separator: " \n")
  }

  /// Returns a question and the hint how to answer it in lines, as `of` does. The answer is typed behind the hint.
  package static func of(_ question: String, hint: String, columns: Int) -> (question: String, hint: String) {
    let whole = question + hint
    let words = whole.hasSuffix(" ") ? String(whole.dropLast()) : whole
    let lines = of(words, columns: columns) + String(whole.dropFirst(words.count))
    // The question ends where so many of its characters are in lines; an end of a line behind it belongs to the hint.
    var left = question.count
    let end = lines.firstIndex { character in
      if left == 0 { return true }
      if character != "\n" { left -= 1 }
      return false
    }
    return (String(lines[..<(end ?? lines.endIndex)]), String(lines[(end ?? lines.endIndex)...]))
  }

  /// Returns the words, and as one each command, between backticks or from `bump` behind a colon to the end, each
  /// amount with its token, and digits to compare.
  private static func units(of message: String) -> [String] {
    var units: [String] = []
    var isOpen = false
    for word in message.split(separator: " ") {
      let isWhole = isOpen || isAtEnd(units, before: word) || units.last.map { belong($0, word) } ?? false
      if isWhole, !units.isEmpty { units[units.count - 1] += " " + word } else { units.append(String(word)) }
      if word.count(where: { $0 == "`" }) % 2 == 1 { isOpen.toggle() }
    }
    return units
  }

  /// Returns whether a word is the token of the amount before it, or the second half of digits to compare.
  private static func belong(_ unit: String, _ word: Substring) -> Bool {
    unit.contains(/(^|[^0-9.])[0-9]+\.[0-9]{2,6}$/) && word.prefixMatch(of: /[A-Z0-9]{1,12}[^A-Za-z0-9]*$/) != nil
      || unit.contains(/(^|[^0-9])[0-9]{3}$/) && word.prefixMatch(of: /[0-9]{3}[^0-9]*$/) != nil
  }

  /// Returns whether a word continues a command that runs to the end of the message.
  private static func isAtEnd(_ units: [String], before word: Substring) -> Bool {
    guard units.count > 1, let last = units.last else { return false }
    return units[units.count - 2].hasSuffix(":") && (last == "bump" || last.hasPrefix("bump "))
  }
}
