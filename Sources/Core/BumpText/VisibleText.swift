/// Escapes a stranger's text so that it is safe to show: on one line, with nothing hidden, and with nothing that
/// controls a terminal.
///
/// It escapes as `\u{…}`:
/// - the general categories Cc, Cf, Cs, Co, Cn, Zl and Zp: control characters, bidirectional overrides, zero-width
///   characters and the like (Unicode UTS #55 §3);
/// - white space other than the space, default-ignorable characters, and blank symbols;
/// - the backslash, so that an escape cannot be forged;
/// - combining marks after the fourth in a row, the same one twice in a row, or without a character before them.
///
/// Joiners, non-joiners and the emoji presentation selector stay where a script or an emoji needs them
/// (`ShownEnd.needs`).
public enum VisibleText {
  /// Returns the escaped text.
  public static func of(_ text: String) -> String {
    escaping(text, where: { $0 == "\\" || isHidden($0) }) { "\\u{\(String($0.value, radix: 16))}" }
  }

  /// Returns an escaped message. Parts of it may come from a stranger. Backslashes stay, since they may belong to
  /// escapes.
  public static func ofMessage(_ text: String) -> String {
    escaping(text, where: isHidden) { "\\u{\(String($0.value, radix: 16))}" }
  }

  /// Returns an escaped name; `(no name)` for a blank one.
  public static func ofName(_ text: String) -> String { isBlank(text) ? "(no name)" : of(text) }

  /// Returns equivalent JSON (RFC 8259) that is safe to show: the characters that `of` escapes, except backslashes,
  /// become `\uxxxx`.
  public static func ofJSON(_ json: String) -> String {
    // JSON contains these characters only within strings.
    escaping(json, where: isHidden) { scalar in
      String(scalar).utf16.reduce(into: "") { escaped, unit in
        let digits = String(unit, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      }
    }
  }

  /// Returns whether `of` would leave the text unchanged.
  public static func isPlain(_ text: String) -> Bool { of(text) == text }

  /// Returns whether a text is empty or has only spaces.
  package static func isBlank(_ text: String) -> Bool { text.utf8.allSatisfy { $0 == UInt8(ascii: " ") } }

  /// Characters that are blank, and of a category that is not: the empty Braille pattern, a null notehead, the filler of
  /// the Khitan small script.
  private static let blanks: Set<Unicode.Scalar> = ["\u{2800}", "\u{1D159}", "\u{16FE4}"]

  private static func escaping(
    _ text: String, where isEscaped: (Unicode.Scalar) -> Bool, as escape: (Unicode.Scalar) -> String
  ) -> String {
    var visible = ""
    var end = ShownEnd()
    let scalars = text.unicodeScalars
    for place in scalars.indices {
      let scalar = scalars[place]
      let isInvisible = isEscaped(scalar)
      let next = isInvisible ? scalars[place...].dropFirst().prefix(1).first { !isEscaped($0) } : nil
      if isInvisible ? !end.needs(scalar, before: next) : end.isTooMuch(scalar) {
        visible += escape(scalar)
        end.escape()
      } else {
        visible.unicodeScalars.append(scalar)
        end.add(scalar)
      }
    }
    return visible
  }

  /// Returns whether a character is invisible, or has an effect other than being shown.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    // ASCII, except its control characters.
    if (0x20...0x7E).contains(scalar.value) { return false }
    if scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isWhitespace { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return true
    default: return blanks.contains(scalar)
    }
  }
}
