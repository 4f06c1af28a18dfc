/// A line of a preview: text, and the names of captured values in braces. `{npub:short}` shows the ends of a long
/// value.
public struct PreviewLine: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case text(String)
    case value(String, isShort: Bool)
  }

  let parts: [Part]

  /// Reads a line; `nil` if a brace has no partner, or a name is empty.
  init?(_ text: String) {
    var parts: [Part] = []
    var rest = text[...]
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}") else { return nil }
      if brace > rest.startIndex { parts.append(.text(String(rest[..<brace]))) }
      let words = rest[brace..<end].dropFirst().split(separator: ":", omittingEmptySubsequences: false)
      guard let name = words.first, !name.isEmpty, !name.contains("{"), words.count == 1 || words[1...] == ["short"]
      else {
        return nil
      }
      parts.append(.value(String(name), isShort: words.count == 2))
      rest = rest[end...].dropFirst()
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    self.parts = parts
  }

  /// The names of the values that the line shows.
  var names: [String] {
    parts.compactMap { part in
      if case .value(let name, _) = part { name } else { nil }
    }
  }

  /// Returns the line with its values; `nil` if one of them is absent.
  func filled(_ values: [String: String]) -> String? {
    var line = ""
    for part in parts {
      switch part {
      case .text(let text): line += text
      case .value(let name, let isShort):
        guard let value = values[name] else { return nil }
        line += isShort && value.count > 20 ? "\(value.prefix(12))…\(value.suffix(6))" : value
      }
    }
    return line
  }
}
