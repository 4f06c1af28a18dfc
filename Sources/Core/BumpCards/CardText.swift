/// Texts in the form that a card's values have: `\`, `;`, `,` and line breaks are escaped by a backslash (RFC 2426 §4).
enum CardText {
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ";", ",": escaped += "\\\(scalar)"
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Returns the text of a value. Also reads `\:`, which some writers use, and keeps any other backslash.
  static func unescaped(_ value: some StringProtocol) -> String {
    var text = String.UnicodeScalarView()
    var scalars = value.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "\\", let next = scalars.next() else {
        text.append(scalar)
        continue
      }
      switch next {
      case "n", "N": text.append("\n")
      case ",", ";", ":", "\\": text.append(next)
      default: text.append(contentsOf: [scalar, next])
      }
    }
    return String(text)
  }

  /// Splits a value at each `;` without a backslash before it, and returns the texts of the parts.
  static func parts(_ value: String) -> [String] {
    var parts = [String.UnicodeScalarView()]
    var isEscaped = false
    for scalar in value.unicodeScalars {
      if scalar == ";", !isEscaped {
        parts.append(String.UnicodeScalarView())
      } else {
        parts[parts.count - 1].append(scalar)
      }
      isEscaped = scalar == "\\" && !isEscaped
    }
    return parts.map { unescaped(String($0)) }
  }
}
