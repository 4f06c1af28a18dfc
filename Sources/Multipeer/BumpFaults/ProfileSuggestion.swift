extension FaultProfile {
  /// Returns the profile whose name is closest to a mistyped one; `nil` if none is close, or several are as close.
  static func nearest(to text: String) -> FaultProfile? {
    let distances = all.map { ($0, distance(Array($0.name.utf8), Array(text.utf8))) }
    guard let least = distances.map(\.1).min(), least <= max(1, text.utf8.count / 3) else {
      let beginning = text.isEmpty ? [] : all.filter { $0.name.hasPrefix(text) }
      return beginning.count == 1 ? beginning[0] : nil
    }
    let nearest = distances.filter { $0.1 == least }
    return nearest.count == 1 ? nearest[0].0 : nil
  }

  /// Returns how many characters are to be inserted, removed or replaced (Levenshtein).
  private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var row = Array(0...other.count)
    for (index, byte) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, letter) in other.enumerated() {
        let replaced = diagonal + (byte == letter ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[other.count]
  }
}
