import BumpWire

extension String {
  /// With blanks behind it as far as a column is wide.
  func padded(to width: Int) -> String { self + blanks(to: width) }

  /// With blanks before it as far as a column is wide.
  func indented(to width: Int) -> String { blanks(to: width) + self }

  private func blanks(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - TextWidth.columns(of: self)))
  }
}
