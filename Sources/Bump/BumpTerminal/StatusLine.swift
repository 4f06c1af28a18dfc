import BumpText

/// Truncates a status to the columns of a terminal. Digits to compare are shown completely or not at all.
package struct StatusLine {
  /// The fewest columns for a session beside others: its digits and part of its address.
  private static let least = 16
  /// The most sessions to show.
  private static let most = 3

  package let columns: Int
  /// The end of a truncated text.
  package var ellipsis: String

  package init(columns: Int, ellipsis: String = "…") {
    (self.columns, self.ellipsis) = (columns, ellipsis)
  }

  /// Returns the text, truncated at the last column.
  package func cut(_ text: String) -> String { Self.cut(text, to: columns, ellipsis) }

  /// Returns one line for several sessions, each beginning with its digits. Sessions for which there is no room are
  /// counted.
  package func of(_ sessions: [String]) -> String {
    for count in stride(from: min(sessions.count, Self.most), to: 1, by: -1) {
      let more = Self.more(sessions.count - count)
      let room = (columns - more.count - 2 * (count - 1)) / count
      let shown = sessions.prefix(count).map { Self.cut($0, to: room, ellipsis) }
      if room >= Self.least { return shown.joined(separator: "; ") + more }
    }
    guard let first = sessions.first, columns >= Self.least else { return "" }
    let more = Self.more(sessions.count - 1)
    let room = columns - more.count
    return room >= Self.least ? Self.cut(first, to: room, ellipsis) + more : cut(first)
  }

  private static func more(_ count: Int) -> String { count > 0 ? "; and \(count) more" : "" }

  private static func cut(_ text: String, to columns: Int, _ ellipsis: String) -> String {
    guard TextWidth.columns(of: text) > columns else { return text }
    var cut = ""
    var left = columns - ellipsis.count
    for character in text {
      left -= TextWidth.columns(of: String(character))
      guard left >= 0 else { break }
      cut.append(character)
    }
    return columns >= ellipsis.count ? cut + ellipsis : ""
  }
}
