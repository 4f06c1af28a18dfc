import BumpClaims
import BumpText

/// A pattern for the display name of the wanted sender, as people read that name: as it is, made visible, in quotes, or
/// truncated.
package struct WantedName: Hashable, Sendable {
  private static let cutMark = "…"

  /// The text as given, and without quotes around it.
  private let forms: [String]
  private let mayBeCut: Bool

  /// - Parameter mayBeCut: whether `…` at the end may mean that the name is truncated.
  package init(_ text: String, mayBeCut: Bool = true) {
    let isQuoted = text.count > 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
    forms = isQuoted ? [text, String(text.dropFirst().dropLast())] : [text]
    self.mayBeCut = mayBeCut
  }

  /// Whether the pattern may match several names.
  package var isCut: Bool { forms.contains { beginning($0) != nil } }

  /// Returns whether a name is the wanted one, or begins with the truncated one.
  ///
  /// - Parameter name: a name made visible.
  func matches(_ name: String) -> Bool {
    isWhole(name)
      || forms.contains { form in beginning(form).map { Self.shown(name, columns: .max).hasPrefix($0) } == true }
  }

  /// Returns whether a name is the wanted one in full.
  ///
  /// - Parameter name: a name made visible.
  func isWhole(_ name: String) -> Bool {
    forms.contains { form in
      form == name || VisibleText.ofName(form) == name || form == Self.shown(name, columns: .max)
    }
  }

  /// Returns whether a name may be the beginning of the wanted one. For a name that may be truncated without a mark,
  /// such as that in an instance name.
  ///
  /// - Parameter name: a name made visible.
  func mayBegin(with name: String) -> Bool {
    let whole = Self.shown(name, columns: .max)
    return matches(name)
      || forms.contains { form in
        form.hasPrefix(name) || VisibleText.ofName(form).hasPrefix(name)
          || (beginning(form) ?? form).hasPrefix(whole)
      }
  }

  /// Returns the text before the mark of a truncated name; `nil` if there is no mark.
  private func beginning(_ form: String) -> String? {
    mayBeCut && form.hasSuffix(Self.cutMark) && form.count > 1 ? String(form.dropLast(Self.cutMark.count)) : nil
  }

  /// Returns the name as a sentence shows it, without its quotes.
  private static func shown(_ name: String, columns: Int) -> String {
    String(QuotedName.ofVisible(name, columns: columns).dropFirst().dropLast())
  }
}
