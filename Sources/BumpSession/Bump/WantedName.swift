import BumpClaims
import BumpText

/// The sender whose offers are wanted, by its name as people read it somewhere: as it is, made visible, in quotes, or cut.
package struct WantedName: Hashable, Sendable {
  private static let cutMark = "…"

  /// As it was given, and without quotes around it.
  private let forms: [String]
  private let mayBeCut: Bool

  /// - Parameter mayBeCut: whether a mark at its end may stand for the rest of the name.
  package init(_ text: String, mayBeCut: Bool = true) {
    let isQuoted = text.count > 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
    forms = isQuoted ? [text, String(text.dropFirst().dropLast())] : [text]
    self.mayBeCut = mayBeCut
  }

  /// Whether it may be the beginning of several names.
  package var isCut: Bool { forms.contains { beginning($0) != nil } }

  /// Whether a name is the wanted one, or begins as it.
  ///
  /// - Parameter name: made visible.
  func matches(_ name: String) -> Bool {
    isWhole(name)
      || forms.contains { form in beginning(form).map { Self.shown(name, columns: .max).hasPrefix($0) } == true }
  }

  /// Whether a name is the wanted one, and not only begins as it.
  ///
  /// - Parameter name: made visible.
  func isWhole(_ name: String) -> Bool {
    forms.contains { form in
      form == name || VisibleText.ofName(form) == name || form == Self.shown(name, columns: .max)
    }
  }

  /// Whether a name that may have been cut without a mark, as that of an instance is, may be the beginning of the wanted
  /// one.
  ///
  /// - Parameter name: made visible.
  func mayBegin(with name: String) -> Bool {
    let whole = Self.shown(name, columns: .max)
    return matches(name)
      || forms.contains { form in
        form.hasPrefix(name) || VisibleText.ofName(form).hasPrefix(name)
          || (beginning(form) ?? form).hasPrefix(whole)
      }
  }

  /// What stands before the mark of a name that was cut.
  private func beginning(_ form: String) -> String? {
    mayBeCut && form.hasSuffix(Self.cutMark) && form.count > 1 ? String(form.dropLast(Self.cutMark.count)) : nil
  }

  /// The name as a sentence shows it, without its quotes.
  private static func shown(_ name: String, columns: Int) -> String {
    String(QuotedName.ofVisible(name, columns: columns).dropFirst().dropLast())
  }
}
