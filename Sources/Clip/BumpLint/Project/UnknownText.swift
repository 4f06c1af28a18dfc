/// A text with build settings in it: `$(NAME)` or `${NAME}`, which Xcode replaces when it builds. The linter reads no
/// values of settings, so each stands for any text.
struct UnknownText: Sendable {
  private typealias Bytes = Substring.UTF8View

  /// What is before, between and behind the settings.
  private let pieces: [Bytes]

  /// Reads a text; `nil` if there is no build setting in it.
  init?(_ text: String) {
    var pieces: [Bytes] = []
    var rest = text[...].utf8
    while let start = Self.setting(in: rest) {
      pieces.append(rest[..<start])
      rest = Self.dropSetting(rest[start...])
    }
    guard !pieces.isEmpty else { return nil }
    self.pieces = pieces + [rest]
  }

  /// Returns where the first setting begins.
  private static func setting(in text: Bytes) -> Bytes.Index? {
    var rest = text
    while let dollar = rest.firstIndex(of: UInt8(ascii: "$")) {
      rest = rest[dollar...].dropFirst()
      if let next = rest.first, "({".utf8.contains(next) { return dollar }
    }
    return nil
  }

  /// Drops the setting with which a text begins. Settings may be nested: `$(HOST_$(CONFIGURATION))`.
  private static func dropSetting(_ text: Bytes) -> Bytes {
    var (rest, depth) = (text.dropFirst(), 0)
    while let byte = rest.popFirst() {
      if "({".utf8.contains(byte) { depth += 1 }
      if ")}".utf8.contains(byte) { depth -= 1 }
      if depth == 0 { return rest }
    }
    // One that does not end is left to Xcode.
    return rest
  }

  /// Whether the text begins with a setting.
  var isUnknownAtStart: Bool { pieces[0].isEmpty }

  /// Returns whether the text can become another one, by some values of its settings.
  func canBecome(_ text: String) -> Bool {
    guard text.utf8.starts(with: pieces[0]) else { return false }
    var rest = text.utf8.dropFirst(pieces[0].count)
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      guard let range = rest.firstRange(of: piece) else { return false }
      rest = rest[range.upperBound...]
    }
    let last = pieces[pieces.count - 1]
    return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
  }

  /// Returns whether the text can become one that begins so.
  func canBegin(with start: String) -> Bool { pieces[0].starts(with: start.utf8) || start.utf8.starts(with: pieces[0]) }
}

extension String {
  /// Whether a build setting is in the text.
  var hasBuildSetting: Bool { UnknownText(self) != nil }
}
