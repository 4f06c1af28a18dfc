/// Text of a page that a generator or a server fills in later.
enum TemplateText {
  /// How template languages, generators of pages and shells begin what they replace.
  private static let openings = ["{{", "{%", "<%", "<?", "${", "$(", "#{", "[[", "@{", "@@"]

  /// Returns whether a text has a placeholder in it, such as `{{APP_ID}}`, `<%= id %>`, `$APP_ID` or `%APP_ID%`. Its
  /// value is not known here.
  static func hasPlaceholder(_ text: String) -> Bool {
    // A banner is short. A hostile page is not.
    let text = text.prefix(2000)
    return openings.contains { text.contains($0) } || text.contains(/\$[A-Za-z_]/) || text.contains(/%[A-Za-z_][\w.]*%/)
      || text.contains(/\{[A-Za-z_][^{}]*\}/) || text.contains(/__[A-Za-z][\w]*?__/)
      || text.contains(/@[A-Za-z_][\w.]*@/)
  }
}
