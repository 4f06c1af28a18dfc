/// A text with build settings in it: `$(NAME)` or `${NAME}`, which Xcode replaces when it builds. The linter reads no
/// values of settings, so each stands for any text.
struct UnknownText: Sendable {
  /// What is before, between and behind the settings.
  private let pieces: [Substring]

  /// Reads a text; `nil` if there is no build setting in it.
  init?(_ text: String) {
    var pieces: [Substring] = []
    var rest = text[...]
    while let start = rest.indices.first(where: { rest[$0...].hasPrefix("$(") || rest[$0...].hasPrefix("${") }) {
      pieces.append(rest[..<start])
      rest = Self.dropSetting(rest[start...])
    }
    guard !pieces.isEmpty else { return nil }
    self.pieces = pieces + [rest]
  }

  /// Drops the setting with which a text begins. Settings may be nested: `$(HOST_$(CONFIGURATION))`.
  private static func dropSetting(_ text: Substring) -> Substring {
    var depth = 0
    for index in text.indices.dropFirst() {
      if "({".contains(text[index]) { depth += 1 }
      if ")}".contains(text[index]) { depth -= 1 }
      if depth == 0 { return text[text.index(after: index)...] }
    }
    // One that does not end is left to Xcode.
    return ""
  }

  /// Whether the text begins with a setting.
  var isUnknownAtStart: Bool { pieces[0].isEmpty }

  /// Returns whether the text can become another one, by some values of its settings.
  func canBecome(_ text: String) -> Bool {
    guard text.hasPrefix(pieces[0]) else { return false }
    var rest = text.dropFirst(pieces[0].count)
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      guard let range = rest.firstRange(of: piece) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(pieces[pieces.count - 1])
  }

  /// Returns whether the text can become one that begins so.
  func canBegin(with start: String) -> Bool { pieces[0].hasPrefix(start) || start.hasPrefix(pieces[0]) }
}

extension String {
  /// Whether a build setting is in the text.
  var hasBuildSetting: Bool { UnknownText(self) != nil }
}
