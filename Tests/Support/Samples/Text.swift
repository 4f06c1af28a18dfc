extension String {
  /// A text with one part of it changed, compared by its bytes as the parsers do.
  package func changing(_ part: String, to instead: String) -> String? {
    guard let range = utf8.firstRange(of: part.utf8) else { return nil }
    return String(self[..<range.lowerBound]) + instead + String(self[range.upperBound...])
  }
}
