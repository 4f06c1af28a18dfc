import BumpVaultAPI

/// The query of a request: positive whole numbers by name, each once.
struct Query: Sendable {
  private let values: [String: Int64]

  /// - Throws: `unknownField`, `duplicateField` or `badField`, as for the fields of a body.
  init(_ text: some StringProtocol, allowing names: Set<String>) throws(Problem) {
    var values: [String: Int64] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
      guard names.contains(parts[0]) else {
        throw Problem(.unknownField, "the query has a parameter that is not known here")
      }
      guard values[parts[0]] == nil else {
        throw Problem(.duplicateField, "the parameter \(parts[0]) occurs twice", field: parts[0])
      }
      guard parts.count == 2, let number = Int64(parts[1]), number > 0, String(number) == parts[1] else {
        throw Problem(.badField, "the parameter \(parts[0]) is no whole number above zero", field: parts[0])
      }
      values[parts[0]] = number
    }
    self.values = values
  }

  subscript(name: String) -> Int64? { values[name] }
}
