/// Makes a stranger's text harmless to show: one line, nothing hidden, nothing that drives a terminal.
///
/// Escaped as `\u{…}` are the general categories Cc, Cf, Cs, Co, Cn, Zl and Zp (control characters, bidirectional
/// overrides, zero-width characters and the like: Unicode UTS #55 §3), white space but the space itself,
/// default-ignorable characters, symbols that are blank, the backslash (so that an escape cannot be forged), and
/// combining marks past the second in a row, or with nothing before them to combine with.
public enum VisibleText {
  public static func of(_ text: String) -> String {
    escaping(text, where: { $0 == "\\" || isHidden($0) }) { "\\u{\(String($0.value, radix: 16))}" }
  }

  /// A message, parts of which may have come from outside. Backslashes stay: they may be those of escapes made before.
  public static func ofMessage(_ text: String) -> String {
    escaping(text, where: isHidden) { "\\u{\(String($0.value, radix: 16))}" }
  }

  /// The text, or, where it is empty or blank, words for that: a name is always something to see.
  public static func ofName(_ text: String) -> String { isBlank(text) ? "(no name)" : of(text) }

  /// JSON (RFC 8259) that means the same, and is harmless to show too: what would be escaped by `of` is, as `\uxxxx`.
  public static func ofJSON(_ json: String) -> String {
    // Outside of strings JSON has none of these, and a backslash is its own.
    escaping(json, where: isHidden) { scalar in
      String(scalar).utf16.reduce(into: "") { escaped, unit in
        let digits = String(unit, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      }
    }
  }

  /// Whether `of` leaves the text as it is.
  public static func isPlain(_ text: String) -> Bool { of(text) == text }

  static func isBlank(_ text: String) -> Bool { text.utf8.allSatisfy { $0 == UInt8(ascii: " ") } }

  /// No living orthography stacks more on one letter than Vietnamese: two.
  private static let maximumMarks = 2

  /// Symbols by their category, but without ink: the empty Braille pattern, a null notehead.
  private static let blankSymbols: Set<Unicode.Scalar> = ["\u{2800}", "\u{1D159}"]

  private static func escaping(
    _ text: String, where isEscaped: (Unicode.Scalar) -> Bool, as escape: (Unicode.Scalar) -> String
  ) -> String {
    var visible = ""
    // How many more marks the last character bears. An escape and a quote bear none: they would hide its end.
    var bearable = 0
    for scalar in text.unicodeScalars {
      let isMark = isMark(scalar)
      if isEscaped(scalar) || isMark && bearable == 0 {
        visible += escape(scalar)
        bearable = 0
      } else {
        visible.unicodeScalars.append(scalar)
        bearable = isMark ? bearable - 1 : scalar == "\"" ? 0 : maximumMarks
      }
    }
    return visible
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    default: false
    }
  }

  /// Whether it cannot be seen, or does something else than be seen.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == " " { return false }
    if scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isWhitespace { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return true
    default: return blankSymbols.contains(scalar)
    }
  }
}
