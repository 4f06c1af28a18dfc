/// Makes a stranger's text harmless to show: one line, nothing hidden, nothing that drives a terminal.
///
/// Escaped as `\u{…}` are the general categories Cc, Cf, Cs, Co, Cn, Zl and Zp (control characters, bidirectional
/// overrides, zero-width characters and the like: Unicode UTS #55 §3), white space but the space itself,
/// default-ignorable characters, the backslash (so that an escape cannot be forged), and combining
/// marks past the second in a row.
public enum VisibleText {
  public static func of(_ text: String) -> String {
    var visible = ""
    var marks = 0
    for scalar in text.unicodeScalars {
      marks = isMark(scalar) ? marks + 1 : 0
      if isPlain(scalar), marks <= maximumMarks {
        visible.unicodeScalars.append(scalar)
      } else {
        visible += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return visible
  }

  /// Whether `of` leaves the text as it is.
  public static func isPlain(_ text: String) -> Bool { of(text) == text }

  /// No living orthography stacks more on one letter than Vietnamese: two.
  private static let maximumMarks = 2

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    default: false
    }
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "\\" { return false }
    if scalar == " " { return true }
    if scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isWhitespace { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
    default: return true
    }
  }
}
