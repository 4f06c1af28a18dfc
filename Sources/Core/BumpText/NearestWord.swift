/// Finds the word that was meant by a mistyped one.
package enum NearestWord {
  /// Returns the word that a mistyped one is nearest to, or the only one that it begins; `nil` if none is near.
  package static func of(_ typed: String, among words: [String]) -> String? {
    let typed = typed.lowercased()
    let begun = words.filter { typed.count > 1 && $0.hasPrefix(typed) }
    if begun.count == 1 { return begun[0] }
    let most = typed.count < 5 ? 1 : 2
    // Comparing takes the product of the lengths.
    let near = words.filter { abs($0.count - typed.count) <= most }
    let (word, distance) = near.map { ($0, self.distance(Array(typed), Array($0))) }.min { $0.1 < $1.1 } ?? ("", .max)
    return distance <= most ? word : nil
  }

  /// Returns how many characters have to be inserted, removed, replaced, or exchanged with the next one, each at most
  /// once (optimal string alignment).
  package static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var before: [Int] = []
    var row = Array(0...right.count)
    for i in left.indices {
      var next = [i + 1]
      for j in right.indices {
        var least = min(row[j + 1] + 1, next[j] + 1, row[j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] { least = min(least, before[j - 1] + 1) }
        next.append(least)
      }
      (before, row) = (row, next)
    }
    return row[right.count]
  }
}
