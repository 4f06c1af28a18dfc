/// A page with places such as `{{assets}}`, to be filled.
enum PageTemplate {
  /// Returns the page. What fills a place is not looked at for further places.
  ///
  /// - Parameter value: returns what fills the place of a name; `nil` for an unknown one.
  /// - Throws: `PageError` for a place that does not end, or is not known.
  static func filled(_ template: String, _ value: (String) -> String?) throws(PageError) -> String {
    var (page, rest) = ("", template[...])
    while let opening = rest.firstRange(of: "{{") {
      guard let closing = rest[opening.upperBound...].firstRange(of: "}}") else {
        throw PageError(reason: "a place of a page does not end")
      }
      let name = String(rest[opening.upperBound..<closing.lowerBound])
      guard let value = value(name) else { throw PageError(reason: "a page has the unknown place \(name)") }
      page += rest[..<opening.lowerBound] + value
      rest = rest[closing.upperBound...]
    }
    return page + rest
  }

  /// Returns a text as HTML, for an element or a quoted attribute.
  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { html, character in
      switch character {
      case "&": html += "&amp;"
      case "<": html += "&lt;"
      case ">": html += "&gt;"
      case "\"": html += "&quot;"
      case "'": html += "&#39;"
      default: html.append(character)
      }
    }
  }
}

/// The reason why the files of the pages do not fit together. It is a mistake of the build.
struct PageError: Error, Hashable {
  let reason: String
}
