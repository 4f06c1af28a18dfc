import BumpText

extension String {
  /// Returns the text with spaces after it, up to a width in columns.
  package func padded(to width: Int) -> String { self + blanks(to: width) }

  /// Returns the text with spaces before it, up to a width in columns.
  package func indented(to width: Int) -> String { blanks(to: width) + self }

  private func blanks(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - TextWidth.columns(of: self)))
  }
}
