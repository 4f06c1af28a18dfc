/// Texts as a card's values have them: `\`, `;`, `,` and line breaks behind a backslash (RFC 2426 §4).
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

  /// Returns the text of a value. `\:` is read too, which some write; any other backslash stays.
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

  /// Cuts a value at each `;` without a backslash before it, and returns the parts' texts.
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
